// SPDX-License-Identifier: Apache-2.0 OR MIT
// h [Twofish98, 4.3.2]: l = {.., L_1, L_0}, where L_0 is used last. With L = S, h is g.
`default_nettype none

module twofish_h #(
  parameter integer KEY_BITS = 128,
  parameter integer TABLE = 0
) (
  input  wire [          31:0] x,
  input  wire [KEY_BITS/2-1:0] l,
  output wire [          31:0] z
);
  localparam integer K = KEY_BITS / 64;

  wire [31:0] y;

  genvar i, j;
  generate
    for (j = 0; j < 4; j = j + 1) begin : g_byte
      wire [8*K-1:0] bytes;  // byte j of each word of L
      for (i = 0; i < K; i = i + 1) begin : g_level
        assign bytes[8*i+:8] = l[32*i+8*j+:8];
      end
      twofish_sbox #(.COLUMN(j), .KEY_BITS(KEY_BITS), .TABLE(TABLE)) sbox (
        .x(x[8*j+:8]), .l(bytes), .y(y[8*j+:8])
      );
    end
  endgenerate

  twofish_mds mds (.y(y), .z(z));
endmodule

`default_nettype wire
