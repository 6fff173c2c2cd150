// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: a block as [Twofish98, 4] encrypts or decrypts it. RS is proven by itself.
`default_nettype none

module reference_inverse_round #(
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
  wire [31:0] t0, t1, f0, f1, x3;

  assign {r3, r2, r1, r0} = r;
  reference_h #(.KEY_BITS(KEY_BITS), .TABLE(TABLE)) g0 (.x(r2), .l(s), .z(t0));
  reference_h #(.KEY_BITS(KEY_BITS), .TABLE(TABLE)) g1 (.x({r3[23:0], r3[31:24]}), .l(s), .z(t1));
  reference_pht pht (.a(t0), .b(t1), .k0(k0), .k1(k1), .f0(f0), .f1(f1));
  assign x3 = r1 ^ f1;
  assign next = {x3[0], x3[31:1], {r0[30:0], r0[31]} ^ f0, r3, r2};
endmodule

// K_2i and K_(2i+1) for i = PAIR [Twofish98, 4.3.4].
module reference_subkeys #(
  parameter integer KEY_BITS = 128,
  parameter integer TABLE = 1,
  parameter [6:0] PAIR = 0
) (
  input  wire [KEY_BITS-1:0] key,
  output wire [        31:0] k0,
  output wire [        31:0] k1
);
  wire [KEY_BITS/2-1:0] even, odd;
  wire [31:0] a, b, b8, sum;
  wire [7:0] two_i = {PAIR, 1'b0};
  wire [7:0] two_i_1 = {PAIR, 1'b1};

  genvar j;
  generate
    for (j = 0; j < KEY_BITS / 64; j = j + 1) begin : g_word
      assign even[32*j+:32] = key[64*j+:32];
      assign odd[32*j+:32] = key[64*j+32+:32];
    end
  endgenerate

  reference_h #(.KEY_BITS(KEY_BITS), .TABLE(TABLE)) h_a (.x({4{two_i}}), .l(even), .z(a));
  reference_h #(.KEY_BITS(KEY_BITS), .TABLE(TABLE)) h_b (.x({4{two_i_1}}), .l(odd), .z(b));
  assign b8 = {b[23:0], b[31:24]};
  assign k0 = a + b8;
  assign sum = a + {b8[30:0], 1'b0};
  assign k1 = {sum[22:0], sum[31:23]};
endmodule

module reference_cipher #(
  parameter integer KEY_BITS = 128,
  parameter integer DECRYPT = 0,
  parameter [KEY_BITS-1:0] KEY = 0
) (
  input  wire [127:0] block,
  output wire         found,
  output wire [127:0] result
);
  assign found = 1'b1;

  wire [KEY_BITS-1:0] key = KEY;
  wire [32*40-1:0] k;
  wire [KEY_BITS/2-1:0] s;
  wire [128*17-1:0] r;

  genvar i;
  generate
    for (i = 0; i < 20; i = i + 1) begin : g_pair
      reference_subkeys #(.KEY_BITS(KEY_BITS), .TABLE(0), .PAIR(i)) pair (
        .key(key), .k0(k[64*i+:32]), .k1(k[64*i+32+:32])
      );
    end
    // The last eight bytes of the key make S_(k-1), which h takes as L_0.
    for (i = 0; i < KEY_BITS / 64; i = i + 1) begin : g_s
      s_of_key s_i (.column(key[64*i+:64]), .result(s[32*(KEY_BITS/64-1-i)+:32]));
    end
    if (DECRYPT == 0) begin : g_encrypt
      assign r[127:0] = block ^ k[127:0];
      for (i = 0; i < 16; i = i + 1) begin : g_round
        reference_round #(.KEY_BITS(KEY_BITS), .TABLE(0)) round (
          .r(r[128*i+:128]), .s(s), .k0(k[32*(2*i+8)+:32]), .k1(k[32*(2*i+9)+:32]),
          .next(r[128*(i+1)+:128])
        );
      end
      assign result = {r[128*16+:64], r[128*16+64+:64]} ^ k[255:128];
    end else begin : g_decrypt
      wire [127:0] c = block ^ k[255:128];
      assign r[127:0] = {c[63:0], c[127:64]};
      for (i = 0; i < 16; i = i + 1) begin : g_round
        reference_inverse_round #(.KEY_BITS(KEY_BITS), .TABLE(0)) round (
          .r(r[128*i+:128]), .s(s), .k0(k[32*(38-2*i)+:32]), .k1(k[32*(39-2*i)+:32]),
          .next(r[128*(i+1)+:128])
        );
      end
      assign result = r[128*16+:128] ^ k[127:0];
    end
  endgenerate
endmodule

`default_nettype wire
