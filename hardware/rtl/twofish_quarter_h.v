// SPDX-License-Identifier: Apache-2.0 OR MIT
// Twofish with a quarter of h, one S-box, subkeys made on the fly [TR3, Table 4: 8,000 gates, 324 clocks,
// 80 MHz].
//
// Blocks    296 clocks a block: 4 x (4 + 16 x 4 + 4) for the uses of h, and 2 x 4 in which the S-box waits
//           for the words of the first round. The first four uses come before the clock that takes the
//           block, which is then to be encrypted unless one to be decrypted is offered; if that is wrong,
//           they come after: latency 293 or 309. The result is offered four clocks before the next block
//           is taken. A waiting core takes a block every 16th clock. in_ready depends on out_ready and
//           key_valid.
// Key       taken when no block is in work (a result may wait): the words with even numbers in one clock
//           of eight, those with odd numbers four clocks later, and with 16 clocks of pause after every
//           two. Start-up 16.
// zeroise   and rst: key, S and R are zero when key_ready goes up, 24 x KEY_BITS / 64 - 4 clocks later.
//
// All is done a byte a clock, and nearly all registers are rings of bytes that never stop, so they need no
// gates to hold: the words of the key in rings of eight bytes, S and R in rings of four. Four clocks, of
// phase 0 to 3, are a slot; h takes one, even ones words of the key with even numbers. The slots of a
// round are A, B, g(R0), g(R1 <<< 8) [Twofish98, 4.3.4], for whitening A, B. The whitening uses the path of
// a round without its rotations: two words are whitened, then all change sides. So encryption takes the
// pairs of subkeys 1, 0, 4 .. 19, 2, 3, and decryption 3, 2, 19 .. 4, 0, 1. The highest byte of a word is
// the first to go into the S-box, as RS needs it too, and the lowest the first to be added.
`default_nettype none

module twofish_quarter_h #(
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

  // --- control ------------------------------------------------------------------------------------

  reg [1:0] phase;
  reg odd;       // the parity of this slot
  reg g;         // the S-box works for g, in the third and fourth slot of a step
  reg busy;      // a block is in work
  reg done;      // a result is offered
  reg reverse;   // the block in work is decrypted, or that one was to be
  reg [4:0] step;  // whitening in 2 and 3, rounds in 4 to 19, whitening in 20 and 21

  // --- control: the key ---------------------------------------------------------------------------

  reg ready;     // there is a key
  reg clearing;  // zeros are taken like a key
  reg [2:0] work;  // 0, 1: waits for a word; 2, 3: RS works; 4, 5: a ring hands its words to the next
  reg [1:0] pair;

  wire end_slot = phase == 2'd3;
  wire key_turn = end_slot & ~busy & (work[0] == odd);
  wire waits = work[2:1] == 2'd0;
  wire rs = work[1];
  wire hand_on = work[2];
  wire key_step = key_turn & (~waits | clearing | key_valid);
  wire take = key_step & waits;
  wire last_pair = pair == K[1:0] - 2'd1;
  wire last = key_step & last_pair & (work == 3'd3);

  assign key_ready = key_turn & waits & ~clearing;
  assign in_ready = ready & ~busy & odd & end_slot & step[0] & ~key_valid & (~done | out_ready);

  always @(posedge clk) begin
    clearing <= clear | (clearing & ~last);
    ready <= ((ready & ~take) | (take & work[0] & last_pair & ~clearing)) & ~clear;
    if (clear | last | (key_step & (work == 3'd5))) work <= 3'd0;
    else if (key_step) work <= work + 3'd1;
    if (clear | last) pair <= 2'd0;
    else if (key_step & (work == 3'd5)) pair <= pair + 2'd1;
  end

  // --- control: blocks ----------------------------------------------------------------------------

  wire in_decrypts = (ENCRYPT == 0) | ((DECRYPT != 0) & in_decrypt & in_valid);
  wire load = in_valid & in_ready;
  wire hit = load & (in_decrypts == reverse);
  wire decrypt = (ENCRYPT == 0) | ((DECRYPT != 0) & reverse);
  wire whitening = (step[4:2] == 3'd0) | (step[4] & step[2]);
  wire two_slots = whitening & (step[4] | ~step[0]);  // before the first round two more
  wire end_step = end_slot & odd & (g | two_slots | (~busy & ~hit));
  wire last_step = step[4] & step[2] & step[0];
  // A waiting core makes the first two pairs of subkeys again and again.
  wire end_steps = end_step & (last_step | take | (~busy & step[0]));

  // What leaves h was in the S-box two slots ago; the words change when the last sum is made, or in
  // whitening in the slot after it.
  reg [1:0] g_past;
  reg [2:0] key_past;   // B for whitening was in the S-box
  reg [1:0] round_past;  // g(R1 <<< 8) was
  reg [2:0] ending;     // the last B was

  assign out_valid = done;

  always @(posedge clk) begin
    phase <= (phase + 2'd1) & {2{~clear}};
    odd <= (odd ^ end_slot) & ~clear;
    if (end_slot | clear) begin
      g <= (odd ? (hit | (busy & ~two_slots)) & ~g : g) & ~clear;
      g_past <= {g_past[0], g} & {2{~clear}};
      key_past <= {key_past[1] | hit, key_past[0], (busy | hit) & whitening & odd & ~g} & {3{~clear}};
      round_past <= {round_past[0], busy & ~whitening & odd & g} & {2{~clear}};
      ending <= {ending[1:0], busy & last_step & odd} & {3{~clear}};
    end
    busy <= (load | (busy & ~(end_step & last_step))) & ~clear;
    done <= ((end_slot & ending[2]) | (done & ~out_ready)) & ~clear;
    if (end_steps) reverse <= in_decrypts;
    if (clear | end_steps) step <= 5'd2;
    else if (end_step) step <= step + 5'd1;
  end

  // --- key -------------------------------------------------------------------------------------

  // Words enter a ring at the bottom, in the last clock of a slot; the highest byte is the next to be
  // used. The last two words of the key are in the first ring, S_(k-1) is in s[31:0].
  reg [KEY_BITS-1:0] m;
  reg [32*K-1:0] s;
  wire [24*K-1:0] m_past, s_past;
  wire [31:0] next_s;
  wire turn_s = ~rs & (ready | ~waits);  // else S_i starts from zero

  twofish_rs_byte rs_byte (.s({s[31:24] & {8{rs}}, s[23:0]}), .m(m[31:24] & {8{rs}}), .next(next_s));

  genvar i;
  generate
    for (i = 0; i < K; i = i + 1) begin : g_l
      assign s_past[24*i+:24] = s[32*i+:24];
      assign m_past[24*i+:24] = m[64*(K-1-i)+:24];

      if (i == 0) begin : g_first
        always @(posedge clk) begin
          m[63:32] <= m[55:24];
          m[31:0] <= take ? key_data & {32{~clearing}} : {m[23:0], m[63:56]};
          s[31:0] <= next_s | {24'd0, s[31:24] & {8{turn_s}}};
        end
      end else begin : g_next
        always @(posedge clk) begin
          m[64*i+:64] <= {m[64*i+:56], hand_on ? m[64*i-8+:8] : m[64*i+56+:8]};
          s[32*i+:32] <= {s[32*i+:24], hand_on & ~odd ? s[32*i-8+:8] : s[32*i+24+:8]};
        end
      end
    end
  endgenerate

  // --- h -----------------------------------------------------------------------------------------

  wire [127:0] r;
  wire [4:0] round_pair = decrypt ? {3'd5 - step[4:2], ~step[1:0]} : step;
  wire [4:0] n = whitening ? {3'd0, decrypt ^ step[4], step[4] ? step[0] : ~step[0]} : round_pair;
  // Byte 3 - phase of R0, or of R1 <<< 8.
  wire [7:0] r_byte = odd ? (phase[0] ? r[39:32] : r[55:48]) : (phase[0] ? r[15:8] : r[31:24]);
  wire [7:0] y;
  wire [31:0] column;
  reg [31:0] sum_z;  // of columns
  reg [31:0] z;      // what leaves h, a byte a clock

  twofish_quarter_sbox #(.KEY_BITS(KEY_BITS)) sbox (
    .clk(clk), .phase(phase), .g(g), .x(g ? r_byte : {2'b00, n, odd}), .m(m_past), .s(s_past), .y(y)
  );
  twofish_mds_column mds_column (.column(~phase), .y(y), .z(column));

  wire [31:0] next_z = (sum_z & {32{phase != 2'd0}}) ^ column;

  always @(posedge clk) begin
    sum_z <= next_z;
    z <= end_slot ? next_z : {z[7:0], z[31:8]};
  end

  // --- F and R -----------------------------------------------------------------------------------

  wire b_slot = odd & ~g_past[1];  // B is rotated by a byte
  wire white = key_past[2];
  wire round = round_past[1];
  wire turn = busy | (ending != 3'd0);
  wire [7:0] f0, f1;

  twofish_quarter_sums sums (
    .clk(clk), .phase(phase), .odd(odd), .g(g_past[1]), .white(white),
    .z(b_slot ? z[31:24] : z[7:0]), .f0(f0), .f1(f1)
  );

  twofish_quarter_words r0_r2 (
    .clk(clk), .phase(phase), .clear(clear | clearing), .load(load), .in_source(in_data[31:0]),
    .in_target(in_data[95:64]), .turn(turn), .change(white | round), .rol(round & decrypt),
    .ror(round & ~decrypt), .f(f0), .source(r[31:0]), .target(r[95:64])
  );
  twofish_quarter_words r1_r3 (
    .clk(clk), .phase(phase), .clear(clear | clearing), .load(load), .in_source(in_data[63:32]),
    .in_target(in_data[127:96]), .turn(turn), .change(white | round), .rol(round & ~decrypt),
    .ror(round & decrypt), .f(f1), .source(r[63:32]), .target(r[127:96])
  );

  assign out_data = {r[63:0], r[127:64]};
endmodule

`default_nettype wire
