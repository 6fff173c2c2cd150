// SPDX-License-Identifier: Apache-2.0 OR MIT
// Byte COLUMN of h up to the matrix [Twofish98, 4.3.2]: levels of q with the bytes of L between.
// The byte of L_i is l[8i+7:8i]; L_0 is used last.
`default_nettype none

module twofish_sbox #(
  parameter integer COLUMN = 0,
  parameter integer KEY_BITS = 128,
  parameter integer TABLE = 0
) (
  input  wire [           7:0] x,
  input  wire [KEY_BITS/8-1:0] l,
  output wire [           7:0] y
);
  localparam integer K = KEY_BITS / 64;
  // Which q stands at level i, the outermost being 0: bit 4i + j for byte j.
  localparam [19:0] WHICH = {4'b1001, 4'b0011, 4'b1010, 4'b1100, 4'b0101};

  wire [8*K+7:0] q;  // the result of each level

  twofish_q #(.WHICH(WHICH[4*K+COLUMN] ? 1 : 0), .TABLE(TABLE)) q_first (.x(x), .y(q[8*K+:8]));

  genvar i;
  generate
    for (i = 0; i < K; i = i + 1) begin : g_level
      twofish_q #(.WHICH(WHICH[4*i+COLUMN] ? 1 : 0), .TABLE(TABLE)) q_next (
        .x(q[8*i+8+:8] ^ l[8*i+:8]), .y(q[8*i+:8])
      );
    end
  endgenerate

  assign y = q[7:0];
endmodule

`default_nettype wire
