// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: h as [Twofish98, 4.3.2] writes it, with q0 and q1 as tables, which
// cost where h stands often: there q is taken from nibbles. MDS is proven by itself.
`default_nettype none

// One stage: q of each byte, the highest bit of WHICH being that of byte 0.
module reference_qs #(
  parameter [3:0] WHICH = 0,
  parameter integer TABLE = 1
) (
  input  wire [31:0] x,
  output wire [31:0] y
);
  genvar j;
  generate
    for (j = 0; j < 4; j = j + 1) begin : g_byte
      twofish_q #(.WHICH(WHICH[3-j] ? 1 : 0), .TABLE(TABLE)) q (
        .x(x[8*j+:8]), .y(y[8*j+:8])
      );
    end
  endgenerate
endmodule

module reference_h #(
  parameter integer KEY_BITS = 128,
  parameter integer TABLE = 1
) (
  input  wire [          31:0] x,
  input  wire [KEY_BITS/2-1:0] l,
  output wire [          31:0] z
);
  wire [31:0] x3, x2, q1, q0, y;

  generate
    if (KEY_BITS == 256) begin : g_k4
      wire [31:0] q;
      reference_qs #(.WHICH(4'b1001), .TABLE(TABLE)) qs (.x(x), .y(q));
      assign x3 = q ^ l[127:96];
    end else begin : g_less_than_4
      assign x3 = x;
    end
    if (KEY_BITS >= 192) begin : g_k3
      wire [31:0] q;
      reference_qs #(.WHICH(4'b1100), .TABLE(TABLE)) qs (.x(x3), .y(q));
      assign x2 = q ^ l[95:64];
    end else begin : g_k2
      assign x2 = x3;
    end
  endgenerate

  reference_qs #(.WHICH(4'b0101), .TABLE(TABLE)) inner (.x(x2), .y(q1));
  reference_qs #(.WHICH(4'b0011), .TABLE(TABLE)) middle (.x(q1 ^ l[63:32]), .y(q0));
  reference_qs #(.WHICH(4'b1010), .TABLE(TABLE)) outer (.x(q0 ^ l[31:0]), .y(y));
  twofish_mds mds (.y(y), .z(z));
endmodule

`default_nettype wire
