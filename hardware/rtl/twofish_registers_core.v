// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A core behind the registers of twofish_registers, which has their ports. A bus goes around both.
`default_nettype none

module twofish_registers_core #(
  parameter integer ROW = 4,   // the core: see twofish_row
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter STORE = "LATCHES"  // of the cores with stored subkeys
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        write,
  output wire        write_ready,
  input  wire [ 4:0] write_word,
  input  wire        write_whole,
  input  wire [31:0] write_data,
  output wire        write_error,
  input  wire        read,
  input  wire [ 4:0] read_word,
  output wire [31:0] read_data,
  output wire        read_error,
  output wire        irq
);
  wire zeroise, key_valid, key_ready, in_valid, in_ready, in_decrypt, out_valid, out_ready;
  wire [31:0] key_data;
  wire [127:0] in_data, out_data;

  twofish_registers #(.KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)) registers (
    .clk(clk), .rst(rst),
    .write(write), .write_ready(write_ready), .write_word(write_word), .write_whole(write_whole),
    .write_data(write_data), .write_error(write_error),
    .read(read), .read_word(read_word), .read_data(read_data), .read_error(read_error),
    .irq(irq), .zeroise(zeroise),
    .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
    .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
    .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
  );

  twofish_row #(
    .ROW(ROW), .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
  ) row (
    .clk(clk), .rst(rst), .zeroise(zeroise),
    .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
    .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
    .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
  );
endmodule

`default_nettype wire
