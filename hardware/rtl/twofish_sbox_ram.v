// SPDX-License-Identifier: Apache-2.0 OR MIT
// Twofish with its key-dependent S-boxes in RAM, 2 x 4 of 256 x 8 bits: a round a clock [TR3, Table 4:
// 80,000 gates, 16 clocks, 80 MHz].
//
// Blocks    16 clocks a block: taken at one edge, the result is offered in the 16th clock after it and
//           leaves at the end of that clock, when the next block can be taken. out_data is made in that
//           clock, from R by the last round: it settles late, and means nothing without out_valid.
//           in_ready depends on out_ready and key_valid.
// Key       start-up 298: the first block can be taken 298 clocks after the last word of the key: 40 clocks
//           make subkeys, 256 the S-boxes, and one more clock is that of the pipeline. The words of a key
//           are taken while the block before is in work.
// zeroise   and rst: all registers, subkeys and S-boxes are zero when key_ready goes up, 298 clocks later.
//
// The RAMs take their addresses at the clock edge, as R0 and R1 take the same bits; what they show in the
// clock after goes through nothing but MDS, the adders, and the way back. Key setup has adders and an MDS
// of its own, so that no multiplexer for it is in that loop.
`default_nettype none

module twofish_sbox_ram #(
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
  reg [8:0] count;  // of rounds; in key setup 0 to 39 of subkeys, 40 to 295 of entries of S-boxes

  wire full, next_full;
  wire setup = full & ~active;
  wire boxes = count >= 9'd40;
  wire last_box = setup & (count == 9'd296);  // one clock later
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
  wire [8:0] next_count = clear ? 9'd0 : stay ? count : round | (setup & ~last_box) ? count + 9'd1 : 9'd0;

  always @(posedge clk) begin
    ready <= (ready | last_box & ~clearing) & ~(key_valid & key_ready) & ~clear;
    clearing <= (clearing & ~last_box) | clear;
    active <= next_active;
    decrypt <= next_decrypt;
    count <= next_count;
  end

  // --- key setup: bytes of h, and a clock later MDS, PHT, S-boxes ----------------------------------

  wire [KEY_BITS-1:0] m;
  wire [32*K-1:0] s;
  wire [63:0] pair;
  wire [255:0] whitening;
  reg [127:0] r;

  twofish_key #(.KEY_BITS(KEY_BITS), .STORE(STORE)) key (
    .clk(clk), .valid(key_valid), .data(key_data), .clear(clear | (clearing & ~last_box)), .done(last_box),
    .next_full(next_full), .full(full), .m(m)
  );
  wire unused = &{1'b0, next_full};

  twofish_s #(.KEY_BITS(KEY_BITS), .BYTES(1), .STORE(STORE)) make_s (
    .clk(clk), .setup(setup & (count < 9'd32)), .step(count[4:0]), .clear(clearing), .m(m), .s(s)
  );

  wire [32*K-1:0] m_even, m_odd;
  wire [32*K-1:0] l = boxes ? s : count[0] ? m_odd : m_even;
  wire [31:0] y;

  genvar i, j;
  generate
    for (i = 0; i < K; i = i + 1) begin : g_m
      assign m_even[32*i+:32] = m[64*i+:32];
      assign m_odd[32*i+:32] = m[64*i+32+:32];
    end
    for (j = 0; j < 4; j = j + 1) begin : g_byte
      wire [8*K-1:0] bytes;  // byte j of each word of L
      for (i = 0; i < K; i = i + 1) begin : g_level
        assign bytes[8*i+:8] = l[32*i+8*j+:8];
      end
      // The byte is 2i for A_i, 2i + 1 for B_i, and each of 256 for the boxes: always that of the count.
      twofish_sbox #(.COLUMN(j), .KEY_BITS(KEY_BITS)) sbox (.x(count[7:0]), .l(bytes), .y(y[8*j+:8]));
    end
  endgenerate

  reg making_pair, making_box;  // from y_1, which was of `place`
  reg [7:0] place;
  reg [31:0] y_1;
  reg [31:0] a;
  wire [31:0] z;
  wire [31:0] k_even, k_odd;

  always @(posedge clk) begin
    making_pair <= setup & ~boxes & ~clear;
    making_box <= setup & boxes & ~clear;
    place <= count[7:0];
    y_1 <= y & {32{setup & ~clearing}};
    a <= z;
  end

  twofish_mds mds (.y(y_1), .z(z));
  twofish_pht pht_of_pair (
    .a(a), .b({z[23:0], z[31:24]}), .k0(32'd0), .k1(32'd0), .f0(k_even), .f1(k_odd)
  );

  twofish_store #(.STORE(STORE)) store (
    .clk(clk), .write(making_pair & place[0]), .write_pair(place[5:1]), .write_data(r[127:64]),
    .next_read(next_active), .next_round(next_count[3:0] ^ {4{next_decrypt}}), .pair(pair),
    .whitening(whitening)
  );

  // --- F -----------------------------------------------------------------------------------------

  wire [127:0] next_r;
  wire [63:0] bytes_g;  // of the two g, up to MDS
  wire [31:0] g0, g1;
  wire [31:0] f0, f1;

  generate
    for (j = 0; j < 4; j = j + 1) begin : g_ram
      twofish_ram #(.ADDRESS_BITS(8), .WIDTH(8)) ram_0 (
        .clk(clk), .write(making_box), .write_address(place), .write_data(y_1[8*j+:8]),
        .address(next_r[8*j+:8]), .data(bytes_g[8*j+:8])
      );
      // R1 <<< 8
      twofish_ram #(.ADDRESS_BITS(8), .WIDTH(8)) ram_1 (
        .clk(clk), .write(making_box), .write_address(place), .write_data(y_1[8*j+:8]),
        .address(next_r[32+8*((j+3)%4)+:8]), .data(bytes_g[32+8*j+:8])
      );
    end
  endgenerate

  twofish_mds mds_0 (.y(bytes_g[31:0]), .z(g0));
  twofish_mds mds_1 (.y(bytes_g[63:32]), .z(g1));
  twofish_pht #(.FAST(2)) pht (.a(g0), .b(g1), .k0(pair[31:0]), .k1(pair[63:32]), .f0(f0), .f1(f1));

  // --- R -----------------------------------------------------------------------------------------

  wire [127:0] next;
  twofish_round next_round (.r(r), .f0(f0), .f1(f1), .decrypt(decrypt), .next(next));

  wire in_decrypts = (DECRYPT != 0) & ((ENCRYPT == 0) | in_decrypt);
  wire [127:0] key_in = in_decrypts ? whitening[255:128] : whitening[127:0];
  wire [127:0] key_out = decrypt ? whitening[127:0] : whitening[255:128];
  assign out_data = {next[63:0], next[127:64]} ^ key_out;

  assign next_r = ({128{load & ~clear}} & (in_data ^ key_in)) | ({128{round & ~clear}} & next)
    | ({128{stay & ~clear}} & r)
    | {{k_odd[22:0], k_odd[31:23], k_even} & {64{making_pair & place[0]}}, 64'd0};

  always @(posedge clk) r <= next_r;
endmodule

`default_nettype wire
