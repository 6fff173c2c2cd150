// SPDX-License-Identifier: Apache-2.0 OR MIT
// Twofish with two h and stored subkeys as a ring of STAGES pipeline stages, with a block in each: what
// twofish_two_h_pipe2, 3, 4 and 12 are made of [TR3, Table 4].
//
// Registers stand ..
// FIRST_CUT  behind the load of a block
// H_CUTS     in h: see twofish_h_cut.v
// MDS_CUT    behind MDS
// ADD_CUTS   in the adders, so many
// and STAGES is 1 more than their number: at least 2, at most 13. Registers that are no stage:
// PAIR_CUT   behind the store of subkeys
// S_CUT      before RS
//
// Blocks    STAGES blocks in 16 * STAGES clocks. A block is taken in a clock in which the first stage is
//           free, and its result is offered 16 * STAGES clocks later, in the clock in which the next can
//           be taken. While a result waits for out_ready everything but the words of a key stands still.
//           in_ready depends on out_ready and key_valid. out_data means nothing without out_valid.
// Key       start-up 21: the first block can be taken 21 clocks after the last word of the key, or 20 +
//           ADD_CUTS + PAIR_CUT if that is more. The words of a key are taken while blocks of the old key
//           are in work; subkeys are made when all have left.
// zeroise   and rst: 33 to 32 + STAGES clocks later, when key_ready goes up, key, S, subkeys and blocks
//           are zero; what stands within h is h of zero.
//
// A round: source (R0, R1) -> h -> PHT, subkeys -> target (R2, R3). The source goes beside h and is the
// target of the next round. In any clock one block only is where subkeys are added.
// Each clock of key setup sends a pair through the same stages, with h_0 for M_e and h_1 for M_o.
`default_nettype none

module twofish_two_h_pipe #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter [55:0] STORE = "LATCHES",
  parameter integer STAGES = 2,
  parameter integer FIRST_CUT = 0,
  parameter [9:0] H_CUTS = 10'd1,
  parameter integer MDS_CUT = 0,
  parameter integer ADD_CUTS = 0,
  parameter integer PAIR_CUT = 0,
  parameter integer S_CUT = 0,
  parameter integer FAST = 0
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
  localparam integer LAST = STAGES - 1;
  localparam integer ADD = LAST - ADD_CUTS;  // the stage that begins to add
  localparam integer READ = ADD - 1 - PAIR_CUT;  // the one in which a pair is asked for
  // The last pair would meet a first round in the store if read so early; then there is one step more.
  localparam [4:0] LAST_PAIR = ADD_CUTS + PAIR_CUT > 1 ? 18 + ADD_CUTS[4:0] + PAIR_CUT[4:0] : 5'd19;

  twofish_check #(.KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)) check ();

  wire clear = rst | zeroise;
  wire clock, enable;

  // --- blocks under way: what each stage knows of its own ----------------------------------------

  reg done;  // the first stage holds a result
  reg busy;  // .. or a block that has not been through all rounds
  reg decrypt;
  reg [3:0] round;

  wire [7*LAST-1:0] later;  // {setup, valid, decrypt, round} of all stages but the first
  wire [LAST-1:0] later_setup, later_valid;

  // --- control -----------------------------------------------------------------------------------

  reg ready;     // there is a key
  reg clearing;  // key setup with zeros
  reg begun;     // key setup has
  reg [4:0] count;  // of pairs of subkeys
  reg last_pair;
  reg wiping;       // the words of the key

  wire full;
  wire empty = ~(busy | done | (|later_valid));
  wire setup = full & (begun | empty | clearing);
  wire load = in_valid & in_ready;

  assign key_ready = ~full & ~(|later_setup);
  assign in_ready = ready & ~(key_valid & key_ready) & ~busy & ~(done & ~out_ready);
  assign out_valid = done;

  // What follows is on the clock that stands still; key, S and subkeys are not, which are never written
  // while a result waits.
  wire go = ~done | out_ready | clear;
  twofish_clock_gate #(.GATED(STORE == "LATCHES" ? 1 : 0)) gate (
    .clk(clk), .go(go), .clock(clock), .enable(enable)
  );

  always @(posedge clk) ready <= (ready | (last_pair & ~clearing)) & ~(key_valid & key_ready) & ~clear;

  always @(posedge clock) if (enable) begin
    clearing <= (clearing & ~last_pair) | clear;
    begun <= setup & ~last_pair & ~clear;
    count <= (setup & ~last_pair & ~clear) ? count + 5'd1 : 5'd0;
    last_pair <= setup & (count == (clearing ? 5'd30 : LAST_PAIR - 5'd1)) & ~clear;
    wiping <= (wiping & ~count[4]) | clear;
    done <= last_valid & ~last_setup & (&last_round) & ~clear & ~clearing;
    busy <= last_valid & ~last_setup & ~(&last_round) & ~clear & ~clearing;
    decrypt <= last_decrypt;
    round <= last_round + 4'd1;
  end

  // A pair of subkeys on its way has its number in valid and round.
  wire direction = (ENCRYPT == 0) | ((DECRYPT != 0) & (busy ? decrypt : in_decrypt & ready));
  wire [6:0] first = {
    setup, setup ? count[4] : busy | load, direction, setup ? count[3:0] : round & {4{busy}}
  };
  wire [7*STAGES-1:0] known = {later, first};

  genvar i;
  generate
    for (i = 0; i < LAST; i = i + 1) begin : g_later
      twofish_cut #(.WIDTH(7)) stage (
        .clk(clock), .enable(enable), .d(known[7*i+:7]), .q(later[7*i+:7])
      );
      assign later_setup[i] = later[7*i+6];
      assign later_valid[i] = later[7*i+5];
    end
  endgenerate

  wire last_setup, last_valid, last_decrypt;
  wire [3:0] last_round;
  assign {last_setup, last_valid, last_decrypt, last_round} = known[7*LAST+:7];

  // --- key ---------------------------------------------------------------------------------------

  wire [KEY_BITS-1:0] m;
  wire [32*K-1:0] m_e, m_o, s;
  wire [63:0] pair, pair_read;
  wire [255:0] whitening;
  reg [127:0] r;

  wire unused_full;
  twofish_key #(.KEY_BITS(KEY_BITS), .STORE(STORE)) key (
    .clk(clk), .valid(key_valid & key_ready), .data(key_data), .clear(clear | wiping),
    .done(last_pair), .next_full(unused_full), .full(full), .m(m)
  );

  twofish_s #(.KEY_BITS(KEY_BITS), .BYTES(K == 2 ? 1 : 2), .CUT(S_CUT), .STORE(STORE)) make_s (
    .clk(clk), .setup(setup), .step(count), .clear(clearing), .m(m), .s(s)
  );

  // A pair comes as F0 and F1 through a round, whose rotation is undone; K_2i+1 is
  // F1 <<< 9.
  wire [63:0] made = (ENCRYPT == 0) ? {r[53:32], r[63:54], r[31:0]} : {r[54:32], r[63:55], r[30:0], r[31]};

  // The block that comes into a stage reads its pair; the one that stands there reads it again.
  wire [6:0] reads = known[7*(go ? READ : READ + 1)+:7];
  wire unused_valid = reads[5];

  twofish_store #(.STORE(STORE)) store (
    .clk(clk), .write(last_setup), .write_pair({last_valid, last_round} ^ 5'd3), .write_data(made),
    .next_read(~reads[6]), .next_round(reads[3:0] ^ {4{reads[4]}}),
    .pair(pair_read), .whitening(whitening)
  );
  twofish_cut #(.WIDTH(64), .CUTS(PAIR_CUT)) pair_in (.clk(clock), .enable(enable), .d(pair_read), .q(pair));

  generate
    for (i = 0; i < K; i = i + 1) begin : g_m
      assign m_e[32*i+:32] = m[64*i+:32];
      assign m_o[32*i+:32] = m[64*i+32+:32];
    end
  endgenerate

  // --- the first stage ---------------------------------------------------------------------------

  // The bytes that h_0 and h_1 take for pair i are 2i and 2i + 1.
  wire [4:0] pair_begun = count ^ 5'd3;
  wire [31:0] even = {4{2'b00, pair_begun, 1'b0}} & {32{setup}};
  wire [31:0] odd = {4{2'b00, pair_begun, 1'b1}} & {32{setup}};

  wire in_decrypts = (ENCRYPT == 0) | ((DECRYPT != 0) & in_decrypt);
  wire [127:0] key_in = in_decrypts ? whitening[255:128] : whitening[127:0];
  wire fresh = ~busy & ready;
  wire [127:0] block = ((in_data ^ key_in) & {128{fresh}}) | (r & {128{busy}});
  wire [63:0] source = block[63:0] | {odd, even};

  wire [127:0] key_out = decrypt ? whitening[127:0] : whitening[255:128];
  assign out_data = {r[63:0], r[127:64]} ^ key_out;

  // --- F -----------------------------------------------------------------------------------------

  wire [31:0] x0, x1, z0, z1, a, b, s0, s1, c0, c1, f0, f1;
  wire h_setup = known[7*FIRST_CUT+6];
  wire z_setup = known[7*(ADD-MDS_CUT)+6];

  twofish_cut #(.WIDTH(64), .CUTS(FIRST_CUT)) x_in (
    .clk(clock), .enable(enable), .d({source[55:32], source[63:56], source[31:0]}), .q({x1, x0})
  );
  twofish_h_cut #(.KEY_BITS(KEY_BITS), .CUTS(H_CUTS)) h_0 (
    .clk(clock), .enable(enable), .setup(h_setup), .x(x0), .m(m_e), .s(s), .z(z0)
  );
  twofish_h_cut #(.KEY_BITS(KEY_BITS), .CUTS(H_CUTS)) h_1 (
    .clk(clock), .enable(enable), .setup(h_setup), .x(x1), .m(m_o), .s(s), .z(z1)
  );
  twofish_cut #(.WIDTH(64), .CUTS(MDS_CUT)) z_in (
    .clk(clock), .enable(enable), .d({z_setup ? {z1[23:0], z1[31:24]} : z1, z0}), .q({b, a})
  );
  twofish_csa csa0 (.a(pair[31:0]), .b(a), .c(b), .s(s0), .carry(c0));
  twofish_csa csa1 (.a(pair[63:32]), .b(a), .c({b[30:0], 1'b0}), .s(s1), .carry(c1));
  wire unused_b = b[31];
  generate
    if (ADD_CUTS == 0) begin : g_add
      twofish_add #(.FAST(FAST)) add0 (.a(s0), .b(c0), .sum(f0));
      twofish_add #(.FAST(FAST)) add1 (.a(s1), .b(c1), .sum(f1));
    end else begin : g_add_cut
      twofish_add_cut #(.CUTS(ADD_CUTS)) add0 (.clk(clock), .enable(enable), .a(s0), .b(c0), .sum(f0));
      twofish_add_cut #(.CUTS(ADD_CUTS)) add1 (.clk(clock), .enable(enable), .a(s1), .b(c1), .sum(f1));
    end
  endgenerate

  // --- the last stage ----------------------------------------------------------------------------

  // (R2 ^ F0) >>> 1 and (R3 <<< 1) ^ F1, or (R2 <<< 1) ^ F0 and (R3 ^ F1) >>> 1, or zeros.
  wire [63:0] passed;
  wire [63:0] target;
  wire [31:0] r2 = target[31:0];
  wire [31:0] r3 = target[63:32];
  wire [31:0] encrypts = {32{~last_decrypt & ~clearing}};
  wire [31:0] inverts = {32{last_decrypt & ~clearing}};
  wire [31:0] next_r0 = ((encrypts & {r2[0], r2[31:1]}) | (inverts & {r2[30:0], r2[31]}))
    ^ ((encrypts & {f0[0], f0[31:1]}) | (inverts & f0));
  wire [31:0] next_r1 = ((encrypts & {r3[30:0], r3[31]}) | (inverts & {r3[0], r3[31:1]}))
    ^ ((encrypts & f1) | (inverts & {f1[0], f1[31:1]}));

  twofish_cut #(.WIDTH(64), .CUTS(LAST)) beside (.clk(clock), .enable(enable), .d(source), .q(passed));
  twofish_cut #(.WIDTH(64), .CUTS(LAST)) waits (.clk(clock), .enable(enable), .d(block[127:64]), .q(target));

  always @(posedge clock) if (enable) r <= {passed, next_r1, next_r0};
endmodule

`default_nettype wire
