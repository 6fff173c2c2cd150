// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// For simulation only: random bits of four xorshift generators of 64 bits, which are no source of secrets.
`default_nettype none

module bench_random (
  input  wire         clk,
  input  wire         rst,
  output reg  [255:0] random
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
endmodule

`default_nettype wire
