// SPDX-License-Identifier: Apache-2.0 OR MIT
// In place of rtl/twofish_csa.v: full adders that are cells.
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
  wire [WIDTH:0] carries;
  assign carries[0] = 1'b0;
  assign carry = carries[WIDTH-1:0];

  genvar i;
  generate
    for (i = 0; i < WIDTH; i = i + 1) begin : g_bit
      if (i < WIDTH - 1) begin : g_full
        FAX1 add (.A(a[i]), .B(b[i]), .C(c[i]), .YS(s[i]), .YC(carries[i+1]));
      end else begin : g_last
        assign s[i] = a[i] ^ b[i] ^ c[i];
        assign carries[i+1] = 1'b0;
      end
    end
  endgenerate
endmodule

`default_nettype wire
