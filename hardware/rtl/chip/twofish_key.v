// SPDX-License-Identifier: Apache-2.0 OR MIT
// Takes the words of a key and keeps them: m = {.., M_1, M_0}. With STORE = "LATCHES" all but the last word
// go through one register to latches, which saves 350 gate equivalents with keys of 128 bits.
//
// valid, data   a word is taken at each edge with valid and not full
// full          all words are there; then `done` makes room for the next key, of which no word is kept
//               before it is overwritten
// clear         full; each clock with it makes all words zero, of which the first may be any
`default_nettype none

module twofish_key #(
  parameter integer KEY_BITS = 128,
  parameter [55:0] STORE = "LATCHES"
) (
  input  wire                clk,
  input  wire                valid,
  input  wire [        31:0] data,
  input  wire                clear,
  input  wire                done,
  output wire                next_full,
  output wire                full,
  output wire [KEY_BITS-1:0] m
);
  localparam integer WORDS = KEY_BITS / 32;
  localparam [3:0] FULL = WORDS[3:0];
  localparam [3:0] LAST = FULL - 4'd1;

  reg [3:0] count;  // of words taken, WORDS if full

  wire take = valid & ~full;
  wire last = count == LAST;

  assign full = count == FULL;
  assign next_full = clear | (full & ~done) | (take & last);

  always @(posedge clk) begin
    if (clear) count <= FULL;
    else if (take) count <= count + 4'd1;
    else if (done) count <= 4'd0;
  end

  genvar i;
  generate
    if (STORE == "LATCHES") begin : g_latches
      reg [31:0] word;
      always @(posedge clk) if (take | clear) word <= data & {32{~clear}};

      assign m[32*WORDS-1-:32] = word;
      for (i = 0; i < WORDS - 1; i = i + 1) begin : g_word
        twofish_copy #(.STORE(STORE)) copy (
          .clk(clk), .take((take & (count == i)) | clear), .d(word), .q(m[32*i+:32])
        );
      end
    end else begin : g_flops
      reg [KEY_BITS-1:0] words;
      always @(posedge clk) if (take | clear) words <= {data & {32{~clear}}, words[KEY_BITS-1:32]};
      assign m = words;
    end
  endgenerate
endmodule

`default_nettype wire
