// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What one share of twofish_quarter_h_masked keeps, and all that is done to it alone since it is linear:
// selection, the linear steps of q [Twofish98, 4.3.5], MDS and RS a byte at a time, rotations. There are
// two of these, and no wire joins them. The control signals are explained in twofish_quarter_h_masked.
`default_nettype none

module masked_share #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1
) (
  input  wire         clk,

  // The byte that enters the S-box, as the nibbles that t0 (or t2) and t1 (or t3) take, and what they make.
  input  wire         first,    // it is one of X
  input  wire         whole,    // it comes from a whole q, and a byte of L is added
  input  wire [  1:0] column,
  input  wire [  7:0] constant, // X of a subkey, in one share
  input  wire         from_r,   // X is R0, or
  input  wire         from_r1,  // R1 <<< 8
  output reg  [  3:0] a,
  output reg  [  3:0] b,
  input  wire [  3:0] t_a,
  input  wire [  3:0] t_b,

  // M and S
  input  wire         key_take,
  input  wire [ 31:0] key_data,
  input  wire         m_turn,
  input  wire         m_far,    // L is the word after the next (256 bits)
  input  wire         reverse,  // bytes from the highest one on
  input  wire         s_feed,
  input  wire         s_turn,
  input  wire         keep,     // words that leave a ring come back

  // The result of h, and the sums F0 and F1
  input  wire         h_take,
  input  wire         h_turned, // h <<< 8
  input  wire         k_shift,
  input  wire         k_again,  // what is shifted out comes in
  input  wire         k_sum,    // the sums come in
  input  wire         k_split,  // only the low byte of F1 is shifted
  input  wire         k_zero,   // the sums begin at 0
  input  wire         k_turned, // F1 <<< 1
  input  wire         h_double, // 2 h is added to F1
  output wire [  1:0] f0,
  output wire [  1:0] f1,
  output wire [  1:0] h0,
  output wire [  1:0] h1,
  input  wire [  1:0] sum0,
  input  wire [  1:0] sum1,

  // The block
  input  wire         in_take,
  input  wire [127:0] in_data,
  input  wire         r_shift,
  input  wire         r_keep,
  input  wire         r_turn,   // a round, not whitening
  input  wire         r_last,   // the last two bits
  input  wire         decrypt,
  output wire [127:0] out_data
);
  localparam integer K = KEY_BITS / 64;
  localparam integer WORDS = 2 * K;

  wire backward = DECRYPT != 0 & (ENCRYPT == 0 | decrypt);

  function [7:0] byte_of(input [31:0] word, input [1:0] i);
    byte_of = word[8*i+:8];
  endfunction

  // --- M and S: rings of words, of which the lowest is in use
  reg [32*WORDS-1:0] m;
  reg [32*K-1:0] s;
  wire [31:0] m_in = {32{key_take}} & key_data | {32{keep}} & m[31:0];
  wire [31:0] m_word = K == 4 && m_far ? m[95:64] : m[31:0];
  wire [7:0] m_byte = byte_of(m_word, column ^ {2{reverse}});
  wire [31:0] s_fed;
  twofish_rs_byte rs (.s(s[32*K-1-:32]), .m(m_byte), .next(s_fed));
  always @(posedge clk) begin
    if (key_take | m_turn) m <= {m_in, m[32*WORDS-1:32]};
    if (s_turn) s <= {s[31:0] & {32{keep}}, s[32*K-1:32]};
    else if (s_feed) s[32*K-1-:32] <= s_fed;
  end

  // --- The byte for the S-box
  reg [31:0] r0, r1, r2, r3;
  wire [7:0] x = ~from_r ? constant : from_r1 ? byte_of(r1, column - 2'd1) : byte_of(r0, column);
  wire [7:0] l = from_r ? byte_of(s[31:0], column) : m_byte;
  wire [7:0] q = {t_b, t_a};
  wire [7:0] next = first ? x : whole ? q ^ l : {t_a, t_b};
  wire [3:0] left = next[7:4];
  wire [3:0] right = next[3:0];
  always @(posedge clk) begin
    a <= left ^ right;
    b <= left ^ {right[0], right[3:1]} ^ {left[0], 3'd0};
  end

  // --- h: MDS takes one column after the other; then it is shifted out [Twofish98, 4.2, 7.3]
  function [7:0] over_x(input [7:0] y);
    over_x = {y[0], y[7], y[6] ^ y[0], y[5] ^ y[0], y[4], y[3] ^ y[0], y[2], y[1]};
  endfunction
  wire [7:0] half = over_x(q);
  wire [7:0] quarter = over_x(half);
  reg [31:0] h;
  wire [31:0] mds;
  // The rows where the column has EF = 1 + 1/x + 1/x^2, and where it has 1; the others have 5B = 1 + 1/x^2.
  wire [3:0] ef = {~column[0], column == 2'd0 | column == 2'd3, column == 2'd1 | column == 2'd2,
    column == 2'd1};
  wire [3:0] one = {column == 2'd1, column == 2'd2, column == 2'd3, column == 2'd0};
  wire [3:0] has_ef = h_turned ? {ef[2:0], ef[3]} : ef;
  wire [3:0] has_1 = h_turned ? {one[2:0], one[3]} : one;
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_row
      assign mds[8*i+:8] = q ^ quarter & {8{~has_1[i]}} ^ half & {8{has_ef[i]}};
    end
  endgenerate
  reg h_before;  // the bit that was shifted out last
  always @(posedge clk) begin
    h <= h_take ? mds ^ h & {32{column != 2'd0}} : {2'd0, h[31:2]};
    h_before <= ~first & h[1];
  end
  assign h0 = h[1:0];
  assign h1 = h_double ? {h[0], h_before} : h[1:0];

  // --- F0 and F1
  reg [31:0] k0, k1;
  reg k1_before;
  wire [1:0] k0_in = {2{k_again}} & k0[1:0] | {2{k_sum}} & sum0;
  wire [1:0] k1_in = {2{k_again}} & k1[1:0] | {2{k_sum}} & sum1;
  always @(posedge clk) begin
    if (k_shift) begin
      k0 <= {k0_in, k0[31:2]};
      k1[7:0] <= {k_split ? sum1 : k1[9:8], k1[7:2]};
    end
    if (k_shift & ~k_split) k1[31:8] <= {k1_in, k1[31:10]};
    k1_before <= first ? k1[31] : k1[1];
  end
  assign f0 = k0[1:0] & {2{~k_zero}};
  assign f1 = (k_turned ? {k1[0], k1_before} : k1[1:0]) & {2{~k_zero}};

  // --- The block: F0 and F1, or subkeys, go to R2 and R3, which change places with R0 and R1.
  // (x >>> 1) begins with bit 1 and ends with bit 0, (x <<< 1) begins with bit 31.
  reg r2_kept, r3_kept;
  wire [1:0] r2_right = {r_last ? r2_kept : r2[2], r2[1]};
  wire [1:0] r3_right = {r_last ? r3_kept : r3[2], r3[1]};
  wire [1:0] r2_left = {r2[0], r2_kept};
  wire [1:0] r3_left = {r3[0], r3_kept};
  wire [1:0] round0 = backward ? r2_left ^ k0[1:0] : r2_right ^ k0[2:1];
  wire [1:0] round1 = backward ? r3_right ^ k1[2:1] : r3_left ^ k1[1:0];
  wire [1:0] new0 = r_turn ? round0 : r2[1:0] ^ k0[1:0];
  wire [1:0] new1 = r_turn ? round1 : r3[1:0] ^ {k1[0], k1_before};
  always @(posedge clk) begin
    if (in_take) begin
      {r3, r2, r1, r0} <= in_data;
    end else if (r_shift) begin
      r0 <= {new0 & {2{r_keep}}, r0[31:2]};
      r1 <= {new1 & {2{r_keep}}, r1[31:2]};
      r2 <= {r0[1:0] & {2{r_keep}}, r2[31:2]};
      r3 <= {r1[1:0] & {2{r_keep}}, r3[31:2]};
    end
    r2_kept <= first ? (backward ? r2[31] : r2[0]) : backward ? r2[1] : r2_kept;
    r3_kept <= first ? (backward ? r3[0] : r3[31]) : backward ? r3_kept : r3[1];
  end
  assign out_data = {r1, r0, r3, r2};
endmodule

`default_nettype wire
