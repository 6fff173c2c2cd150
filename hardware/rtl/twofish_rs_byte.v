// SPDX-License-Identifier: Apache-2.0 OR MIT
// RS a byte at a time [Twofish98, 4.3]: after the bytes m_(8i+7) down to m_(8i), from s = 0 on, s is S_i.
// The word times z, and the byte that leaves it at the top, with the key byte added, comes back as a
// multiple of z^4 + (a + 1/a) z^3 + a z^2 + (a + 1/a) z + 1.
`default_nettype none

module twofish_rs_byte (
  input  wire [31:0] s,
  input  wire [ 7:0] m,
  output wire [31:0] next
);
  // Times a, and over a, modulo a^8 + a^6 + a^3 + a^2 + 1.
  wire [7:0] b = s[31:24] ^ m;
  wire [7:0] times = {b[6], b[5] ^ b[7], b[4], b[3], b[2] ^ b[7], b[1] ^ b[7], b[0], b[7]};
  wire [7:0] over = {b[0], b[7], b[6] ^ b[0], b[5], b[4], b[3] ^ b[0], b[2] ^ b[0], b[1]};

  assign next = {s[23:16] ^ times ^ over, s[15:8] ^ times, s[7:0] ^ times ^ over, b};
endmodule

`default_nettype wire
