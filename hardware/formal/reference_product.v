// SPDX-License-Identifier: Apache-2.0 OR MIT
// For proofs: a byte times BY modulo POLYNOMIAL, as one learns it [Twofish98, 4.2]: the multiples by
// powers of x, each reduced as it comes, and their sum.
`default_nettype none

module reference_product #(
  parameter [7:0] BY = 1,
  parameter [8:0] POLYNOMIAL = 9'h100
) (
  input  wire [7:0] a,
  output wire [7:0] product
);
  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_power
      wire [7:0] multiple;  // x^i a
      wire [7:0] sum;  // of what belongs to the product so far
      if (i == 0) begin : g_first
        assign multiple = a;
        assign sum = BY[0] ? a : 8'h00;
      end else begin : g_next
        wire [8:0] twice = {g_power[i-1].multiple, 1'b0};
        wire [8:0] reduced = twice ^ (twice[8] ? POLYNOMIAL : 9'h000);
        wire unused = &{1'b0, reduced[8]};
        assign multiple = reduced[7:0];
        assign sum = g_power[i-1].sum ^ (BY[i] ? multiple : 8'h00);
      end
    end
  endgenerate

  assign product = g_power[7].sum;
endmodule

`default_nettype wire
