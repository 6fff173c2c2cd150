// SPDX-License-Identifier: Apache-2.0 OR MIT
// h [Twofish98, 4.3.2] as a pipeline. Registers stand where CUTS has a one: bit 2i behind
// q of level i, bit 2i + 1 in the middle of it; level 0 is the last. While the key is set up L is m, for a
// block it is s; `setup` goes through the pipeline with x.
`default_nettype none

module twofish_h_cut #(
  parameter integer KEY_BITS = 128,
  parameter [9:0] CUTS = 10'd0
) (
  input  wire                  clk,
  input  wire                  enable,
  input  wire                  setup,
  input  wire [          31:0] x,
  input  wire [KEY_BITS/2-1:0] m,
  input  wire [KEY_BITS/2-1:0] s,
  output wire [          31:0] z
);
  localparam integer K = KEY_BITS / 64;
  // Which q stands at level i: bit 4i + j for byte j.
  localparam [19:0] WHICH = {4'b1001, 4'b0011, 4'b1010, 4'b1100, 4'b0101};

  wire [31:0] y[0:K];  // behind each level
  wire [K:0] setups;  // of the block that is there

  genvar i, j;
  generate
    for (i = 0; i <= K; i = i + 1) begin : g_level
      localparam integer AFTER = CUTS[2*i] ? 1 : 0;
      localparam integer WITHIN = CUTS[2*i+1] ? 1 : 0;
      wire [31:0] x_level, y_early;
      wire setup_level;

      if (i == K) begin : g_first
        assign x_level = x;
        assign setup_level = setup;
      end else begin : g_next
        assign x_level = y[i+1] ^ (setups[i+1] ? m[32*i+:32] : s[32*i+:32]);
        assign setup_level = setups[i+1];
      end
      for (j = 0; j < 4; j = j + 1) begin : g_byte
        twofish_q_cut #(.WHICH(WHICH[4*i+j] ? 1 : 0), .CUT(WITHIN)) q (
          .clk(clk), .enable(enable), .x(x_level[8*j+:8]), .y(y_early[8*j+:8])
        );
      end
      twofish_cut #(.WIDTH(32), .CUTS(AFTER)) after (
        .clk(clk), .enable(enable), .d(y_early), .q(y[i])
      );
      twofish_cut #(.WIDTH(1), .CUTS(AFTER + WITHIN)) beside (
        .clk(clk), .enable(enable), .d(setup_level), .q(setups[i])
      );
    end
  endgenerate

  twofish_mds mds (.y(y[0]), .z(z));
  wire unused = &{1'b0, setups[0]};
endmodule

`default_nettype wire
