// SPDX-License-Identifier: Apache-2.0 OR MIT
// A copy of a register, in flip-flops whatever STORE says, since an FPGA has no latches.
//
// `take` goes up in the clock before the one in which `d` shows what is to be copied; q is the copy from the
// end of that clock on.
`default_nettype none

module twofish_copy #(
  parameter integer WIDTH = 32,
  parameter [55:0] STORE = "LATCHES"
) (
  input  wire             clk,
  input  wire             take,
  input  wire [WIDTH-1:0] d,
  output wire [WIDTH-1:0] q
);
  reg [WIDTH-1:0] word;
  reg taking;

  always @(posedge clk) begin
    taking <= take;
    if (taking) word <= d;
  end

  assign q = word;
  wire unused = &{1'b0, STORE};
endmodule

`default_nettype wire
