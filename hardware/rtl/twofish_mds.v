// SPDX-License-Identifier: Apache-2.0 OR MIT
// The matrix MDS [Twofish98, 4.2]; byte 0 of a word is its lowest one.
// EF = 1 + 1/x + 1/x^2 and 5B = 1 + 1/x^2 [Twofish98, 7.3], so each row is 5B times the sum of all
// bytes, and what differs is 1/x times a sum and 1/x^2 times a byte.
`default_nettype none

module twofish_mds (
  input  wire [31:0] y,
  output wire [31:0] z
);
  // Division by x modulo x^8 + x^6 + x^5 + x^3 + 1.
  function [7:0] over_x(input [7:0] a);
    over_x = {a[0], a[7], a[6] ^ a[0], a[5] ^ a[0], a[4], a[3] ^ a[0], a[2], a[1]};
  endfunction

  wire [7:0] y0 = y[7:0];
  wire [7:0] y1 = y[15:8];
  wire [7:0] y2 = y[23:16];
  wire [7:0] y3 = y[31:24];

  wire [7:0] y03 = y0 ^ y3;
  wire [7:0] y12 = y1 ^ y2;
  wire [7:0] sum = y03 ^ y12;
  wire [7:0] all = sum ^ over_x(over_x(sum));

  assign z = {
    all ^ over_x(y0 ^ y2 ^ over_x(y1)),
    all ^ over_x(y03 ^ over_x(y2)),
    all ^ over_x(y12 ^ over_x(y3)),
    all ^ over_x(y1 ^ over_x(y0))
  };
endmodule

`default_nettype wire
