// SPDX-License-Identifier: Apache-2.0 OR MIT
// h [Twofish98, 4.3.2] as a pipeline. Registers stand where CUTS has a one: bit 2i + 1 in the middle of
// the q of level i, bit 2i behind level i, which ends with the xor of L; level 0 is the last and has no L.
// While the key is set up L is m, for a block it is s. `setup` goes through the pipeline with x. It drives
// many gates; q hides how long that takes, since its L is chosen before the register.
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

  wire [31:0] x_level[0:K+1];  // of each level, and behind the last
  wire [K+1:0] setups;  // of the block that is there
  assign x_level[K+1] = x;
  assign setups[K+1] = setup;

  genvar i, j;
  generate
    for (i = 0; i <= K; i = i + 1) begin : g_level
      wire [31:0] y, l;
      wire setup_late;

      for (j = 0; j < 4; j = j + 1) begin : g_byte
        twofish_q_cut #(.WHICH(WHICH[4*i+j] ? 1 : 0), .CUT(CUTS[2*i+1] ? 1 : 0)) q (
          .clk(clk), .enable(enable), .x(x_level[i+1][8*j+:8]), .y(y[8*j+:8])
        );
      end
      twofish_cut #(.WIDTH(1), .CUTS(CUTS[2*i+1] ? 1 : 0)) beside (
        .clk(clk), .enable(enable), .d(setups[i+1]), .q(setup_late)
      );
      if (i == 0) begin : g_last
        assign l = 32'd0;
      end else begin : g_key
        assign l = setup_late ? m[32*(i-1)+:32] : s[32*(i-1)+:32];
      end
      twofish_cut #(.WIDTH(33), .CUTS(CUTS[2*i] ? 1 : 0)) behind (
        .clk(clk), .enable(enable), .d({setup_late, y ^ l}), .q({setups[i], x_level[i]})
      );
    end
  endgenerate

  twofish_mds mds (.y(x_level[0]), .z(z));
  wire unused = &{1'b0, setups[0]};
endmodule

`default_nettype wire
