// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Addition modulo 2^32 in two shares, two bits a clock, the lowest first: sum = a + b, four clocks after.
// clear, in the second clock after the one with the first bits, makes the carry 0.
//
// With g_i = a_i b_i and p_i = a_i ^ b_i, the carry c into a pair of bits becomes
// (g_1 ^ p_1 g_0) ^ p_1 p_0 c, and the sum is p_0 ^ c, p_1 ^ g_0 ^ p_0 c: six products.
`default_nettype none

module masked_add (
  input  wire       clk,
  input  wire       clear,
  input  wire [1:0] a0,
  input  wire [1:0] a1,
  input  wire [1:0] b0,
  input  wire [1:0] b1,
  input  wire [5:0] random,
  output wire [1:0] sum0,
  output wire [1:0] sum1
);
  // --- 0: registers, since a and b come through multiplexers, where a glitch could join two bits
  reg [1:0] a_0, a_1, b_0, b_1;
  always @(posedge clk) {a_0, a_1, b_0, b_1} <= {a0, a1, b0, b1};

  // --- 1: g and p, and p_1 p_0
  wire [1:0] and_0 = a_0 & b_0, and_1 = a_1 & b_1;
  wire [1:0] xor_0 = a_0 ^ b_0, xor_1 = a_1 ^ b_1;
  wire [1:0] cross_g0, cross_g1;
  wire cross_both0, cross_both1;
  masked_cross #(.WIDTH(3)) first (
    .clk(clk), .random(random[2:0]),
    .a0({xor_0[1], a_0}), .a1({xor_1[1], a_1}), .b0({xor_0[0], b_0}), .b1({xor_1[0], b_1}),
    .x0({cross_both0, cross_g0}), .x1({cross_both1, cross_g1})
  );
  reg [1:0] inner_g0, inner_g1, p0, p1;
  reg inner_both0, inner_both1;
  always @(posedge clk) begin
    {inner_g0, inner_g1, p0, p1} <= {and_0, and_1, xor_0, xor_1};
    inner_both0 <= xor_0[1] & xor_0[0];
    inner_both1 <= xor_1[1] & xor_1[0];
  end
  wire [1:0] g0 = inner_g0 ^ cross_g0, g1 = inner_g1 ^ cross_g1;

  // --- 2: what the carry becomes, g_1 ^ p_1 g_0 and p_1 p_0, and what it adds to
  wire cross_make0, cross_make1;
  masked_cross second (
    .clk(clk), .random(random[3]), .a0(p0[1]), .a1(p1[1]), .b0(g0[0]), .b1(g1[0]),
    .x0(cross_make0), .x1(cross_make1)
  );
  reg inner_make0, inner_make1, both0, both1, low0, low1, high0, high1;
  always @(posedge clk) begin
    inner_make0 <= g0[1] ^ p0[1] & g0[0];
    inner_make1 <= g1[1] ^ p1[1] & g1[0];
    {both0, both1} <= {inner_both0 ^ cross_both0, inner_both1 ^ cross_both1};
    {low0, low1} <= {p0[0], p1[0]};
    {high0, high1} <= {p0[1] ^ g0[0], p1[1] ^ g1[0]};
  end

  // --- 3: the carry, and the sum
  reg inner_c0, inner_c1, cross_c0, cross_c1;
  wire c0 = inner_c0 ^ cross_c0, c1 = inner_c1 ^ cross_c1;
  always @(posedge clk) begin
    inner_c0 <= (inner_make0 ^ cross_make0 ^ both0 & c0) & ~clear;
    inner_c1 <= (inner_make1 ^ cross_make1 ^ both1 & c1) & ~clear;
    cross_c0 <= (both0 & c1 ^ random[4]) & ~clear;
    cross_c1 <= (both1 & c0 ^ random[4]) & ~clear;
  end

  wire cross_high0, cross_high1;
  masked_cross third (
    .clk(clk), .random(random[5]), .a0(low0), .a1(low1), .b0(c0), .b1(c1),
    .x0(cross_high0), .x1(cross_high1)
  );
  reg sum_low0, sum_low1, inner_high0, inner_high1;
  always @(posedge clk) begin
    {sum_low0, sum_low1} <= {low0 ^ c0, low1 ^ c1};
    inner_high0 <= high0 ^ low0 & c0;
    inner_high1 <= high1 ^ low1 & c1;
  end
  assign sum0 = {inner_high0 ^ cross_high0, sum_low0};
  assign sum1 = {inner_high1 ^ cross_high1, sum_low1};
endmodule

`default_nettype wire
