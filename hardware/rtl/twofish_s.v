// SPDX-License-Identifier: Apache-2.0 OR MIT
// Makes S of the key [Twofish98, 4.3] by RS, BYTES bytes a clock, and keeps it: s = {S_0, .., S_(k-1)},
// which is the l of twofish_h for g. S_0 stays in the register of RS.
//
// setup   with step = 0, 1, .. up to KEY_BITS / (8 * BYTES) - 1; further steps do nothing
// clear   with setup: makes s zero, within two clocks of it
// CUT     1: a register before RS, so all is a clock later
`default_nettype none

module twofish_s #(
  parameter integer KEY_BITS = 128,
  parameter integer BYTES = 1,
  parameter integer CUT = 0,
  parameter [55:0] STORE = "LATCHES"
) (
  input  wire                  clk,
  input  wire                  setup,
  input  wire [           4:0] step,
  input  wire                  clear,
  input  wire [  KEY_BITS-1:0] m,
  output wire [KEY_BITS/2-1:0] s
);
  localparam integer K = KEY_BITS / 64;
  localparam integer WORD_STEPS = 8 / BYTES;  // a word of S takes so many
  localparam integer STEPS = K * WORD_STEPS;

  wire [31:0] n = {27'd0, step};
  wire [256*BYTES-1:0] m_above = {m, {(256 * BYTES - KEY_BITS) {1'b0}}};
  wire [8*BYTES-1:0] bytes;
  wire [31:0] rs[0:BYTES];
  wire first, move, zero;
  wire [K-1:0] take, take_now;  // a word is made
  reg [31:0] s_0;

  assign take[0] = 1'b0;
  twofish_cut #(.WIDTH(8 * BYTES + K + 3), .CUTS(CUT)) cut (
    .clk(clk), .enable(1'b1),
    .d({m_above[8*BYTES*{~step}+:8*BYTES], n % WORD_STEPS == 0, setup & (clear | (n < STEPS)), clear, take}),
    .q({bytes, first, move, zero, take_now})
  );
  wire unused = take_now[0];

  assign rs[0] = s_0 & {32{~first}};
  assign s[KEY_BITS/2-1-:32] = s_0;

  always @(posedge clk) if (move) s_0 <= rs[BYTES] & {32{~zero}};

  genvar i;
  generate
    for (i = 0; i < BYTES; i = i + 1) begin : g_rs
      twofish_rs_byte rs_byte (.s(rs[i]), .m(bytes[8*(BYTES-1-i)+:8]), .next(rs[i+1]));
    end
    // S_(k-1) comes first.
    for (i = 1; i < K; i = i + 1) begin : g_s
      assign take[i] = setup & (clear | (n + 1 == WORD_STEPS * i));
      twofish_copy #(.STORE(STORE)) copy (
        .clk(clk), .take(take_now[i]), .d(s_0), .q(s[32*(i-1)+:32])
      );
    end
  endgenerate
endmodule

`default_nettype wire
