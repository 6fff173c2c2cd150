// SPDX-License-Identifier: Apache-2.0 OR MIT
// A column of MDS times a byte [Twofish98, 4.2]; the four of them add up to MDS times a word.
`default_nettype none

module twofish_mds_column (
  input  wire [ 1:0] column,
  input  wire [ 7:0] y,
  output reg  [31:0] z
);
  // Division by x modulo x^8 + x^6 + x^5 + x^3 + 1; 5B = 1 + 1/x^2, EF = 1 + 1/x + 1/x^2.
  function [7:0] over_x(input [7:0] a);
    over_x = {a[0], a[7], a[6] ^ a[0], a[5] ^ a[0], a[4], a[3] ^ a[0], a[2], a[1]};
  endfunction

  wire [7:0] half = over_x(y);
  wire [7:0] y_5b = y ^ over_x(half);
  wire [7:0] y_ef = y_5b ^ half;

  always @* begin
    case (column)
      2'd0: z = {y_ef, y_ef, y_5b, y};
      2'd1: z = {y, y_5b, y_ef, y_ef};
      2'd2: z = {y_ef, y, y_ef, y_5b};
      default: z = {y_5b, y_ef, y, y_5b};
    endcase
  end
endmodule

`default_nettype wire
