// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a round does with F [Twofish98, 4]: xor, the rotations by one bit, and the swap. R0 = r[31:0].
// Both directions take F of R0 and R1: a decryption starts from C0..C3 in their order, and its last
// swap is undone like that of an encryption.
`default_nettype none

module twofish_round (
  input  wire [127:0] r,
  input  wire [ 31:0] f0,
  input  wire [ 31:0] f1,
  input  wire         decrypt,
  output wire [127:0] next
);
  function [31:0] rol(input [31:0] a);
    rol = {a[30:0], a[31]};
  endfunction

  function [31:0] ror(input [31:0] a);
    ror = {a[0], a[31:1]};
  endfunction

  wire [31:0] r2 = r[95:64];
  wire [31:0] r3 = r[127:96];

  // Encrypting, (R2 ^ F0) >>> 1 and (R3 <<< 1) ^ F1; decrypting, (R2 <<< 1) ^ F0 and (R3 ^ F1) >>> 1.
  assign next = {
    r[63:0],
    (decrypt ? ror(r3) : rol(r3)) ^ (decrypt ? ror(f1) : f1),
    (decrypt ? rol(r2) : ror(r2)) ^ (decrypt ? f0 : ror(f0))
  };
endmodule

`default_nettype wire
