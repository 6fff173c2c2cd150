// SPDX-License-Identifier: Apache-2.0 OR MIT
// The S-boxes of h [Twofish98, 4.3.2], a byte a clock in three stages, with registers before and after
// each: a clock of phase p brings byte 3 - p of a word to x; after four edges y is its S-box.
//
// g       x goes through g
// m, s    of each word of L, for subkeys and for g: the bytes that belong to the x of the last three
//         clocks, the latest lowest; the words as in the l of twofish_h
`default_nettype none

module twofish_quarter_sbox #(
  parameter integer KEY_BITS = 128
) (
  input  wire                      clk,
  input  wire [               1:0] phase,
  input  wire                      g,
  input  wire [               7:0] x,
  input  wire [24*KEY_BITS/64-1:0] m,
  input  wire [24*KEY_BITS/64-1:0] s,
  output wire [               7:0] y
);
  localparam integer K = KEY_BITS / 64;
  // Which q stands at level i, the outermost being 0: bit 4i + j for byte j.
  localparam [19:0] WHICH = {4'b1001, 4'b0011, 4'b1010, 4'b1100, 4'b0101};
  // Levels K .. FIRST are in stage 1, FIRST - 1 .. 1 in stage 2, 0 in stage 3.
  localparam integer FIRST = (K == 4) ? 3 : 2;

  reg [7:0] x_1;
  reg [2:0] g_past;

  always @(posedge clk) begin
    x_1 <= x;
    g_past <= {g_past[1:0], g};
  end

  wire unused = &{1'b0, m, s};  // of the three bytes of a word its stage takes one

  genvar i;
  generate
    for (i = K; i >= 0; i = i - 1) begin : g_level
      localparam integer STAGE = (i == 0) ? 3 : (i < FIRST) ? 2 : 1;
      localparam integer LATER = STAGE - 1;  // the byte came to x STAGE clocks ago

      wire [1:0] column = LATER[1:0] - phase;
      wire [3:0] which = WHICH[4*i+:4];
      wire [7:0] in, q, out;

      if (i == K) begin : g_x
        assign in = x_1;
      end else begin : g_key
        assign in = g_level[i+1].out ^ (g_past[LATER] ? s[24*i+8*LATER+:8] : m[24*i+8*LATER+:8]);
      end

      twofish_q_either q_level (.which(which[column]), .x(in), .y(q));

      if (i <= 1 || i == FIRST) begin : g_kept
        reg [7:0] kept;
        always @(posedge clk) kept <= q;
        assign out = kept;
      end else begin : g_through
        assign out = q;
      end
    end
  endgenerate

  assign y = g_level[0].out;
endmodule

`default_nettype wire
