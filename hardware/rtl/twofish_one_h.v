// SPDX-License-Identifier: Apache-2.0 OR MIT
// Twofish with one h, subkeys made on the fly [TR3, Table 4: 14,000 gates, 72 clocks, 40 MHz].
//
// Blocks    72 clocks a block: 4 + 16 x 4 + 4 uses of h, one each clock, each of which takes three clocks:
//           S-boxes; MDS and sum; R. The first use is two clocks before the one that takes the block,
//           which is then to be encrypted unless one to be decrypted is offered; if that is wrong, it is
//           two clocks after: latency 72 or 76. The next block is taken in the clock that offers the
//           result. A waiting core takes a block every fourth clock. in_ready depends on out_ready and
//           key_valid.
// Key       taken when no block is in work (a result may wait). A word a clock, with a pause of two after
//           each second word, in which RS works; start-up 3. key_ready may be low for a clock, so that
//           words with even numbers come in even clocks.
// zeroise   and rst: key, S and R are zero when key_ready goes up, KEY_BITS / 16 + 1 clocks later.
//
// Each pair of subkeys is one step: A and B, in a round then g(R0) and g(R1 <<< 8) [Twofish98, 4.3.4].
// P and Q add up what h gives: P becomes K_2i, then F0; Q becomes K_(2i+1), then F1. The whitening uses
// the same path, without the rotations: two words are whitened, then all change sides as after a round.
// So encryption takes the pairs 1, 0, 4 .. 19, 2, 3, and decryption 3, 2, 19 .. 4, 0, 1.
//
// The words of the key turn in rings of two, so that h finds those with even numbers in even clocks.
`default_nettype none

module twofish_one_h #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1
) (
  input  wire         clk,
  input  wire         rst,        // one clock with it: the core is empty, without a key
  input  wire         zeroise,    // the same, and wipes, as said above
  input  wire         key_valid,  // a word of the key is taken at each edge with key_valid
  output wire         key_ready,  // and key_ready: KEY_BITS / 32 of them
  input  wire [ 31:0] key_data,   // M_0 first; byte 0 in bits 7..0, as of blocks
  input  wire         in_valid,   // a block is taken at each edge with in_valid
  output wire         in_ready,   // and in_ready, which is low until there is a key
  input  wire         in_decrypt, // of this block
  input  wire [127:0] in_data,    // R0 in bits 31..0
  output wire         out_valid,  // stays, with out_data, until an edge with out_ready;
  input  wire         out_ready,  // results leave in the order of their blocks
  output wire [127:0] out_data
);
  localparam integer K = KEY_BITS / 64;

  twofish_check #(.KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)) check ();

  wire clear = rst | zeroise;

  // --- control ---------------------------------------------------------------------------------

  reg odd;       // the parity of this clock: the S-boxes take M_1, M_3, ..
  reg g;         // the S-boxes work for g
  reg busy;      // a block is in work
  reg miss;      // not in the direction that was expected: what the S-boxes did so far is not for it
  reg [1:0] ending;  // its last sums are made, its last words whitened
  reg done;      // a result is offered
  reg reverse;   // the block in work is decrypted, or that one was to be
  reg [4:0] step;  // whitening in 2 and 3, rounds in 4 to 19, whitening in 20 and 21
  reg sum_g, sum_white, sum_round;  // what z is: for g, B of a whitening, g(R1 <<< 8) of a round
  reg white, round;  // P and Q are ready to whiten, or F

  // --- control: the key ---------------------------------------------------------------------------

  reg ready;     // there is a key
  reg clearing;  // zeros are taken like a key
  reg rs;        // RS works
  reg second;    // M_1, M_3, .. is the next word, or in work
  reg [1:0] pair;

  wire key_turn = (~busy | rs) & (second == odd);
  wire key_step = key_turn & (rs | clearing | key_valid);
  wire take = key_step & ~rs;
  wire last_pair = pair == K[1:0] - 2'd1;
  wire last = key_step & rs & second & last_pair;

  assign key_ready = key_turn & ~rs & ~clearing;
  assign in_ready = ready & ~busy & ~odd & step[0] & ~key_valid & (~done | out_ready);

  always @(posedge clk) begin
    clearing <= clear | (clearing & ~last);
    ready <= ((ready & ~take) | (take & second & last_pair & ~clearing)) & ~clear;
    second <= (second ^ key_step) & ~clear;
    rs <= (rs ^ (key_step & second)) & ~clear;
    if (clear | last) pair <= 2'd0;
    else if (key_step & rs & second) pair <= pair + 2'd1;
  end

  // --- control: blocks ----------------------------------------------------------------------------

  wire in_decrypts = (ENCRYPT == 0) | ((DECRYPT != 0) & in_decrypt);
  wire load = in_valid & in_ready;
  wire hit = load & (in_decrypts == reverse);
  wire first = ~busy & ~odd & ~step[0];
  wire expected = first ? in_decrypt & in_valid : reverse;
  wire decrypt = (ENCRYPT == 0) | ((DECRYPT != 0) & expected);
  wire whitening = (step[4:2] == 3'd0) | (step[4] & step[2]);
  wire end_step = odd & (g | whitening);
  wire last_step = step[4] & step[2] & step[0];

  assign out_valid = done;

  always @(posedge clk) begin
    odd <= ~odd & ~clear;
    g <= (odd ? busy & ~miss & ~whitening & ~g : g) & ~clear;
    busy <= (load | (busy & ~(end_step & last_step))) & ~clear;
    miss <= load & ~hit;
    ending <= {ending[0], busy & end_step & last_step} & {2{~clear}};
    done <= (ending[1] | (done & ~out_ready)) & ~clear;
    reverse <= load ? in_decrypts : decrypt;
    // A waiting core makes the first two pairs of subkeys again and again.
    if (clear | (end_step & (last_step | take | ((~busy | miss) & step[0])))) step <= 5'd2;
    else if (end_step) step <= step + 5'd1;
    sum_g <= g;
    sum_white <= busy & ~miss & end_step & ~g & ~clear;
    sum_round <= busy & end_step & g & ~clear;
    white <= (sum_white | hit) & ~clear;
    round <= sum_round & ~clear;
  end

  // --- key -------------------------------------------------------------------------------------

  // Ring i is m[64i+63:64i]; a word enters it at the bottom. The last two words of the key are in ring 0,
  // S_(k-1) is in s[31:0].
  reg [KEY_BITS-1:0] m;
  reg [32*K-1:0] s;
  wire [32*K-1:0] l;
  wire [31:0] next_s;

  twofish_rs rs_word (.s(s[31:0] & {32{second}}), .m(m[31:0]), .next(next_s));

  genvar i;
  generate
    for (i = 0; i < K; i = i + 1) begin : g_l
      wire [31:0] enters;
      if (i == 0) begin : g_first
        assign enters = key_data & {32{~clearing}};
      end else begin : g_next
        assign enters = m[64*i-32+:32];
      end
      always @(posedge clk) begin
        m[64*i+:64] <= {m[64*i+:32], take ? enters : m[64*i+32+:32]};
      end
      assign l[32*i+:32] = g ? s[32*i+:32] : m[64*(K-1-i)+32+:32];
    end
  endgenerate

  always @(posedge clk) begin
    if (rs & key_step) s[31:0] <= next_s;
  end
  generate
    for (i = 1; i < K; i = i + 1) begin : g_s
      always @(posedge clk) if (rs & key_step & ~second) s[32*i+:32] <= s[32*i-32+:32];
    end
  endgenerate

  // --- h and F ---------------------------------------------------------------------------------

  reg [127:0] r;
  reg [31:0] p, q;

  wire [4:0] round_pair = decrypt ? {3'd5 - step[4:2], ~step[1:0]} : step;
  wire [4:0] n = whitening ? {3'd0, decrypt ^ step[4], step[4] ? step[0] : ~step[0]} : round_pair;
  wire [31:0] x = ~g ? {4{2'b00, n, odd}} : odd ? {r[55:32], r[63:56]} : r[31:0];
  wire [31:0] y, product;
  reg [31:0] z;

  generate
    for (i = 0; i < 4; i = i + 1) begin : g_byte
      wire [8*K-1:0] bytes;  // byte i of each word of L
      genvar j;
      for (j = 0; j < K; j = j + 1) begin : g_level
        assign bytes[8*j+:8] = l[32*j+8*i+:8];
      end
      twofish_sbox #(.COLUMN(i), .KEY_BITS(KEY_BITS)) sbox (.x(x[8*i+:8]), .l(bytes), .y(y[8*i+:8]));
    end
  endgenerate

  twofish_mds mds (.y(z), .z(product));

  // In even clocks B or g(R1 <<< 8) is added up.
  wire add = ~odd | sum_g;
  wire sum_b = ~odd & ~sum_g;
  wire [31:0] z_p = sum_b ? {product[23:0], product[31:24]} : product;
  wire [31:0] z_q = odd ? z_p : {z_p[30:0], 1'b0};
  wire [31:0] sum_p, sum_q;

  twofish_add add_p (.a(p & {32{add}}), .b(z_p), .sum(sum_p));
  twofish_add add_q (.a(q & {32{add}}), .b(z_q), .sum(sum_q));

  always @(posedge clk) begin
    z <= y;
    p <= sum_p;
    q <= sum_b ? {sum_q[22:0], sum_q[31:23]} : sum_q;
  end

  // --- R -----------------------------------------------------------------------------------------

  wire [127:0] next;
  twofish_round next_round (.r(r), .f0(p), .f1(q), .decrypt(reverse), .next(next));

  wire [127:0] next_white = {r[63:0], r[127:96] ^ q, r[95:64] ^ p};

  assign out_data = {r[63:0], r[127:64]};

  always @(posedge clk) begin
    r <= ({128{load}} & in_data) | ({128{round}} & next) | ({128{white}} & next_white)
      | ({128{~load & ~round & ~white & ~clearing}} & r);
  end
endmodule

`default_nettype wire
