// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: a round of the modules that cores are made of, and rounds there and back.
`default_nettype none

module round_of_parts #(
  parameter integer KEY_BITS = 128,
  parameter integer FAST = 0
) (
  input  wire [         127:0] r,
  input  wire [KEY_BITS/2-1:0] s,
  input  wire [          31:0] k0,
  input  wire [          31:0] k1,
  input  wire                  decrypt,
  output wire [         127:0] next
);
  wire [31:0] t0, t1, f0, f1;

  twofish_h #(.KEY_BITS(KEY_BITS)) g0 (.x(r[31:0]), .l(s), .z(t0));
  twofish_h #(.KEY_BITS(KEY_BITS)) g1 (.x({r[55:32], r[63:56]}), .l(s), .z(t1));
  twofish_pht #(.FAST(FAST)) pht (.a(t0), .b(t1), .k0(k0), .k1(k1), .f0(f0), .f1(f1));
  twofish_round round (.r(r), .f0(f0), .f1(f1), .decrypt(decrypt), .next(next));
endmodule

module encrypting_round #(
  parameter integer KEY_BITS = 128,
  parameter integer FAST = 0
) (
  input  wire [         127:0] r,
  input  wire [KEY_BITS/2-1:0] s,
  input  wire [          31:0] k0,
  input  wire [          31:0] k1,
  output wire [         127:0] next
);
  round_of_parts #(.KEY_BITS(KEY_BITS), .FAST(FAST)) round (
    .r(r), .s(s), .k0(k0), .k1(k1), .decrypt(1'b0), .next(next)
  );
endmodule

// A round, then the same round the other way; halves are swapped between, and at the end.
module there_and_back (
  input  wire [127:0] r,
  input  wire [ 63:0] s,
  input  wire [ 31:0] k0,
  input  wire [ 31:0] k1,
  input  wire         decrypt,
  output wire [127:0] next
);
  wire [127:0] there, back;

  round_of_parts one (.r(r), .s(s), .k0(k0), .k1(k1), .decrypt(decrypt), .next(there));
  round_of_parts two (
    .r({there[63:0], there[127:64]}), .s(s), .k0(k0), .k1(k1), .decrypt(!decrypt), .next(back)
  );
  assign next = {back[63:0], back[127:64]};
endmodule

module nothing_at_all (
  input  wire [127:0] r,
  input  wire [ 63:0] s,
  input  wire [ 31:0] k0,
  input  wire [ 31:0] k1,
  input  wire         decrypt,
  output wire [127:0] next
);
  wire unused = &{1'b0, s, k0, k1, decrypt};
  assign next = r;
endmodule

`default_nettype wire
