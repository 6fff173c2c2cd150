# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Sourced by timing.tcl: prints the critical path. Latches that borrow time would be the first to be shown,
# though nothing is short there; so only paths to flip-flops, RAMs and outputs are.

if {$env(SEQUENTIAL)} {
  set ends [concat [all_registers -edge_triggered -data_pins] [all_outputs]]
  report_checks -path_delay max -to $ends -fields {slew cap fanout} -digits 2
} else {
  report_checks -path_delay max -fields {slew cap fanout} -digits 2
}
