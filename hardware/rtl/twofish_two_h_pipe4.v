// SPDX-License-Identifier: Apache-2.0 OR MIT
// Twofish with two h in four pipeline stages, cut behind the first level of q, within the last and behind
// MDS: four blocks in 64 clocks [TR3, Table 4: 30,000 gates, 150 MHz]. Subkeys have a register of their own.
// Latency 64, start-up 21; the rest is in twofish_two_h_pipe.v.
`default_nettype none

module twofish_two_h_pipe4 #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter [55:0] STORE = "LATCHES"
) (
  input  wire         clk,
  input  wire         rst,        // one clock with it: the core is empty, without a key
  input  wire         zeroise,    // the same, and wipes, as said above
  input  wire         key_valid,  // a word of the key is taken at each edge with key_valid
  output wire         key_ready,  // and key_ready: KEY_BITS / 32 of them
  input  wire [ 31:0] key_data,   // M_0 first; byte 0 in bits 7..0, as of blocks
  input  wire         in_valid,   // a block is taken at each edge with in_valid
  output wire         in_ready,   // and in_ready, which is low until there is a key
  input  wire         in_decrypt, // of this block
  input  wire [127:0] in_data,    // R0 in bits 31..0
  output wire         out_valid,  // stays, with out_data, until an edge with out_ready;
  input  wire         out_ready,  // results leave in the order of their blocks
  output wire [127:0] out_data
);
  twofish_two_h_pipe #(
    .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE),
    .STAGES(4), .H_CUTS(10'b0000010010), .MDS_CUT(1), .PAIR_CUT(1), .FAST(1)
  ) core (
    .clk(clk), .rst(rst), .zeroise(zeroise), .key_valid(key_valid), .key_ready(key_ready),
    .key_data(key_data), .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
    .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
  );
endmodule

`default_nettype wire
