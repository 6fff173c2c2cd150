// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: a matrix of four rows over GF(2^8) times a column. NUMBERS is row after row from its
// highest byte on; byte 0 of the column is its lowest one.
`default_nettype none

module reference_matrix #(
  parameter integer COLUMNS = 4,
  parameter [8:0] POLYNOMIAL = 9'h100,
  parameter [32*COLUMNS-1:0] NUMBERS = 0
) (
  input  wire [8*COLUMNS-1:0] column,
  output wire [         31:0] result
);
  genvar i, j;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_row
      for (j = 0; j < COLUMNS; j = j + 1) begin : g_column
        wire [7:0] product;
        wire [7:0] sum;
        reference_product #(
          .BY(NUMBERS[8*(4*COLUMNS-1-COLUMNS*i-j)+:8]), .POLYNOMIAL(POLYNOMIAL)
        ) times (.a(column[8*j+:8]), .product(product));
        if (j == 0) begin : g_first
          assign sum = product;
        end else begin : g_next
          assign sum = g_column[j-1].sum ^ product;
        end
      end
      assign result[8*i+:8] = g_column[COLUMNS-1].sum;
    end
  endgenerate
endmodule

`default_nettype wire
