# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Constraints of a core with rtl/fpga/ for Vivado: 100 MHz, if the core is the top module. Inside a design
# only the clock is needed, which the design has. There are no false paths and no paths of several clocks.
# rst and zeroise are synchronous.

create_clock -name clk -period 10.000 [get_ports clk]
set_input_delay -clock clk 0.000 [get_ports {rst zeroise key_valid key_data[*] in_valid in_decrypt in_data[*] out_ready}]
set_output_delay -clock clk 0.000 [get_ports {key_ready in_ready out_valid out_data[*]}]
