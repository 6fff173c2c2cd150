// SPDX-License-Identifier: Apache-2.0 OR MIT
// A word of the key into S [Twofish98, 4.3]: next = (s ^ m) z^4 modulo the polynomial of the code,
// z^4 + (x + 1/x) z^3 + x z^2 + (x + 1/x) z + 1 over GF(2^8), x^8 = x^6 + x^3 + x^2 + 1. So
// S_i = rs(rs(0, M_2i+1), M_2i), which is RS times the eight bytes.
`default_nettype none

module twofish_rs (
  input  wire [31:0] s,
  input  wire [31:0] m,
  output wire [31:0] next
);
  // Times z: the byte that leaves at the top comes back as a multiple of the polynomial.
  function [31:0] times_z(input [31:0] a);
    reg [7:0] b, twice, both;
    begin
      b = a[31:24];
      twice = {b[6], b[5] ^ b[7], b[4], b[3], b[2] ^ b[7], b[1] ^ b[7], b[0], b[7]};
      both = twice ^ {b[0], b[7], b[6] ^ b[0], b[5], b[4], b[3] ^ b[0], b[2] ^ b[0], b[1]};
      times_z = {a[23:16] ^ both, a[15:8] ^ twice, a[7:0] ^ both, b};
    end
  endfunction

  assign next = times_z(times_z(times_z(times_z(s ^ m))));
endmodule

`default_nettype wire
