// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: MDS with the ports of its reference.
`default_nettype none

module mds_of_column (
  input  wire [31:0] column,
  output wire [31:0] result
);
  twofish_mds mds (.y(column), .z(result));
endmodule

`default_nettype wire
