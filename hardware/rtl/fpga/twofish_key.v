// SPDX-License-Identifier: Apache-2.0 OR MIT
// Takes the words of a key and keeps them, in flip-flops whatever STORE says: m = {.., M_1, M_0}.
// ../chip/twofish_key.v explains the ports.
`default_nettype none

module twofish_key #(
  parameter integer KEY_BITS = 128,
  parameter [55:0] STORE = "LATCHES"
) (
  input  wire                clk,
  input  wire                valid,
  input  wire [        31:0] data,
  input  wire                clear,
  input  wire                done,
  output wire                next_full,
  output wire                full,
  output reg  [KEY_BITS-1:0] m
);
  localparam integer WORDS = KEY_BITS / 32;
  localparam [3:0] FULL = WORDS[3:0];
  localparam [3:0] LAST = FULL - 4'd1;

  reg [3:0] count;  // of words taken, WORDS if full

  wire take = valid & ~full;

  assign full = count == FULL;
  assign next_full = clear | (full & ~done) | (take & (count == LAST));

  always @(posedge clk) begin
    if (clear) count <= FULL;
    else if (take) count <= count + 4'd1;
    else if (done) count <= 4'd0;

    if (take | clear) m <= {data & {32{~clear}}, m[KEY_BITS-1:32]};
  end

  wire unused = &{1'b0, STORE};
endmodule

`default_nettype wire
