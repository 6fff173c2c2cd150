// SPDX-License-Identifier: Apache-2.0 OR MIT
// q0, or with `which` q1 [Twofish98, 4.3.5]: both have the same linear layers, so only their 4-bit
// permutations are chosen.
`default_nettype none

module twofish_q_either (
  input  wire       which,
  input  wire [7:0] x,
  output wire [7:0] y
);
  wire [3:0] a1, b1, a2, b2, a3, b3;

  assign a1 = x[7:4] ^ x[3:0];
  assign b1 = x[7:4] ^ {x[0], x[3:1]} ^ {x[4], 3'b000};
  twofish_t_either #(.T(0)) t0 (.which(which), .x(a1), .y(a2));
  twofish_t_either #(.T(1)) t1 (.which(which), .x(b1), .y(b2));

  assign a3 = a2 ^ b2;
  assign b3 = a2 ^ {b2[0], b2[3:1]} ^ {a2[0], 3'b000};
  twofish_t_either #(.T(2)) t2 (.which(which), .x(a3), .y(y[3:0]));
  twofish_t_either #(.T(3)) t3 (.which(which), .x(b3), .y(y[7:4]));
endmodule

`default_nettype wire
