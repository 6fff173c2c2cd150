// SPDX-License-Identifier: Apache-2.0 OR MIT
// A word of random bits a clock from a seed: Trivium [Trivium], 32 of its steps at once. Cores that are masked
// need such bits, and generators that measure noise seldom give so many [CMMMS24].
//
// Seed      five words, one at each edge with seed_valid: key in bits 0 to 79, IV in bits 80 to 159, the first
//           word in the low bits. They must be uniform and known to nobody. 37 clocks after the last, `valid`
//           goes up and stays.
// random    a new word in each clock with `valid`, from registers, so that no glitch shows more than it
// Again     words that come later are added to the state as it runs, at the same places. A state that nobody
//           knows stays so, whatever is added; after five good words another one is unknown too.
// rst       the state is gone, and a whole seed is needed
//
// It does not test its seed: a source that is stuck gives random bits that anybody can compute, and all else
// goes on as before. Its key has 80 bits.
`default_nettype none

module twofish_trivium (
  input  wire        clk,
  input  wire        rst,
  input  wire        seed_valid,
  input  wire [31:0] seed_data,
  output wire        valid,
  output reg  [31:0] random
);
  localparam [2:0] LAST_WORD = 3'd4;
  localparam [5:0] WARM = 6'd37;  // 4 x 288 steps, and one clock until `random` has the next word

  // Bit n - 1 of {c, b, a} is s_n of the paper, but that s_94 and s_178 are bits 0 of b and c.
  reg [92:0] a;
  reg [83:0] b;
  reg [110:0] c;
  reg [2:0] word;     // of the seed, the next one
  reg running;        // a whole seed has come
  reg [5:0] clocks;   // since then, up to WARM

  // Step i of a clock in bit 31 - i.
  wire [31:0] t1 = a[34+:32] ^ a[61+:32];
  wire [31:0] t2 = b[37+:32] ^ b[52+:32];
  wire [31:0] t3 = c[34+:32] ^ c[79+:32];
  wire [31:0] to_a = t3 ^ c[77+:32] & c[78+:32] ^ a[37+:32];
  wire [31:0] to_b = t1 ^ a[59+:32] & a[60+:32] ^ b[46+:32];
  wire [31:0] to_c = t2 ^ b[50+:32] & b[51+:32] ^ c[55+:32];

  wire [159:0] seed;
  genvar i;
  generate
    for (i = 0; i < 5; i = i + 1) begin : g_word
      assign seed[32*i+:32] = seed_data & {32{seed_valid & word == i}};
    end
  endgenerate

  assign valid = clocks == WARM;

  always @(posedge clk) begin
    if (rst) begin
      {a, b} <= 177'd0;
      c <= {3'b111, 108'd0};
      {word, running, clocks} <= 10'd0;
      random <= 32'd0;
    end else begin
      a <= (running ? {a[60:0], to_a} : a) ^ {13'd0, seed[79:0]};
      b <= (running ? {b[51:0], to_b} : b) ^ {4'd0, seed[159:80]};
      if (running) c <= {c[78:0], to_c};
      if (seed_valid) word <= word == LAST_WORD ? 3'd0 : word + 3'd1;
      running <= running | seed_valid & word == LAST_WORD;
      if (running & ~valid) clocks <= clocks + 6'd1;
      random <= t1 ^ t2 ^ t3;
    end
  end
endmodule

`default_nettype wire
