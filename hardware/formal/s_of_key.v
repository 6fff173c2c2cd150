// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: a word of S from its eight bytes of the key, the first one being the lowest.
`default_nettype none

module s_of_key (
  input  wire [63:0] column,
  output wire [31:0] result
);
  wire [31:0] high;

  twofish_rs first (.s(32'h0), .m(column[63:32]), .next(high));
  twofish_rs second (.s(high), .m(column[31:0]), .next(result));
endmodule

`default_nettype wire
