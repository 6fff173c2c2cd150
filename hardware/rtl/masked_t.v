// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The 4-bit permutations t0 and t2 of q0 and q1 (B = 0), or t1 and t3 (B = 1) [Twofish98, 4.3.5], in two
// shares. They have algebraic degree 3. In three steps, each ending in registers and taking a nibble a
// clock:
//   1  the six products of two bits, across the shares
//   2  the products whole, share by share; they are masked afresh
//   3  a bit and a sum of products, across the shares: the terms of degree 3. The terms of each bit of
//      the result that are across the shares are in a register of their own, z, and the others in y
// `which` and `later` choose the permutation of the nibble that is at step 3: two clocks after its x.
// x must come from registers; all bits of it must be masked independently of each other.
`default_nettype none

module masked_t #(
  parameter integer B = 0
) (
  input  wire       clk,
  input  wire       which,
  input  wire       later,
  input  wire [3:0] x0,
  input  wire [3:0] x1,
  input  wire [9:0] random,
  output wire [3:0] t0,
  output wire [3:0] t1
);
  wire [59:0] terms;
  masked_t_terms #(.B(B)) t_terms (.which(which), .later(later), .terms(terms));

  // --- 1: bit i of the products is x_i of `left` times x_i of `right`: 1 0, 2 0, 3 0, 2 1, 3 1, 3 2
  function [5:0] left(input [3:1] x);
    left = {x[3], x[3], x[2], x[3], x[2], x[1]};
  endfunction
  function [5:0] right(input [2:0] x);
    right = {x[2], x[1], x[1], x[0], x[0], x[0]};
  endfunction

  wire [5:0] cross0, cross1;
  masked_cross #(.WIDTH(6)) products (
    .clk(clk), .a0(left(x0[3:1])), .a1(left(x1[3:1])), .b0(right(x0[2:0])), .b1(right(x1[2:0])),
    .random(random[5:0]), .x0(cross0), .x1(cross1)
  );

  reg [3:0] first0, first1;
  always @(posedge clk) {first0, first1} <= {x0, x1};

  // --- 2
  reg [3:0] x_0, x_1;
  reg [5:0] p0, p1;
  always @(posedge clk) begin
    {x_0, x_1} <= {first0, first1};
    p0 <= left(first0[3:1]) & right(first0[2:0]) ^ cross0;
    p1 <= left(first1[3:1]) & right(first1[2:0]) ^ cross1;
  end

  // --- 3
  reg [3:0] y0, y1;
  wire [3:0] z0, z1, by_x0_0, by_x0_1, by_x1_0, by_x1_1, sum0, sum1;
  genvar k;
  generate
    for (k = 0; k < 4; k = k + 1) begin : g_bit
      wire [14:0] t = terms[15*k+:15];
      // Degree 3: x_0 times products, and x_1 x_2 x_3.
      assign by_x0_0[k] = ^(p0 & {t[13], t[11], t[7], 3'd0});
      assign by_x0_1[k] = ^(p1 & {t[13], t[11], t[7], 3'd0});
      assign by_x1_0[k] = p0[5] & t[14];
      assign by_x1_1[k] = p1[5] & t[14];
      // Degree 0 to 2.
      assign sum0[k] = t[0] ^ (^(x_0 & {t[8], t[4], t[2], t[1]}))
        ^ (^(p0 & {t[12], t[10], t[6], t[9], t[5], t[3]}));
      assign sum1[k] = (^(x_1 & {t[8], t[4], t[2], t[1]}))
        ^ (^(p1 & {t[12], t[10], t[6], t[9], t[5], t[3]}));
    end
  endgenerate

  reg [3:0] cross_0, cross_1;
  always @(posedge clk) begin
    cross_0 <= {4{x_0[0]}} & by_x0_1 ^ {4{x_0[1]}} & by_x1_1 ^ random[9:6];
    cross_1 <= {4{x_1[0]}} & by_x0_0 ^ {4{x_1[1]}} & by_x1_0 ^ random[9:6];
    y0 <= sum0 ^ {4{x_0[0]}} & by_x0_0 ^ {4{x_0[1]}} & by_x1_0;
    y1 <= sum1 ^ {4{x_1[0]}} & by_x0_1 ^ {4{x_1[1]}} & by_x1_1;
  end
  assign {z0, z1} = {cross_0, cross_1};
  assign {t0, t1} = {y0 ^ z0, y1 ^ z1};
endmodule

`default_nettype wire
