// SPDX-License-Identifier: Apache-2.0 OR MIT
// Twofish with two h and stored subkeys: a round a clock [TR3, Table 4: 23,000 gates, 16 clocks, 40 MHz].
//
// Blocks    16 clocks a block: taken at one edge, the result is offered in the 16th clock after it and
//           leaves at the end of that clock, when the next block can be taken. out_data is made in that
//           clock, from R by the last round: it settles late, and means nothing without out_valid.
//           in_ready depends on out_ready and key_valid.
// Key       start-up 21: the first block can be taken 21 clocks after the last word of the key. The words
//           of a key are taken while the block before is in work.
// zeroise   and rst: all registers and subkeys are zero when key_ready goes up, 22 clocks later.
//
// Each clock of key setup makes a pair of subkeys, h_0 for M_e and h_1 for M_o, in place of g(R0) and
// g(R1 <<< 8); R2 and R3 hand it to the store. S comes out of RS a byte (192, 256 bits: two) at a time.
`default_nettype none

module twofish_two_h #(
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
  reg [4:0] count;  // of rounds or pairs

  wire full, next_full;
  wire setup = full & ~active;
  wire last_pair = setup & (count == (clearing ? 5'd20 : 5'd19));
  wire last_round = active & (count[3:0] == 4'd15);
  wire stay = last_round & ~out_ready;
  wire round = active & ~last_round;
  wire load = in_valid & in_ready;

  assign key_ready = ~full;
  assign in_ready = ready & ~(key_valid & key_ready) & (~active | last_round) & ~stay;
  assign out_valid = last_round;

  wire next_active = (load | round | stay) & ~clear;
  wire next_decrypt = (ENCRYPT == 0) ? 1'b1 : (DECRYPT == 0) ? 1'b0
    : load ? in_decrypt : decrypt & next_active;
  wire [4:0] next_count = clear ? 5'd0 : stay ? count : round | (setup & ~last_pair) ? count + 5'd1 : 5'd0;

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
  wire [63:0] f;
  reg [127:0] r;

  twofish_key #(.KEY_BITS(KEY_BITS), .STORE(STORE)) key (
    .clk(clk), .valid(key_valid), .data(key_data), .clear(clear | (clearing & ~last_pair)), .done(last_pair),
    .next_full(next_full), .full(full), .m(m)
  );

  // Pairs 2, 3, 0, 1, 6, 7, .. 18, 19, 16, 17: the last is not one of a first round, which it would meet
  // in the store.
  wire [4:0] next_pair = next_count ^ 5'd2;

  twofish_store #(.STORE(STORE)) store (
    .clk(clk), .write(setup), .write_pair(count ^ 5'd2), .write_data(r[127:64]), .next_read(next_active),
    .next_round(next_count[3:0] ^ {4{next_decrypt}}), .pair(pair), .whitening(whitening)
  );

  twofish_s #(.KEY_BITS(KEY_BITS), .BYTES(K == 2 ? 1 : 2), .STORE(STORE)) make_s (
    .clk(clk), .setup(setup), .step(count), .clear(clearing), .m(m), .s(s)
  );

  // --- F -----------------------------------------------------------------------------------------

  wire [32*K-1:0] m_e, m_o;
  wire [31:0] z0, z1;

  genvar i;
  generate
    for (i = 0; i < K; i = i + 1) begin : g_m
      assign m_e[32*i+:32] = m[64*i+:32];
      assign m_o[32*i+:32] = m[64*i+32+:32];
    end
  endgenerate

  twofish_h #(.KEY_BITS(KEY_BITS)) h_0 (.x(r[31:0]), .l(setup ? m_e : s), .z(z0));
  twofish_h #(.KEY_BITS(KEY_BITS)) h_1 (.x({r[55:32], r[63:56]}), .l(setup ? m_o : s), .z(z1));
  twofish_pht #(.FAST(2)) pht (
    .a(z0), .b(setup ? {z1[23:0], z1[31:24]} : z1), .k0(pair[31:0]), .k1(pair[63:32]), .f0(f[31:0]),
    .f1(f[63:32])
  );

  // --- R -----------------------------------------------------------------------------------------

  wire [127:0] next;
  twofish_round next_round (.r(r), .f0(f[31:0]), .f1(f[63:32]), .decrypt(decrypt), .next(next));

  wire in_decrypts = (DECRYPT != 0) & ((ENCRYPT == 0) | in_decrypt);
  wire [127:0] key_in = in_decrypts ? whitening[255:128] : whitening[127:0];
  wire [127:0] key_out = decrypt ? whitening[127:0] : whitening[255:128];
  assign out_data = {next[63:0], next[127:64]} ^ key_out;

  // The bytes that h_0 and h_1 take for pair i are 2i and 2i + 1.
  wire next_setup = next_full & ~next_active & ~clear;
  wire [31:0] even = {4{2'b00, next_pair, 1'b0}} & {32{next_setup}};
  wire [31:0] odd = {4{2'b00, next_pair, 1'b1}} & {32{next_setup}};

  always @(posedge clk) begin
    r <= ({128{load & ~clear}} & (in_data ^ key_in)) | ({128{round & ~clear}} & next) | ({128{stay}} & r)
      | {{f[54:32], f[63:55], f[31:0]} & {64{setup & ~clearing}}, odd, even};
  end
endmodule

`default_nettype wire
