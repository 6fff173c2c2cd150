// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the two domains of a masked AND tell each other [GMK16, 3]: the products of a share of a with the
// other share of b, under a fresh random bit, in registers, so that no glitch joins two shares.
//
// a = a0 ^ a1 and b = b0 ^ b1 must be masked independently of each other. One clock later
// a & b = (a0 & b0 ^ x0) ^ (a1 & b1 ^ x1), with a0, a1, b0, b1 of the clock before.
`default_nettype none

module masked_cross #(
  parameter integer WIDTH = 1
) (
  input  wire             clk,
  input  wire [WIDTH-1:0] a0,
  input  wire [WIDTH-1:0] a1,
  input  wire [WIDTH-1:0] b0,
  input  wire [WIDTH-1:0] b1,
  input  wire [WIDTH-1:0] random,
  output reg  [WIDTH-1:0] x0,
  output reg  [WIDTH-1:0] x1
);
  always @(posedge clk) begin
    x0 <= a0 & b1 ^ random;
    x1 <= a1 & b0 ^ random;
  end
endmodule

`default_nettype wire
