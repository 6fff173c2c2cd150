// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A core behind AXI4-Stream: twofish_axis has the ports iv_*, s_axis_* and m_axis_*, the core those of
// the key, where a transfer is one word, M_0 first.
`default_nettype none

module twofish_axis_core #(
  parameter integer ROW = 4,      // the core: see twofish_row
  parameter integer STREAMS = 1,  // TIDs
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter STORE = "LATCHES"     // of the cores with stored subkeys
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         zeroise,

  input  wire         key_valid,
  output wire         key_ready,
  input  wire [ 31:0] key_data,

  input  wire         iv_valid,
  output wire         iv_ready,
  input  wire [  7:0] iv_id,
  input  wire [  1:0] iv_mode,
  input  wire         iv_decrypt,
  input  wire [127:0] iv_data,
  output wire         iv_error,

  input  wire         s_axis_tvalid,
  output wire         s_axis_tready,
  input  wire [127:0] s_axis_tdata,
  input  wire [ 15:0] s_axis_tkeep,
  input  wire         s_axis_tlast,
  input  wire [  7:0] s_axis_tid,

  output wire         m_axis_tvalid,
  input  wire         m_axis_tready,
  output wire [127:0] m_axis_tdata,
  output wire [ 15:0] m_axis_tkeep,
  output wire         m_axis_tlast,
  output wire [  7:0] m_axis_tid,
  output wire         m_axis_tuser
);
  localparam integer LEVELS = ROW >= 5 && ROW <= 7 ? ROW - 3 : 1;

  wire in_valid, in_ready, in_decrypt, out_valid, out_ready;
  wire [127:0] in_data, out_data;

  twofish_axis #(
    .STREAMS(STREAMS), .DEPTH(LEVELS + 1), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)
  ) axis (
    .clk(clk), .rst(rst), .zeroise(zeroise),
    .iv_valid(iv_valid), .iv_ready(iv_ready), .iv_id(iv_id), .iv_mode(iv_mode), .iv_decrypt(iv_decrypt),
    .iv_data(iv_data), .iv_error(iv_error),
    .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep), .s_axis_tlast(s_axis_tlast), .s_axis_tid(s_axis_tid),
    .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep), .m_axis_tlast(m_axis_tlast), .m_axis_tid(m_axis_tid),
    .m_axis_tuser(m_axis_tuser),
    .core_in_valid(in_valid), .core_in_ready(in_ready), .core_in_decrypt(in_decrypt), .core_in_data(in_data),
    .core_out_valid(out_valid), .core_out_ready(out_ready), .core_out_data(out_data)
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
