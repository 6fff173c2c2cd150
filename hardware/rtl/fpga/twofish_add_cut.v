// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sum of two words in CUTS + 1 stages: a stage adds 32 / (CUTS + 1) bits, rounded up, by the carry chain
// that an FPGA has, the lowest first. Registers keep bits until their stage, and sums until the last.
// CUTS is 0 to 7: with more of them a stage might have no bits.
`default_nettype none

module twofish_add_cut #(
  parameter integer CUTS = 1
) (
  input  wire        clk,
  input  wire        enable,
  input  wire [31:0] a,
  input  wire [31:0] b,
  output wire [31:0] sum
);
  localparam integer PART = (32 + CUTS) / (CUTS + 1);

  wire [CUTS+1:0] carries;  // into each stage
  assign carries[0] = 1'b0;

  genvar i;
  generate
    for (i = 0; i <= CUTS; i = i + 1) begin : g_stage
      localparam integer LOW = i * PART;
      localparam integer WIDTH = LOW + PART < 32 ? PART : 32 - LOW;
      wire [WIDTH-1:0] part_a, part_b, part_sum;
      wire carry, below;

      twofish_cut #(.WIDTH(2 * WIDTH), .CUTS(i)) waits (
        .clk(clk), .enable(enable), .d({a[LOW+:WIDTH], b[LOW+:WIDTH]}), .q({part_a, part_b})
      );
      // A bit below the words, 1 + carry, hands the carry in to the chain.
      assign {carry, part_sum, below} = {1'b0, part_a, 1'b1} + {1'b0, part_b, carries[i]};
      twofish_cut #(.WIDTH(1)) carry_out (.clk(clk), .enable(enable), .d(carry), .q(carries[i+1]));
      twofish_cut #(.WIDTH(WIDTH), .CUTS(CUTS - i)) done (
        .clk(clk), .enable(enable), .d(part_sum), .q(sum[LOW+:WIDTH])
      );
      wire unused = below;
    end
  endgenerate

  wire unused = carries[CUTS+1];
endmodule

`default_nettype wire
