// SPDX-License-Identifier: Apache-2.0 OR MIT
// Twofish with one h and stored subkeys: a round in two clocks [TR3, Table 4: 19,000 gates, 32 clocks,
// 40 MHz].
//
// Blocks    32 clocks a block: taken at one edge, the result is offered in the 32nd clock after it and
//           leaves at the end of that clock, when the next block can be taken. out_data is made in that
//           clock, from R by the last round: it settles late, and means nothing without out_valid.
//           in_ready depends on out_ready and key_valid.
// Key       start-up 41: the first block can be taken 41 clocks after the last word of the key. The words
//           of a key are taken while the block before is in work.
// zeroise   and rst: all registers and subkeys are zero when key_ready goes up, 42 clocks later.
//
// h reads R0 alone. The first clock of a round, with R1 <<< 8 there, makes g of it and exchanges R0 and
// R1; the second makes g(R0) and F. Key setup makes B_i and A_i likewise, in two clocks a pair of subkeys,
// which R2 and R3 hand to the store. S comes out of RS a byte at a time.
`default_nettype none

module twofish_one_h_stored #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter [55:0] STORE = "LATCHES"
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

  twofish_check #(.KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)) check ();

  wire clear = rst | zeroise;

  // --- control ---------------------------------------------------------------------------------

  reg ready;     // there is a key
  reg clearing;  // key setup with zeros
  reg active;    // a block is in work
  reg decrypt;   // its direction
  reg [5:0] count;  // of clocks, two for a round or a pair

  wire full, next_full;
  wire second = count[0];
  wire setup = full & ~active;
  wire last_pair = setup & (count == (clearing ? 6'd40 : 6'd39));
  wire last_round = active & (count[4:0] == 5'd31);
  wire stay = last_round & ~out_ready;
  wire go = active & ~last_round;
  wire load = in_valid & in_ready;

  assign key_ready = ~full;
  assign in_ready = ready & ~(key_valid & key_ready) & (~active | last_round) & ~stay;
  assign out_valid = last_round;

  wire next_active = (load | go | stay) & ~clear;
  wire next_decrypt = (ENCRYPT == 0) ? 1'b1 : (DECRYPT == 0) ? 1'b0
    : load ? in_decrypt : decrypt & next_active;
  wire [5:0] next_count = clear ? 6'd0 : stay ? count : go | (setup & ~last_pair) ? count + 6'd1 : 6'd0;

  always @(posedge clk) begin
    ready <= (ready | last_pair & ~clearing) & ~(key_valid & key_ready) & ~clear;
    clearing <= (clearing & ~last_pair) | clear;
    active <= next_active;
    decrypt <= next_decrypt;
    count <= next_count;
  end

  // --- key -------------------------------------------------------------------------------------

  wire [KEY_BITS-1:0] m;
  wire [32*K-1:0] s;
  wire [63:0] pair;
  wire [255:0] whitening;
  reg [127:0] r;

  twofish_key #(.KEY_BITS(KEY_BITS), .STORE(STORE)) key (
    .clk(clk), .valid(key_valid), .data(key_data), .clear(clear | (clearing & ~last_pair)), .done(last_pair),
    .next_full(next_full), .full(full), .m(m)
  );

  // Pairs 2, 3, 0, 1, 6, 7, .. 18, 19, 16, 17: the last is not one of a first round, which it would meet
  // in the store.
  twofish_store #(.STORE(STORE)) store (
    .clk(clk), .write(setup & second), .write_pair(count[5:1] ^ 5'd2), .write_data(r[127:64]),
    .next_read(next_active), .next_round(next_count[4:1] ^ {4{next_decrypt}}), .pair(pair),
    .whitening(whitening)
  );

  twofish_s #(.KEY_BITS(KEY_BITS), .BYTES(1), .STORE(STORE)) make_s (
    .clk(clk), .setup(setup & ~count[5]), .step(count[4:0]), .clear(clearing), .m(m), .s(s)
  );

  // --- F -----------------------------------------------------------------------------------------

  wire [32*K-1:0] m_e, m_o;
  wire [31:0] z;
  wire [31:0] f0, f1;
  reg [31:0] b;  // g(R1 <<< 8), or B_i

  genvar i;
  generate
    for (i = 0; i < K; i = i + 1) begin : g_m
      assign m_e[32*i+:32] = m[64*i+:32];
      assign m_o[32*i+:32] = m[64*i+32+:32];
    end
  endgenerate

  twofish_h #(.KEY_BITS(KEY_BITS)) h (.x(r[31:0]), .l(setup ? (second ? m_e : m_o) : s), .z(z));
  twofish_pht #(.FAST(2)) pht (.a(z), .b(b), .k0(pair[31:0]), .k1(pair[63:32]), .f0(f0), .f1(f1));

  always @(posedge clk) begin
    b <= ({32{go & ~clear}} & z) | ({32{stay}} & b) | ({32{setup & ~clearing}} & {z[23:0], z[31:24]});
  end

  // --- R -----------------------------------------------------------------------------------------

  // R0 and R1 as h reads them, at the beginning of a round.
  function [63:0] first(input [63:0] a);
    first = {a[31:0], a[55:32], a[63:56]};
  endfunction

  wire [127:0] next;
  twofish_round next_round (
    .r({r[127:64], r[39:32], r[63:40], r[31:0]}), .f0(f0), .f1(f1), .decrypt(decrypt), .next(next)
  );

  wire in_decrypts = (DECRYPT != 0) & ((ENCRYPT == 0) | in_decrypt);
  wire [127:0] in_white = in_data ^ (in_decrypts ? whitening[255:128] : whitening[127:0]);
  wire [127:0] key_out = decrypt ? whitening[127:0] : whitening[255:128];
  assign out_data = {next[63:0], next[127:64]} ^ key_out;

  // The bytes that h takes for pair i are 2i + 1, then 2i.
  wire next_setup = next_full & ~next_active & ~clear;
  wire [31:0] i_byte = {4{2'b00, next_count[5:1] ^ 5'd2, ~next_count[0]}} & {32{next_setup}};

  wire take = load & ~clear;
  wire exchange = go & ~second & ~clear;
  wire round = go & second & ~clear;
  wire keep = stay & ~clear;

  always @(posedge clk) begin
    r[63:0] <= ({64{take}} & first(in_white[63:0])) | ({64{round}} & first(next[63:0]))
      | ({64{exchange}} & {r[31:0], r[63:32]}) | ({64{keep}} & r[63:0]) | {32'd0, i_byte};
    r[127:64] <= ({64{take}} & in_white[127:64]) | ({64{round}} & next[127:64])
      | ({64{exchange | keep}} & r[127:64]) | ({64{setup & second & ~clearing}} & {f1[22:0], f1[31:23], f0});
  end
endmodule

`default_nettype wire
