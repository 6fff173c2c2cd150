// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The core of a row of [TR3, Table 4], for wrappers around any of them.
`default_nettype none

module twofish_row #(
  parameter integer ROW = 4,   // the cores stand below
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter STORE = "LATCHES"  // of the cores with stored subkeys
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
  generate
    if (ROW == 1) begin : g_core
      twofish_quarter_h #(
        .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)
      ) core (
        .clk(clk), .rst(rst), .zeroise(zeroise),
        .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
        .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
      );
    end else if (ROW == 2) begin : g_core
      twofish_one_h #(
        .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)
      ) core (
        .clk(clk), .rst(rst), .zeroise(zeroise),
        .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
        .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
      );
    end else if (ROW == 3) begin : g_core
      twofish_one_h_stored #(
        .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
      ) core (
        .clk(clk), .rst(rst), .zeroise(zeroise),
        .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
        .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
      );
    end else if (ROW == 4) begin : g_core
      twofish_two_h #(
        .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
      ) core (
        .clk(clk), .rst(rst), .zeroise(zeroise),
        .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
        .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
      );
    end else if (ROW == 5) begin : g_core
      twofish_two_h_pipe2 #(
        .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
      ) core (
        .clk(clk), .rst(rst), .zeroise(zeroise),
        .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
        .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
      );
    end else if (ROW == 6) begin : g_core
      twofish_two_h_pipe3 #(
        .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
      ) core (
        .clk(clk), .rst(rst), .zeroise(zeroise),
        .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
        .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
      );
    end else if (ROW == 7) begin : g_core
      twofish_two_h_pipe4 #(
        .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
      ) core (
        .clk(clk), .rst(rst), .zeroise(zeroise),
        .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
        .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
      );
    end else if (ROW == 8) begin : g_core
      twofish_sbox_ram #(
        .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
      ) core (
        .clk(clk), .rst(rst), .zeroise(zeroise),
        .key_valid(key_valid), .key_ready(key_ready), .key_data(key_data),
        .in_valid(in_valid), .in_ready(in_ready), .in_decrypt(in_decrypt), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
      );
    end else begin : g_none
      ROW_must_be_1_to_8 error ();
    end
  endgenerate
endmodule

`default_nettype wire
