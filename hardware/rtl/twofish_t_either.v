// SPDX-License-Identifier: Apache-2.0 OR MIT
// The 4-bit permutation tT of q0, or with `which` of q1 [Twofish98, 4.3.5].
`default_nettype none

module twofish_t_either #(
  parameter integer T = 0
) (
  input  wire       which,
  input  wire [3:0] x,
  output wire [3:0] y
);
  wire [3:0] y_q0, y_q1;

  twofish_t #(.WHICH(0), .T(T)) t_q0 (.x(x), .y(y_q0));
  twofish_t #(.WHICH(1), .T(T)) t_q1 (.x(x), .y(y_q1));

  assign y = which ? y_q1 : y_q0;
endmodule

`default_nettype wire
