// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: a round as [Twofish98, 4] writes it, with S = {.., S_1, S_0}: s[31:0] is S_0, as l of
// h has it.
`default_nettype none

module reference_pht (
  input  wire [31:0] a,
  input  wire [31:0] b,
  input  wire [31:0] k0,
  input  wire [31:0] k1,
  output wire [31:0] f0,
  output wire [31:0] f1
);
  // A core that makes subkeys on the fly begins with these; sums in its order are equal without proof.
  wire [31:0] a0 = k0 + a;
  wire [31:0] a1 = k1 + a;

  assign f0 = a0 + b;
  assign f1 = a1 + (b << 1);
endmodule

module reference_round #(
  parameter integer KEY_BITS = 128,
  parameter integer TABLE = 1
) (
  input  wire [         127:0] r,
  input  wire [KEY_BITS/2-1:0] s,
  input  wire [          31:0] k0,
  input  wire [          31:0] k1,
  output wire [         127:0] next
);
  wire [31:0] r0, r1, r2, r3;
  wire [31:0] t0, t1, f0, f1, x2;

  assign {r3, r2, r1, r0} = r;
  reference_h #(.KEY_BITS(KEY_BITS), .TABLE(TABLE)) g0 (.x(r0), .l(s), .z(t0));
  reference_h #(.KEY_BITS(KEY_BITS), .TABLE(TABLE)) g1 (.x({r1[23:0], r1[31:24]}), .l(s), .z(t1));
  reference_pht pht (.a(t0), .b(t1), .k0(k0), .k1(k1), .f0(f0), .f1(f1));
  assign x2 = r2 ^ f0;
  assign next = {r1, r0, {r3[30:0], r3[31]} ^ f1, {x2[0], x2[31:1]}};
endmodule

`default_nettype wire
