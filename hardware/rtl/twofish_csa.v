// SPDX-License-Identifier: Apache-2.0 OR MIT
// Full adders side by side: a + b + c = s + carry modulo 2^WIDTH, without carries that run.
`default_nettype none

module twofish_csa #(
  parameter integer WIDTH = 32
) (
  input  wire [WIDTH-1:0] a,
  input  wire [WIDTH-1:0] b,
  input  wire [WIDTH-1:0] c,
  output wire [WIDTH-1:0] s,
  output wire [WIDTH-1:0] carry
);
  wire [WIDTH-1:0] majority = (a & b) | (c & (a | b));
  wire unused = &{1'b0, majority[WIDTH-1]};

  assign s = a ^ b ^ c;
  assign carry = {majority[WIDTH-2:0], 1'b0};
endmodule

`default_nettype wire
