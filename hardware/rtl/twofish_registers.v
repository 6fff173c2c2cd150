// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The registers around a core, for a CPU; twofish_apb and twofish_axil put them on a bus. docs/hardware.md
// says what each register is. A block is written to TEXT, START sends it to the core, and its result comes
// back into the same 128 flip-flops. Words of a key are not kept: each goes from one register to the core.
//
// write_*    a word is written at each edge with write and write_ready. write_ready is low while the core
//            has not taken the word of the key before: for 18 clocks at most, in the core of row 1.
//            write_error: then nothing is changed but EVENTS. It comes with
//              - fewer than four bytes, and an offset that cannot be written
//              - KEY, TEXT and START while BUSY
//              - a word of KEY that is not the next one
//              - START without a key, or in a direction that the core does not have
// read_*     combinational. KEY, TEXT and CONTROL read as zeros; read_error: there is no such register
// irq        up while an event is up that ENABLE names
//
// CLEAR and rst wipe key, text and result here in one clock, and the core in its own time, BUSY until then.
// CLEAR leaves ENABLE. The ports below `irq` go to those of the core.
`default_nettype none

module twofish_registers #(
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1
) (
  input  wire         clk,
  input  wire         rst,

  input  wire         write,
  output wire         write_ready,
  input  wire [  4:0] write_word,   // offset / 4
  input  wire         write_whole,  // all four bytes
  input  wire [ 31:0] write_data,
  output wire         write_error,
  input  wire         read,         // is refused at each edge with read and read_error
  input  wire [  4:0] read_word,
  output reg  [ 31:0] read_data,
  output reg          read_error,
  output wire         irq,

  output reg          zeroise,
  output wire         key_valid,
  input  wire         key_ready,
  output wire [ 31:0] key_data,
  output wire         in_valid,
  input  wire         in_ready,
  output wire         in_decrypt,
  output wire [127:0] in_data,
  input  wire         out_valid,
  output wire         out_ready,
  input  wire [127:0] out_data
);
  // registers: made by hardware/registers.py
  localparam [4:0] ID = 5'd0;
  localparam [31:0] ID_VALUE = 32'h54574F46;
  localparam [4:0] VERSION = 5'd1;
  localparam [31:0] VERSION_VALUE = 32'h00000001;
  localparam [4:0] FEATURES = 5'd2;
  localparam integer FEATURES_KEY_WORDS = 0;
  localparam integer FEATURES_ENCRYPT = 8;
  localparam integer FEATURES_DECRYPT = 9;
  localparam [4:0] CONTROL = 5'd3;
  localparam integer CONTROL_START = 0;
  localparam integer CONTROL_DECRYPT = 1;
  localparam integer CONTROL_CLEAR = 2;
  localparam [4:0] STATUS = 5'd4;
  localparam integer STATUS_KEY_READY = 0;
  localparam integer STATUS_KEY_SET = 1;
  localparam integer STATUS_BUSY = 2;
  localparam integer STATUS_RESULT = 3;
  localparam [4:0] EVENTS = 5'd5;
  localparam integer EVENTS_RESULT = 0;
  localparam integer EVENTS_KEY = 1;
  localparam integer EVENTS_REFUSED = 2;
  localparam integer EVENT_BITS = 3;
  localparam [4:0] ENABLE = 5'd6;
  localparam [4:0] KEY = 5'd16;
  localparam [4:0] TEXT = 5'd24;
  localparam [4:0] RESULT = 5'd28;
  // end of registers

  twofish_check #(.KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT)) check ();

  localparam integer WORDS = KEY_BITS / 32;
  localparam [3:0] KEY_WORDS = WORDS[3:0];

  // --- state
  reg clearing;    // the core wipes
  reg key_waits;   // a word of a key, for the core
  reg setting_up;  // a whole key was written
  reg key_set;
  reg block_waits, block_inside, decrypt, result;
  reg [3:0] key_count;  // of words written
  reg [31:0] key_word;
  reg [127:0] block;  // text, then result
  reg [EVENT_BITS-1:0] events, enable;

  wire busy = clearing | setting_up | block_waits | block_inside;

  // --- what is written
  wire to_key = write_word[4:3] == KEY[4:3];
  wire to_text = write_word[4:2] == TEXT[4:2];
  wire to_control = write_word == CONTROL;
  wire to_events = write_word == EVENTS;
  wire to_enable = write_word == ENABLE;
  wire starts = write_data[CONTROL_START] & ~write_data[CONTROL_CLEAR];
  wire has_direction = write_data[CONTROL_DECRYPT] ? DECRYPT != 0 : ENCRYPT != 0;

  wire good_key = to_key & ~busy & {1'b0, write_word[2:0]} == key_count;
  wire good_text = to_text & ~busy;
  wire good_control = to_control & (~starts | ~busy & key_set & has_direction);
  wire good = write_whole & (good_key | good_text | good_control | to_events | to_enable);

  assign write_ready = ~(to_key & key_waits & ~busy);
  assign write_error = ~good;
  wire put = write & write_ready & good;
  wire put_key = put & to_key;
  wire start = put & to_control & starts;
  wire clear = put & to_control & write_data[CONTROL_CLEAR];
  wire wipe = rst | clear;

  // --- key
  wire last_word = key_count == KEY_WORDS - 4'd1;
  wire key_done = setting_up & ~key_waits & in_ready;
  assign key_valid = key_waits;
  assign key_data = key_word;
  always @(posedge clk) begin
    zeroise <= clear & ~rst;
    clearing <= wipe | clearing & (zeroise | ~key_ready);
    setting_up <= ~wipe & (setting_up & ~key_done | put_key & last_word);
    key_set <= ~wipe & ~put_key & (key_set | key_done);
    key_waits <= ~wipe & (put_key | key_waits & ~key_ready);
    if (wipe | put_key & last_word) key_count <= 4'd0;
    else if (put_key) key_count <= key_count + 4'd1;
    if (wipe) key_word <= 32'd0;
    else if (put_key) key_word <= write_data;
    else if (key_ready) key_word <= 32'd0;
  end

  // --- block
  wire result_comes = block_inside & out_valid;
  assign in_valid = block_waits;
  assign in_decrypt = decrypt;
  assign in_data = block;
  assign out_ready = block_inside;
  always @(posedge clk) begin
    block_waits <= ~wipe & (start | block_waits & ~in_ready);
    block_inside <= ~wipe & (block_waits & in_ready | block_inside & ~out_valid);
    if (wipe | start) decrypt <= start & write_data[CONTROL_DECRYPT];
    if (wipe | start | put & to_text) result <= 1'b0;
    else if (result_comes) result <= 1'b1;
  end
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_block
      always @(posedge clk) begin
        if (wipe) block[32*i+:32] <= 32'd0;
        else if (result_comes) block[32*i+:32] <= out_data[32*i+:32];
        else if (put & to_text & write_word[1:0] == i) block[32*i+:32] <= write_data;
      end
    end
  endgenerate

  // --- events
  wire [EVENT_BITS-1:0] now;
  assign now[EVENTS_RESULT] = result_comes;
  assign now[EVENTS_KEY] = key_done;
  assign now[EVENTS_REFUSED] = write & write_ready & write_error | read & read_error;
  assign irq = |(events & enable);
  always @(posedge clk) begin
    if (wipe) events <= {EVENT_BITS{1'b0}};
    else events <= now | events & ~(write_data[EVENT_BITS-1:0] & {EVENT_BITS{put & to_events}});
    if (rst) enable <= {EVENT_BITS{1'b0}};
    else if (put & to_enable) enable <= write_data[EVENT_BITS-1:0];
  end

  // --- what is read
  wire reads_key = read_word[4:3] == KEY[4:3] & {1'b0, read_word[2:0]} < KEY_WORDS;
  wire [31:0] features, status;
  assign features = {28'd0, KEY_WORDS} << FEATURES_KEY_WORDS | {31'd0, ENCRYPT != 0} << FEATURES_ENCRYPT
    | {31'd0, DECRYPT != 0} << FEATURES_DECRYPT;
  assign status = {31'd0, ~busy & ~key_waits} << STATUS_KEY_READY | {31'd0, key_set} << STATUS_KEY_SET
    | {31'd0, busy} << STATUS_BUSY | {31'd0, result} << STATUS_RESULT;
  always @(*) begin
    read_data = 32'd0;
    read_error = 1'b0;
    case (read_word)
      ID: read_data = ID_VALUE;
      VERSION: read_data = VERSION_VALUE;
      FEATURES: read_data = features;
      CONTROL: read_data = 32'd0;
      STATUS: read_data = status;
      EVENTS: read_data[EVENT_BITS-1:0] = events;
      ENABLE: read_data[EVENT_BITS-1:0] = enable;
      default: begin
        if (read_word[4:2] == RESULT[4:2]) read_data = block[32*read_word[1:0]+:32] & {32{result}};
        else read_error = ~(reads_key | read_word[4:2] == TEXT[4:2]);
      end
    endcase
  end
endmodule

`default_nettype wire
