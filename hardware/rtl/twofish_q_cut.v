// SPDX-License-Identifier: Apache-2.0 OR MIT
// q0 or q1 [Twofish98, 4.3.5] from its 4-bit permutations, with a register between the two pairs of
// them if CUT is 1.
`default_nettype none

module twofish_q_cut #(
  parameter integer WHICH = 0,
  parameter integer CUT = 1
) (
  input  wire       clk,
  input  wire       enable,
  input  wire [7:0] x,
  output wire [7:0] y
);
  wire [3:0] a1, b1, a2, b2, a3, b3;
  wire [7:0] half;

  assign a1 = x[7:4] ^ x[3:0];
  assign b1 = x[7:4] ^ {x[0], x[3:1]} ^ {x[4], 3'b000};
  twofish_t #(.WHICH(WHICH), .T(0)) t0 (.x(a1), .y(half[3:0]));
  twofish_t #(.WHICH(WHICH), .T(1)) t1 (.x(b1), .y(half[7:4]));

  twofish_cut #(.WIDTH(8), .CUTS(CUT)) middle (.clk(clk), .enable(enable), .d(half), .q({b2, a2}));

  assign a3 = a2 ^ b2;
  assign b3 = a2 ^ {b2[0], b2[3:1]} ^ {a2[0], 3'b000};
  twofish_t #(.WHICH(WHICH), .T(2)) t2 (.x(a3), .y(y[3:0]));
  twofish_t #(.WHICH(WHICH), .T(3)) t3 (.x(b3), .y(y[7:4]));
endmodule

`default_nettype wire
