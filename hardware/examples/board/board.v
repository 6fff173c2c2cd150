// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A core that tests itself on a board. It encrypts the third of the published known answers
// (vectors/twofish_ecb_tbl.rsp), decrypts the result, and begins again.
//
// good  goes up when both were right, and down for ever when one was wrong
// bad   goes up then
`default_nettype none

module board (
  input  wire clk,
  output reg  good = 0,
  output reg  bad = 0
);
  // Byte 0 has the lowest bits in the ports, and stands first in what people and papers write.
  function [127:0] bytes(input [127:0] written);
    integer i;
    for (i = 0; i < 16; i = i + 1) bytes[8*i+:8] = written[8*(15-i)+:8];
  endfunction

  localparam [127:0] KEY = bytes(128'h9f589f5cf6122c32b6bfec2f2ae8c35a);
  localparam [127:0] PLAIN = bytes(128'hd491db16e7b1c39e86cb086b789f5419);
  localparam [127:0] CIPHER = bytes(128'h019f9809de1711858faac3a3ba20fbc3);

  // An FPGA starts with zeros in these registers. The reset lasts 15 clocks.
  reg [3:0] clocks = 0;
  wire rst = clocks != 15;
  always @(posedge clk) if (rst) clocks <= clocks + 4'd1;

  reg [2:0] word = 0;    // of the key, the next one; 4 when the core has all
  reg waiting = 0;       // for the result of a block
  reg decrypt = 0;       // the block
  wire key_valid = ~rst & ~word[2];
  wire in_valid = word[2] & ~waiting;
  wire key_ready, in_ready, out_valid;
  wire [127:0] result;
  wire right = result == (decrypt ? PLAIN : CIPHER);

  always @(posedge clk) begin
    if (key_valid & key_ready) word <= word + 3'd1;
    if (in_valid & in_ready) waiting <= 1;
    if (out_valid) begin
      waiting <= 0;
      decrypt <= ~decrypt;
      good <= right & ~bad & (good | decrypt);
      bad <= bad | ~right;
    end
  end

  twofish_quarter_h core (
    .clk(clk), .rst(rst), .zeroise(1'b0),
    .key_valid(key_valid), .key_ready(key_ready), .key_data(KEY[32*word[1:0]+:32]),
    .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(decrypt), .in_data(decrypt ? CIPHER : PLAIN),
    .out_valid(out_valid), .out_ready(1'b1), .out_data(result)
  );
endmodule

`default_nettype wire
