// SPDX-License-Identifier: Apache-2.0 OR MIT
// The pseudo-Hadamard transform and the addition of the round keys [Twofish98, 4.1]:
// f0 = a + b + k0, f1 = a + 2b + k1. Three words become two without carries, then one adder.
`default_nettype none

module twofish_pht #(
  parameter integer FAST = 0
) (
  input  wire [31:0] a,
  input  wire [31:0] b,
  input  wire [31:0] k0,
  input  wire [31:0] k1,
  output wire [31:0] f0,
  output wire [31:0] f1
);
  wire [31:0] b2 = {b[30:0], 1'b0};
  wire [31:0] s0 = a ^ b ^ k0;
  wire [31:0] s1 = a ^ b2 ^ k1;
  wire [31:0] c0 = (a & b) | (k0 & (a | b));
  wire [31:0] c1 = (a & b2) | (k1 & (a | b2));

  twofish_add #(.FAST(FAST)) add0 (.a(s0), .b({c0[30:0], 1'b0}), .sum(f0));
  twofish_add #(.FAST(FAST)) add1 (.a(s1), .b({c1[30:0], 1'b0}), .sum(f1));

  wire unused = &{1'b0, c0[31], c1[31]};
endmodule

`default_nettype wire
