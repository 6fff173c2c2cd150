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
  wire [31:0] s0, c0, s1, c1;

  twofish_csa csa0 (.a(k0), .b(a), .c(b), .s(s0), .carry(c0));
  twofish_csa csa1 (.a(k1), .b(a), .c({b[30:0], 1'b0}), .s(s1), .carry(c1));
  twofish_add #(.FAST(FAST)) add0 (.a(s0), .b(c0), .sum(f0));
  twofish_add #(.FAST(FAST)) add1 (.a(s1), .b(c1), .sum(f1));

  wire unused = &{1'b0, b[31]};
endmodule

`default_nettype wire
