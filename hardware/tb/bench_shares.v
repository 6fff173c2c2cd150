// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// For simulation only: splits a key and a block into shares, and puts those of a result together. The random bits are
// of four xorshift generators of 64 bits, which are no source of secrets.
`default_nettype none

module bench_shares (
  input  wire         clk,
  input  wire         rst,
  output reg  [255:0] random,
  input  wire [ 31:0] key_data,
  output wire [ 63:0] key_shares,
  input  wire [127:0] in_data,
  output wire [255:0] in_shares,
  input  wire [255:0] out_shares,
  output wire [127:0] out_data
);
  function [63:0] xorshift(input [63:0] x);
    reg [63:0] y;
    begin
      y = x ^ x << 13;
      y = y ^ y >> 7;
      xorshift = y ^ y << 17;
    end
  endfunction

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_generator
      always @(posedge clk) begin
        if (rst) random[64*i+:64] <= 64'h9E3779B97F4A7C15 << i;
        else random[64*i+:64] <= xorshift(random[64*i+:64]);
      end
    end
  endgenerate

  wire [31:0] key_mask = random[63:32];
  wire [127:0] in_mask = random[255:128];
  assign key_shares = {key_mask, key_data ^ key_mask};
  assign in_shares = {in_mask, in_data ^ in_mask};
  assign out_data = out_shares[127:0] ^ out_shares[255:128];
endmodule

`default_nettype wire
