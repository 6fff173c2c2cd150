// SPDX-License-Identifier: Apache-2.0 OR MIT
// A place where a pipeline may be cut: CUTS registers in a row, which move in clocks with `enable`, or
// just wires.
`default_nettype none

module twofish_cut #(
  parameter integer WIDTH = 1,
  parameter integer CUTS = 1
) (
  input  wire             clk,
  input  wire             enable,
  input  wire [WIDTH-1:0] d,
  output wire [WIDTH-1:0] q
);
  generate
    if (CUTS == 0) begin : g_wires
      assign q = d;
      wire unused = &{1'b0, clk, enable};
    end else begin : g_registers
      reg [CUTS*WIDTH-1:0] stages;
      wire [(CUTS+1)*WIDTH-1:0] next = {stages, d};
      always @(posedge clk) if (enable) stages <= next[0+:CUTS*WIDTH];
      assign q = next[CUTS*WIDTH+:WIDTH];
    end
  endgenerate
endmodule

`default_nettype wire
