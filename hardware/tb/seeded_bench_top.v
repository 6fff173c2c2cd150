// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// For simulation only: gives twofish_quarter_h_masked_seeded the ports of the other cores. Key and block are split
// into shares here, and results put together.
`default_nettype none

module seeded_bench_top #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         zeroise,
  input  wire         key_valid,
  output wire         key_ready,
  input  wire [ 31:0] key_data,
  input  wire         in_valid,
  output wire         in_ready,
  input  wire         in_decrypt,
  input  wire [127:0] in_data,
  output wire         out_valid,
  input  wire         out_ready,
  output wire [127:0] out_data
);
  wire [255:0] random;
  bench_random source (.clk(clk), .rst(rst | zeroise), .random(random));

  wire [31:0] key_mask = random[63:32];
  wire [127:0] in_mask = random[255:128];
  wire [255:0] out;
  wire seeded;
  wire seed_valid = random[32];  // later ones are added to the generator as it runs
  assign out_data = out[127:0] ^ out[255:128];
  wire unused = &{1'b0, random, seeded};

  twofish_quarter_h_masked_seeded #(
    .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)
  ) core (
    .clk(clk), .rst(rst), .zeroise(zeroise), .seed_valid(seed_valid), .seed_data(random[31:0]),
    .seeded(seeded), .key_valid(key_valid), .key_ready(key_ready), .key_data({key_mask, key_data ^ key_mask}),
    .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data({in_mask, in_data ^ in_mask}),
    .out_valid(out_valid), .out_ready(out_ready), .out_data(out)
  );
endmodule

`default_nettype wire
