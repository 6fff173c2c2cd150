// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// AXI4-Stream around a core, with modes of operation: ECB, CBC and CTR [SP800-38A, 6.1, 6.2, 6.5].
//
// A message is one transfer on iv_*, then its blocks on s_axis_*, the last of them with TLAST. Results
// leave on m_axis_* in the order in which blocks came, with TLAST, TKEEP and TID as they came. Messages
// of different TID may be mixed at will, block by block; those of one TID follow each other.
//
//   iv_id       TID of the message, below STREAMS
//   iv_mode     0 ECB, 1 CBC, 2 CTR: the whole block counts, big-endian
//   iv_decrypt  1: decrypt; CTR does not look at it
//   iv_data     IV of CBC, first counter block of CTR, unused in ECB; its byte 0 in bits 7..0, as in blocks
//   iv_ready    stays low until the last block of the TID's message before has been taken and, in CBC
//               encryption, has left
//   iv_error    up for one clock after a transfer that is no message here: TID not below STREAMS, mode 3,
//               a direction that the core does not have (CTR encrypts always). It counts as not sent
//   tkeep       all ones; CTR also takes a short last block, TKEEP of its low bytes, with TLAST
//   m_axis_tuser  1: the block's TKEEP was none of these, its data are 0. The message goes on as if the
//               block had been whole
//
// A block whose TID has no message open waits (TREADY low), and those behind it. A message ends by TLAST,
// rst or zeroise. A key change does not end messages: blocks taken after it are under the new key.
//
// CBC encryption of one message has one block under way at a time. With as many messages as the core
// interleaves blocks, the core waits one clock between a result and the next block of its message; with
// one message more it is full. ECB, CTR and CBC decryption lose no clock against the bare core even with
// a single message. Latency is the core's.
//
// rst and zeroise wipe all that is stored here in one clock; the core has its own zeroise. m_axis_tvalid
// does not depend on m_axis_tready; s_axis_tready depends on s_axis_tid, and on m_axis_tready if the
// core's in_ready depends on out_ready. Ports core_* go to those of the core without core_; its key ports
// are not led through here. twofish_axis_core has both together.
`default_nettype none

module twofish_axis #(
  parameter integer STREAMS = 1,  // 1 to 256
  parameter integer DEPTH = 2,    // blocks that the core can hold, and 1; with less some of it stays empty
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         zeroise,

  input  wire         iv_valid,
  output wire         iv_ready,
  input  wire [  7:0] iv_id,
  input  wire [  1:0] iv_mode,
  input  wire         iv_decrypt,
  input  wire [127:0] iv_data,
  output reg          iv_error,

  input  wire         s_axis_tvalid,
  output wire         s_axis_tready,
  input  wire [127:0] s_axis_tdata,
  input  wire [ 15:0] s_axis_tkeep,
  input  wire         s_axis_tlast,
  input  wire [  7:0] s_axis_tid,

  output wire         m_axis_tvalid,
  input  wire         m_axis_tready,
  output wire [127:0] m_axis_tdata,
  output wire [ 15:0] m_axis_tkeep,
  output wire         m_axis_tlast,
  output wire [  7:0] m_axis_tid,
  output wire         m_axis_tuser,

  output wire         core_in_valid,
  input  wire         core_in_ready,
  output wire         core_in_decrypt,
  output wire [127:0] core_in_data,
  input  wire         core_out_valid,
  output wire         core_out_ready,
  input  wire [127:0] core_out_data
);
  localparam [1:0] CBC = 2'd1, CTR = 2'd2, NONE = 2'd3;
  localparam integer ID_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1;
  localparam integer COUNT_BITS = $clog2(DEPTH + 1);
  // What waits for a block's result: XOR word, TKEEP, TLAST, TID, whether it chains, whether it is bad.
  localparam integer NOTE_BITS = 128 + 16 + 1 + 8 + 1 + 1;
  localparam [8:0] LIMIT = STREAMS[8:0];
  localparam [COUNT_BITS-1:0] FULL = DEPTH[COUNT_BITS-1:0];
  localparam [COUNT_BITS-1:0] ONE = 1;

  generate
    if (STREAMS < 1 || STREAMS > 256) begin : g_streams
      STREAMS_must_be_1_to_256 error ();
    end
  endgenerate

  wire wipe = rst | zeroise;
  wire take = s_axis_tvalid & s_axis_tready;
  wire give = m_axis_tvalid & m_axis_tready;

  // --- messages: one for each TID
  wire [128*STREAMS-1:0] chains;  // CBC: the last block of ciphertext; CTR: the counter
  wire [2*STREAMS-1:0] modes;
  wire [STREAMS-1:0] opens, decrypts, waits;  // waits: for the result of CBC encryption

  wire iv_known = {1'b0, iv_id} < LIMIT;
  wire [ID_BITS-1:0] iv_slot = iv_known ? iv_id[ID_BITS-1:0] : {ID_BITS{1'b0}};
  wire iv_encrypts = iv_mode == CTR | ~iv_decrypt;
  wire iv_good = iv_known & iv_mode != NONE & (iv_encrypts ? ENCRYPT != 0 : DECRYPT != 0);
  wire iv_take = iv_valid & iv_ready;
  assign iv_ready = ~wipe & ~(iv_known & (opens[iv_slot] | waits[iv_slot]));
  always @(posedge clk) iv_error <= iv_take & ~iv_good & ~wipe;

  wire known = {1'b0, s_axis_tid} < LIMIT;
  wire [ID_BITS-1:0] slot = known ? s_axis_tid[ID_BITS-1:0] : {ID_BITS{1'b0}};
  wire [127:0] now = chains[128*slot+:128];
  wire cbc = modes[2*slot+:2] == CBC;
  wire ctr = modes[2*slot+:2] == CTR;
  wire decrypt = decrypts[slot] & ~ctr;
  wire chains_on = cbc & ~decrypt;

  wire [127:0] count, next_count, next_counter;
  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_big_endian
      assign count[8*i+:8] = now[8*(15-i)+:8];
      assign next_counter[8*i+:8] = next_count[8*(15-i)+:8];
    end
  endgenerate
  assign next_count = count + 128'd1;

  wire chained;  // a result of CBC encryption leaves, of the message of this slot:
  wire [ID_BITS-1:0] chained_slot;
  generate
    for (i = 0; i < STREAMS; i = i + 1) begin : g_message
      reg [127:0] chain;
      reg [1:0] mode;
      reg open, backwards, wait_for_result;
      assign chains[128*i+:128] = chain;
      assign modes[2*i+:2] = mode;
      assign {opens[i], decrypts[i], waits[i]} = {open, backwards, wait_for_result};
      wire iv_here = iv_take & iv_good & iv_slot == i;
      wire take_here = take & slot == i;
      wire chained_here = chained & chained_slot == i;
      always @(posedge clk) begin
        if (wipe) begin
          {open, backwards, wait_for_result, mode, chain} <= 133'd0;
        end else begin
          open <= iv_here | open & ~(take_here & s_axis_tlast);
          wait_for_result <= take_here & chains_on | wait_for_result & ~chained_here;
          if (iv_here) {backwards, mode, chain} <= {iv_decrypt, iv_mode, iv_data};
          else if (chained_here) chain <= core_out_data;
          else if (take_here & ctr) chain <= next_counter;
          else if (take_here & cbc & decrypt) chain <= s_axis_tdata;
        end
      end
    end
  endgenerate

  // --- blocks into the core
  reg [COUNT_BITS-1:0] held;
  wire may_go = ~wipe & known & opens[slot] & ~waits[slot] & held != FULL;
  assign s_axis_tready = may_go & core_in_ready;
  assign core_in_valid = may_go & s_axis_tvalid;
  assign core_in_decrypt = decrypt;
  assign core_in_data = ctr ? now : chains_on ? s_axis_tdata ^ now : s_axis_tdata;

  // --- notes on the blocks in the core: the oldest at 0
  wire low_bytes = (s_axis_tkeep & (s_axis_tkeep + 16'd1)) == 16'd0;
  wire bad = ~(&s_axis_tkeep) & ~(ctr & s_axis_tlast & low_bytes);
  wire [127:0] mask = ctr ? s_axis_tdata : cbc & decrypt ? now : 128'd0;
  wire [NOTE_BITS-1:0] new_note = {bad, chains_on, s_axis_tid, s_axis_tlast, s_axis_tkeep, mask};
  wire [NOTE_BITS*(DEPTH+1)-1:0] notes;
  wire [COUNT_BITS-1:0] left = give ? held - ONE : held;
  assign notes[NOTE_BITS*DEPTH+:NOTE_BITS] = {NOTE_BITS{1'b0}};
  always @(posedge clk) held <= wipe ? {COUNT_BITS{1'b0}} : take ? left + ONE : left;
  generate
    for (i = 0; i < DEPTH; i = i + 1) begin : g_note
      reg [NOTE_BITS-1:0] note;
      assign notes[NOTE_BITS*i+:NOTE_BITS] = note;
      always @(posedge clk) begin
        if (wipe) note <= {NOTE_BITS{1'b0}};
        else if (take & left == i) note <= new_note;
        else if (give) note <= notes[NOTE_BITS*(i+1)+:NOTE_BITS];
      end
    end
  endgenerate

  // --- results
  wire note_chains;
  wire [127:0] note_mask;
  assign {m_axis_tuser, note_chains, m_axis_tid, m_axis_tlast, m_axis_tkeep, note_mask} =
      notes[NOTE_BITS-1:0];
  assign chained = give & note_chains;
  assign chained_slot = m_axis_tid[ID_BITS-1:0];
  assign m_axis_tvalid = core_out_valid & held != {COUNT_BITS{1'b0}} & ~wipe;
  assign core_out_ready = m_axis_tready;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      assign m_axis_tdata[8*i+:8] =
          (core_out_data[8*i+:8] ^ note_mask[8*i+:8]) & {8{m_axis_tkeep[i] & ~m_axis_tuser}};
    end
  endgenerate
endmodule

`default_nettype wire
