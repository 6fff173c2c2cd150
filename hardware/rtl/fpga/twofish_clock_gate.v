// SPDX-License-Identifier: Apache-2.0 OR MIT
// `clock` is clk and never stops; `enable` tells registers to move. A gate made of logic would take the clock off
// the network that an FPGA has for clocks, so GATED does nothing.
`default_nettype none

module twofish_clock_gate #(
  parameter integer GATED = 1
) (
  input  wire clk,
  input  wire go,
  output wire clock,
  output wire enable
);
  assign clock = clk;
  assign enable = go;
  wire unused = &{1'b0, GATED};
endmodule

`default_nettype wire
