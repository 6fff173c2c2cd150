// SPDX-License-Identifier: Apache-2.0 OR MIT
// The 16 pairs of subkeys of the rounds in latches or flip-flops; see twofish_store.v for the ports.
`default_nettype none

module twofish_store_words #(
  parameter [55:0] STORE = "LATCHES"
) (
  input  wire        clk,
  input  wire [15:0] write,
  input  wire [63:0] write_data,
  input  wire        next_read,
  input  wire [ 3:0] next_round,
  output reg  [63:0] pair
);
  wire [1023:0] words;

  reg read;
  reg [3:0] round;
  always @(posedge clk) begin
    read <= next_read;
    round <= next_round;
  end

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_pair
      twofish_copy #(.WIDTH(64), .STORE(STORE)) copy (
        .clk(clk), .take(write[i]), .d(write_data), .q(words[64*i+:64])
      );
    end
  endgenerate

  // AND and OR take fewer gates than a tree of multiplexers.
  integer n;
  always @* begin
    pair = 64'd0;
    for (n = 0; n < 16; n = n + 1) pair = pair | (words[64*n+:64] & {64{read & (round == n[3:0])}});
  end
endmodule

`default_nettype wire
