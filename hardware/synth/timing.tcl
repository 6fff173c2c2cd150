# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Timing by OpenSTA. Its environment gives LIBERTY (files), NETLIST, TOP, SEQUENTIAL (1 or 0), SPEF (wires, or
# empty), CONSTRAINTS (of a core, or empty), SHOW (without, with, or empty) and SHOW_BY (the script that shows
# the path). Prints `period without NS` and `period with NS`: the shortest clock period, or the longest path of
# what has no clock, without wires and with those of SPEF or an estimate. Inputs come at the clock edge from an
# INVX8, outputs drive 0.05 pF. Clock pins and wires are no load, since a layout adds trees there; the delays of
# gates in the clocks of latches count, those in the clocks of flip-flops are balanced.

foreach file $env(LIBERTY) { read_liberty $file }
read_verilog $env(NETLIST)
link_design $env(TOP)

proc inputs {} {
  set found {}
  foreach port [all_inputs] {
    if {[get_property $port full_name] ne "clk"} { lappend found $port }
  }
  return $found
}

proc constrain {period} {
  global env
  if {$env(CONSTRAINTS) ne ""} {
    set ::period $period
    source $env(CONSTRAINTS)
  } else {
    if {$env(SEQUENTIAL)} {
      create_clock -name clk -period $period [get_ports clk]
    } else {
      create_clock -name clk -period $period
    }
    set_input_delay 0 -clock clk [inputs]
    set_output_delay 0 -clock clk [all_outputs]
  }
  if {$env(SEQUENTIAL)} {
    set_propagated_clock [all_clocks]
    set_clock_latency 0 [all_registers -edge_triggered -clock_pins]
  }
  set_driving_cell -lib_cell INVX8 [inputs]
  set_load 0.05 [all_outputs]
}

# Paths of half a clock scale with it, so the period is found by halving.
proc shortest_period {} {
  set low 0.0
  set high 200.0
  while {$high - $low > 0.005} {
    set middle [expr {($low + $high) / 2}]
    constrain $middle
    if {[worst_slack -max] >= 0} { set high $middle } else { set low $middle }
  }
  constrain $high
  return $high
}

proc report_period {what} {
  global env
  puts "period $what [shortest_period]"
  if {$env(SHOW) eq $what} { source $env(SHOW_BY) }
}

# Wires of the clock are part of its tree too.
proc clear_clock_wires {} {
  foreach pin [all_registers -clock_pins] {
    foreach net [get_nets -of_objects $pin] { set_load 0 $net }
  }
}

report_period without
if {$env(SPEF) ne ""} {
  read_spef $env(SPEF)
} else {
  set_wire_load_model -name estimate
  clear_clock_wires
}
report_period with
puts "hold [worst_slack -min]"
exit
