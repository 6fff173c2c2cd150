// SPDX-License-Identifier: Apache-2.0 OR MIT
// twofish_quarter_h_masked with a generator of its random bits: an example, and a core to take as it is.
//
// The ports are those of the masked core, but for
// seed_valid, seed_data   as of twofish_trivium: five words after rst or zeroise, and more at any time
// seeded                  there are random bits
//
// Without them the core is held in reset: it takes no key and no block, so none is ever in work without fresh
// random bits. From then on they come in each clock, so the core never has to wait for any.
// Clocks    those of the masked core. The first key is taken 63 clocks after the last word of a seed with 128
//           bits of key, 71 with 192, 79 with 256.
// zeroise   and rst: wipe the generator too.
`default_nettype none

module twofish_quarter_h_masked_seeded #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         zeroise,
  input  wire         seed_valid,
  input  wire [ 31:0] seed_data,
  output wire         seeded,
  input  wire         key_valid,
  output wire         key_ready,
  input  wire [ 63:0] key_data,
  input  wire         in_valid,
  output wire         in_ready,
  input  wire         in_decrypt,
  input  wire [255:0] in_data,
  output wire         out_valid,
  input  wire         out_ready,
  output wire [255:0] out_data
);
  wire [31:0] random;

  twofish_trivium generator (
    .clk(clk), .rst(rst | zeroise), .seed_valid(seed_valid), .seed_data(seed_data), .valid(seeded),
    .random(random)
  );

  twofish_quarter_h_masked #(
    .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)
  ) core (
    .clk(clk), .rst(rst | ~seeded), .zeroise(zeroise), .random(random),
    .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
    .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
    .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
  );
endmodule

`default_nettype wire
