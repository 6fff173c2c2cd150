// SPDX-License-Identifier: Apache-2.0 OR MIT
// Stops the elaboration of a core whose parameters make no sense: no module has the names below, and
// tools say which one they miss.
`default_nettype none

module twofish_check #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter [55:0] STORE = "LATCHES"
) ();
  generate
    if (KEY_BITS != 128 && KEY_BITS != 192 && KEY_BITS != 256) begin : g_key_bits
      KEY_BITS_must_be_128_192_or_256 error ();
    end
    if (ENCRYPT == 0 && DECRYPT == 0) begin : g_direction
      ENCRYPT_or_DECRYPT_must_be_1 error ();
    end
    if (STORE != "LATCHES" && STORE != "FLOPS" && STORE != "RAM") begin : g_store
      STORE_must_be_LATCHES_FLOPS_or_RAM error ();
    end
  endgenerate
endmodule

`default_nettype wire
