// SPDX-License-Identifier: Apache-2.0 OR MIT
// Half of R, two words in rings of four bytes: `source`, R0 or R1, and `target`, R2 or R3. While `turn`, a
// clock of phase p has byte p of each lowest. In the four clocks of a round with `change` the target word,
// with the bytes of F, becomes the source one and the other way round [Twofish98, 4].
//
// rol     the target word is rotated left by one bit before F is added
// ror     or right after that; neither for whitening
// load    puts in_source and in_target there, in a clock of phase 3; without turn and load all stays
// clear   makes both zero
`default_nettype none

module twofish_quarter_words (
  input  wire        clk,
  input  wire [ 1:0] phase,
  input  wire        clear,
  input  wire        load,
  input  wire [31:0] in_source,
  input  wire [31:0] in_target,
  input  wire        turn,
  input  wire        change,
  input  wire        rol,
  input  wire        ror,
  input  wire [ 7:0] f,
  output reg  [31:0] source,
  output reg  [31:0] target
);
  reg target_top;   // the highest bit of the target byte before this one
  reg sum_bit;   // the lowest bit of byte 0 of the sum

  wire [7:0] target_byte = target[7:0];
  wire [7:0] sum = (rol ? {target_byte[6:0], target_top} : target_byte) ^ f;
  // Rotated right, a byte gets its highest bit when the next one has come; byte 3 gets that of byte 0.
  wire [7:0] enters = ~change ? source[7:0] : ror ? {sum_bit, sum[7:1]} : sum;
  wire late = change & ror & (phase != 2'd0);
  wire [31:0] next_source = {enters, late ? sum[0] : source[31], source[30:8]};
  wire [31:0] next_target = {change ? source[7:0] : target_byte, target[31:8]};
  wire stay = ~load & ~turn & ~clear;

  always @(posedge clk) begin
    target_top <= target[7];
    if (phase == 2'd0) sum_bit <= sum[0];
    source <= ({32{load}} & in_source) | ({32{turn}} & next_source) | ({32{stay}} & source);
    target <= ({32{load}} & in_target) | ({32{turn}} & next_target) | ({32{stay}} & target);
  end
endmodule

`default_nettype wire
