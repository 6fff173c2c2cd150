// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: the sum of two words, bit after bit.
`default_nettype none

module reference_add (
  input  wire [31:0] a,
  input  wire [31:0] b,
  output wire [31:0] sum
);
  wire [32:0] carry;
  assign carry[0] = 1'b0;

  genvar i;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_bit
      assign sum[i] = a[i] ^ b[i] ^ carry[i];
      assign carry[i+1] = (a[i] & b[i]) | (a[i] & carry[i]) | (b[i] & carry[i]);
    end
  endgenerate

  wire unused = &{1'b0, carry[32]};
endmodule

`default_nettype wire
