// SPDX-License-Identifier: Apache-2.0 OR MIT
// How a core is used: loads a key, encrypts a block, decrypts it again. From the top of the repository:
//
//   iverilog -g2005 -y hardware/rtl -y hardware/rtl/tables -y hardware/rtl/chip -o example hardware/example.v
//   ./example
//
// With +vcd=FILE it writes the signals of the core there. Key and texts are the third of the
// published known answers (vectors/twofish_ecb_tbl.rsp).
`timescale 1ns / 1ns
`default_nettype none

module example;
  reg clk = 0, rst = 1, zeroise = 0;
  reg key_valid = 0, in_valid = 0, in_decrypt = 0, out_ready = 0;
  reg [31:0] key_data = 0;
  reg [127:0] in_data = 0;
  wire key_ready, in_ready, out_valid;
  wire [127:0] out_data;

  twofish_two_h #(.KEY_BITS(128), .STORE("LATCHES")) twofish (
    .clk(clk), .rst(rst), .zeroise(zeroise),
    .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
    .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
    .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
  );

  always #5 clk = !clk;

  // Byte 0 has the lowest bits in the ports, and stands first in what people and papers write.
  function [127:0] bytes(input [127:0] written);
    integer i;
    for (i = 0; i < 16; i = i + 1) bytes[8*i+:8] = written[8*(15-i)+:8];
  endfunction

  // Four words, M_0 first. A word is taken at each rising edge at which key_ready is high too.
  task load_key(input [127:0] key);
    integer i;
    begin
      for (i = 0; i < 4; i = i + 1) begin
        key_valid <= 1;
        key_data <= key[32*i+:32];
        @(posedge clk);
        while (!key_ready) @(posedge clk);
      end
      key_valid <= 0;
    end
  endtask

  // Offers a block until the core takes it, which may be after the key is set up.
  task start(input decrypt, input [127:0] text);
    begin
      in_valid <= 1;
      in_decrypt <= decrypt;
      in_data <= text;
      @(posedge clk);
      while (!in_ready) @(posedge clk);
      in_valid <= 0;
    end
  endtask

  // Waits for the result. It stays until out_ready has been high at a rising edge.
  task finish(output [127:0] text);
    begin
      @(posedge clk);
      while (!out_valid) @(posedge clk);
      out_ready <= 1;
      @(posedge clk);
      text = out_data;
      out_ready <= 0;
    end
  endtask

  reg [127:0] text;
  reg [8*200-1:0] name;

  initial begin
    if ($value$plusargs("vcd=%s", name)) begin
      $dumpfile(name);
      $dumpvars(1, twofish);
    end
    repeat (2) @(posedge clk);
    rst <= 0;
    load_key(bytes(128'h9f589f5cf6122c32b6bfec2f2ae8c35a));
    start(0, bytes(128'hd491db16e7b1c39e86cb086b789f5419));
    finish(text);
    $display("encrypted: %h", bytes(text));
    start(1, text);
    finish(text);
    $display("decrypted: %h", bytes(text));
    $finish;
  end
endmodule

`default_nettype wire
