// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: a core that is reset, gets KEY, and then one block, which is that of the first clock.
// The first result is kept. TWOFISH_CORE is the name of the core.
`default_nettype none

module one_block #(
  parameter integer KEY_BITS = 128,
  parameter integer DECRYPT = 0,
  parameter [KEY_BITS-1:0] KEY = 0
) (
  input  wire         clk,
  input  wire [127:0] block,
  output reg          found,
  output reg  [127:0] result
);
  reg begun;   // so that the first clock is one of reset
  reg taken;
  reg [127:0] kept;
  reg [KEY_BITS-1:0] words;  // of the key that are still to come, xor KEY: all registers are zero at first
  reg [3:0] count;

  wire key_ready, in_ready, out_valid;
  wire [127:0] out_data;
  wire key_valid = begun & (count != KEY_BITS / 32);

  `TWOFISH_CORE #(.KEY_BITS(KEY_BITS)) core (
    .clk(clk), .rst(~begun), .zeroise(1'b0),
    .key_valid(key_valid), .key_ready(key_ready), .key_data(words[31:0] ^ KEY[31:0]),
    .in_valid(begun & ~taken), .in_ready(in_ready), .in_decrypt(DECRYPT != 0), .in_data(kept),
    .out_valid(out_valid), .out_ready(1'b1), .out_data(out_data)
  );

  always @(posedge clk) begin
    begun <= 1'b1;
    if (~begun) kept <= block;
    words <= ~begun ? 0 : key_valid & key_ready ? (words ^ KEY) >> 32 ^ KEY : words;
    if (key_valid & key_ready) count <= count + 4'd1;
    if (begun & in_ready) taken <= 1'b1;
    if (out_valid) found <= 1'b1;
    if (out_valid & ~found) result <= out_data;
  end
endmodule

`default_nettype wire
