// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sum of two words, by the carry chain that an FPGA has; FAST, which chooses gates of a chip, does nothing.
`default_nettype none

module twofish_add #(
  parameter integer FAST = 0
) (
  input  wire [31:0] a,
  input  wire [31:0] b,
  output wire [31:0] sum
);
  assign sum = a + b;
  wire unused = &{1'b0, FAST};
endmodule

`default_nettype wire
