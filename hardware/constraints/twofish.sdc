# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Constraints of a core for synthesis and timing of a chip: our own timing reads them (synth/timing.tcl).
# Set `period`, in ns, before. Inputs come at the clock edge and outputs are due at the next one: give them
# the delays of your chip. There are no false paths and no paths of several clocks. rst and zeroise are
# synchronous.
#
# Latches of subkeys, S and M have clocks that are gates of clk (twofish_copy, twofish_clock_gate), and tools
# take these for clock gates by themselves. A latch that is open in the high half may take its data then.

create_clock -name clk -period $period [get_ports clk]
set_input_delay 0 -clock clk [get_ports {rst zeroise key_valid key_data* in_valid in_decrypt in_data* out_ready}]
set_output_delay 0 -clock clk [get_ports {key_ready in_ready out_valid out_data*}]
