// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Twofish with one S-box and subkeys on the fly, as the first row of [TR3, Table 4], in two shares: a
// first-order masking that also holds in the presence of glitches.
//
// All that depends on key or block is the XOR of two shares, each in registers and gates of its own
// (masked_share). They meet in the AND gates of masked_t and masked_add only, where each product of
// one share with the other goes under a fresh random bit into a register before it is added to anything
// (domain-oriented masking, [GMK16]). Nothing that is secret steers the control.
//
// Ports     As those of all cores; in key_data, in_data and out_data the low half is share 0 and the
//           high half share 1. Who sends a key or a block splits it with random bits of his own.
//           random: 32 bits, fresh in each clock from reset on, uniform, and known to nobody.
// Blocks    1773 clocks a block with 128 bits of key, 2357 with 192, 2941 with 256; as long is the
//           latency. in_ready depends on out_ready and key_valid.
// Key       start-up 49, 97, 161. key_ready is low while a block is in work; while a result waits, the next
//           key is taken.
// zeroise   and rst: 25, 33, 41 clocks later key_ready goes up, and M, S, F0, F1, R and h are zero; the
//           registers of the S-box and of the adders hold constants and random bits.
//
// An h takes 4 clocks for each half of a q: at layer 0, 1, .. the bytes 0 to 3 of X enter masked_t one after
// the other, and have passed its three steps when the next layer begins. In the first clocks of the next h,
// its result is taken through MDS, and then added to F0 and once or twice to F1, two bits a clock, while it
// is shifted out: h(2i), h(2i + 1), after which F0 and F1 are K_2i and K_(2i+1) but for a rotation, then
// g(R0) and g(R1 <<< 8). While the first h of the next round comes in the place of F0 and F1, these go to R2
// and R3, which change places with R0 and R1. F1 <<< 9 is a byte put in at another place, and a bit that is
// read one clock later; so are the rotations of R2 and R3.
//
//   h in work    K_2i        K_(2i+1)     g(R0)       g(R1 <<< 8)   next K_2i      next K_(2i+1)
//   F0, F1                   = h          += h, 2 h   += h          += h, 2 h      = h
//   R2, R3                                                                         ^= F0, F1 of before
//
// Whitening is the same without g, twice before and twice after the rounds: 4 x 2 + 16 x 4 times h, then one
// and most of another until the last sums have arrived.
`default_nettype none

module twofish_quarter_h_masked #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         zeroise,
  input  wire [ 31:0] random,
  input  wire         key_valid,
  output wire         key_ready,
  input  wire [ 63:0] key_data,
  input  wire         in_valid,
  output wire         in_ready,
  input  wire         in_decrypt,
  input  wire [255:0] in_data,
  output reg          out_valid,
  input  wire         out_ready,
  output wire [255:0] out_data
);
  twofish_check #(.KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)) check ();

  localparam integer K = KEY_BITS / 64;
  localparam [3:0] LAST_LAYER = 4'd1 + KEY_BITS[8:5];
  localparam [3:0] WORDS = KEY_BITS[8:5];
  // Words of M between the one in use now and two before it; M_(2i+2) is read ahead with 256 bits.
  localparam [3:0] BACK = K == 4 ? 4'd4 : WORDS - 4'd2;
  // Which q stands at level i, the outermost being 0: bit 4i + j for byte j [Twofish98, 4.3.2].
  localparam [19:0] WHICH = {4'b1001, 4'b0011, 4'b1010, 4'b1100, 4'b0101};
  localparam [1:0] EVEN = 2'd0, ODD = 2'd1, G0 = 2'd2, G1 = 2'd3;

  // --- control ---------------------------------------------------------------------------------

  reg clearing, setup, run;  // what is going on, if anything
  reg keyed;                 // there is a key
  reg decrypt;
  reg [3:0] words;           // of the key that have been taken
  reg [4:0] round;           // 0, 1 and 18, 19 whiten, 20 ends the block; in setup i of S_i
  reg [1:0] kind;            // which h: for K_2i, K_2i+1, g(R0), g(R1 <<< 8)
  reg [3:0] layer;           // half a q each
  reg [1:0] column;          // of h
  reg [3:0] turns;           // of M that are to be made

  wire busy = clearing | setup | run;
  wire wipe = rst | zeroise;
  assign key_ready = ~busy;
  assign in_ready = keyed & ~run & (~out_valid | out_ready) & ~key_valid;
  wire key_take = key_valid & key_ready & ~wipe;
  wire in_take = in_valid & in_ready;

  wire last_column = column == 2'd3;
  wire end_of_h = layer == LAST_LAYER & last_column;
  wire main = round >= 5'd2 & round <= 5'd17;
  wire after_main = round >= 5'd3 & round <= 5'd18;
  wire tail = round[4] & round[2];
  wire last_of_setup = {27'd0, round} == K - 1;
  wire end_of_block = run & tail & kind == ODD & layer == 4'd4 & last_column;

  always @(posedge clk) begin
    if (in_take) decrypt <= in_decrypt;
    if (wipe) begin
      {clearing, setup, run, keyed, out_valid} <= 5'b10000;
      {words, round, kind, layer, column} <= {4'd0, 5'd0, ODD, 4'd0, 2'd0};
    end else begin
      if (out_ready) out_valid <= 1'b0;
      if (busy) {layer, column} <= end_of_h ? 6'd0 : {layer, column} + 6'd1;
      if (clearing & end_of_h) {clearing, kind} <= {1'b0, EVEN};
      if (setup & end_of_h) begin
        if (last_of_setup) {setup, keyed, round} <= {1'b0, 1'b1, 5'd0};
        else round <= round + 5'd1;
      end
      if (run & end_of_h) begin
        if (kind == ODD & ~main | kind == G1) {kind, round} <= {EVEN, round + 5'd1};
        else kind <= kind + 2'd1;
      end
      if (end_of_block) begin
        {run, out_valid} <= 2'b01;
        {round, kind, layer, column} <= {5'd0, EVEN, 4'd0, 2'd0};
      end
      if (key_take) begin
        keyed <= 1'b0;
        setup <= words == WORDS - 4'd1;
        words <= words == WORDS - 4'd1 ? 4'd0 : words + 4'd1;
      end
      if (in_take) run <= 1'b1;
    end
  end

  // M turns after each of its words that h has read, to the word two before; M_0 is followed by M_(2k-1),
  // M_1 by M_(2k-2).
  wire near = K == 4 ? layer[1:0] == 2'd0 : ~layer[0];
  wire read_m = run & ~kind[1] & ~tail & near & layer != 4'd0;
  always @(posedge clk) begin
    if (wipe) turns <= 4'd0;
    else if (key_take) turns <= 4'd1;
    else if (setup & last_column & layer == 4'd1) turns <= WORDS - 4'd1;
    else if (setup & last_column & layer == 4'd4)
      turns <= ~last_of_setup ? 4'd3 : K == 4 ? WORDS - 4'd2 : 4'd0;
    else if (read_m & last_column)
      turns <= layer != LAST_LAYER - 4'd1 ? BACK : kind[0] ? BACK - 4'd1 : BACK + 4'd1;
    else if (turns != 4'd0 & busy) turns <= turns - 4'd1;
  end
  wire m_turn = clearing | busy & turns != 4'd0;

  wire s_feed = setup & (layer == 4'd1 | layer == 4'd4);
  wire s_turn = key_take | clearing | setup & layer == 4'd5 & column == 2'd0 & ~last_of_setup
    | run & kind[1] & ~layer[0] & layer != 4'd0 & last_column;

  wire [4:0] forward = round[4:1] == 4'd0 ? {4'd0, ~round[0]} : main ? round + 5'd2 : {4'd1, round[0]};
  wire [4:0] backward = round[4:1] == 4'd0 ? {4'd1, ~round[0]} : main ? 5'd21 - round : {4'd0, round[0]};
  wire back = DECRYPT != 0 & (ENCRYPT == 0 | decrypt);
  wire [7:0] constant = {2'd0, back ? backward : forward, kind[0]};

  wire keep = ~clearing & ~key_take;

  // Sums take four clocks: the first of them come in when as many pairs of bits have been shifted out.
  wire first = layer == 4'd0;
  wire shift = busy & ~first & layer <= 4'd5;
  wire k_again = layer == 4'd1 & ~clearing;
  wire k_sum = layer != 4'd1 & ~clearing;
  wire h_take = first & ~clearing;
  wire after_odd = kind == G0 | kind == EVEN & ~after_main;  // the h before was that of K_(2i+1)
  wire k_split = after_odd & layer == 4'd5;
  wire r_shift = shift & layer <= 4'd4 & (clearing | run & kind == ODD & round != 5'd0);

  // The byte at the third step of the S-box came in three clocks ago.
  wire [1:0] t_column = column + 2'd1;
  wire [3:0] t_layer = last_column ? layer : first ? LAST_LAYER : layer - 4'd1;
  wire [2:0] t_level = K[2:0] - t_layer[3:1];
  wire which = WHICH[{t_level, t_column}];

  // --- shares ----------------------------------------------------------------------------------

  wire [3:0] a0, a1, b0, b1, t_a0, t_a1, t_b0, t_b1;
  wire [1:0] f0_0, f0_1, f1_0, f1_1, h0_0, h0_1, h1_0, h1_1, sum0_0, sum0_1, sum1_0, sum1_1;

  masked_t #(.B(0)) t_a (
    .clk(clk), .which(which), .later(t_layer[0]), .random(random[9:0]),
    .x0(a0), .x1(a1), .t0(t_a0), .t1(t_a1)
  );
  masked_t #(.B(1)) t_b (
    .clk(clk), .which(which), .later(t_layer[0]), .random(random[19:10]),
    .x0(b0), .x1(b1), .t0(t_b0), .t1(t_b1)
  );

  wire clear = layer == 4'd1 & column == 2'd2;
  masked_add add0 (
    .clk(clk), .clear(clear), .random(random[25:20]),
    .a0(f0_0), .a1(f0_1), .b0(h0_0), .b1(h0_1), .sum0(sum0_0), .sum1(sum0_1)
  );
  masked_add add1 (
    .clk(clk), .clear(clear), .random(random[31:26]),
    .a0(f1_0), .a1(f1_1), .b0(h1_0), .b1(h1_1), .sum0(sum1_0), .sum1(sum1_1)
  );

  masked_share #(.KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)) share0 (
    .clk(clk),
    .first(first), .whole(~layer[0]), .column(column), .constant(constant), .from_r(kind[1]),
    .from_r1(kind[0]), .a(a0), .b(b0), .t_a(t_a0), .t_b(t_b0),
    .key_take(key_take), .key_data(key_data[31:0]), .m_turn(m_turn), .m_far(layer[1]),
    .reverse(setup), .s_feed(s_feed), .s_turn(s_turn), .keep(keep),
    .h_take(h_take), .h_turned(after_odd), .h_double(~kind[0]), .k_shift(shift), .k_again(k_again),
    .k_sum(k_sum), .k_split(k_split), .k_zero(kind == ODD), .k_turned(kind == G1),
    .f0(f0_0), .f1(f1_0), .h0(h0_0), .h1(h1_0), .sum0(sum0_0), .sum1(sum1_0),
    .in_take(in_take), .in_data(in_data[127:0]), .r_shift(r_shift), .r_keep(~clearing),
    .r_turn(after_main), .r_last(last_column & layer == 4'd4), .decrypt(decrypt),
    .out_data(out_data[127:0])
  );

  masked_share #(.KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)) share1 (
    .clk(clk),
    .first(first), .whole(~layer[0]), .column(column), .constant(8'd0), .from_r(kind[1]),
    .from_r1(kind[0]), .a(a1), .b(b1), .t_a(t_a1), .t_b(t_b1),
    .key_take(key_take), .key_data(key_data[63:32]), .m_turn(m_turn), .m_far(layer[1]),
    .reverse(setup), .s_feed(s_feed), .s_turn(s_turn), .keep(keep),
    .h_take(h_take), .h_turned(after_odd), .h_double(~kind[0]), .k_shift(shift), .k_again(k_again),
    .k_sum(k_sum), .k_split(k_split), .k_zero(kind == ODD), .k_turned(kind == G1),
    .f0(f0_1), .f1(f1_1), .h0(h0_1), .h1(h1_1), .sum0(sum0_1), .sum1(sum1_1),
    .in_take(in_take), .in_data(in_data[255:128]), .r_shift(r_shift), .r_keep(~clearing),
    .r_turn(after_main), .r_last(last_column & layer == 4'd4), .decrypt(decrypt),
    .out_data(out_data[255:128])
  );
endmodule

`default_nettype wire
