// SPDX-License-Identifier: Apache-2.0 OR MIT
// A clock that can be stopped. With GATED, by a latch that is open in the low half of clk, and an AND:
// `clock` rises with clk at the end of clocks with `go`, so registers take no gates to hold. Else `clock`
// is clk, and `enable` tells registers to move. Such a gate belongs at the root of a clock tree.
`default_nettype none

module twofish_clock_gate #(
  parameter integer GATED = 1
) (
  input  wire clk,
  input  wire go,
  output wire clock,
  output wire enable
);
  generate
    if (GATED != 0) begin : g_gated
      reg open;
      // verilator lint_off LATCH
      always @* if (!clk) open = go;
      // verilator lint_on LATCH
      assign clock = clk & open;
      assign enable = 1'b1;
    end else begin : g_plain
      assign clock = clk;
      assign enable = go;
    end
  endgenerate
endmodule

`default_nettype wire
