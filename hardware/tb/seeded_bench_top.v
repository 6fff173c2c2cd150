// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// For simulation only: gives twofish_quarter_h_masked_seeded the ports of the other cores. bench_shares.v
// splits and joins its shares.
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
  wire [255:0] random, in_shares, out_shares;
  wire [63:0] key_shares;
  wire seeded;
  wire unused = &{1'b0, random, seeded};

  bench_shares shares (
    .clk(clk), .rst(rst | zeroise), .random(random), .key_data(key_data), .key_shares(key_shares),
    .in_data(in_data), .in_shares(in_shares), .out_shares(out_shares), .out_data(out_data)
  );

  // Words of a seed that come later are added to the generator as it runs.
  twofish_quarter_h_masked_seeded #(
    .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)
  ) core (
    .clk(clk), .rst(rst), .zeroise(zeroise), .seed_valid(random[32]), .seed_data(random[31:0]),
    .seeded(seeded), .key_valid(key_valid), .key_ready(key_ready), .key_data(key_shares),
    .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_shares),
    .out_valid(out_valid), .out_ready(out_ready), .out_data(out_shares)
  );
endmodule

`default_nettype wire
