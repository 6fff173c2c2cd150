// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sum of two words; with FAST carries are computed in parallel, by the network of [KoggeStone73] (1),
// or by that of [Sklansky60] (2), which has fewer gates and drives more from some of them.
`default_nettype none

module twofish_add #(
  parameter integer FAST = 0
) (
  input  wire [31:0] a,
  input  wire [31:0] b,
  output wire [31:0] sum
);
  generate
    if (FAST == 0) begin : g_plain
      assign sum = a + b;
    end else if (FAST == 2) begin : g_halves
      // g and p as below, but of the bits from the last multiple of 2^n on; the upper half of these takes
      // in what the lower half hands on.
      genvar n, i;
      for (n = 0; n <= 5; n = n + 1) begin : g_step
        wire [30:0] g, p;
        for (i = 0; i < 31; i = i + 1) begin : g_bit
          if (n == 0) begin : g_first
            assign g[i] = a[i] & b[i];
            assign p[i] = a[i] ^ b[i];
          end else if ((i >> (n - 1)) % 2 == 1) begin : g_join
            assign g[i] = g_step[n-1].g[i] | (g_step[n-1].p[i] & g_step[n-1].g[(i>>(n-1)<<(n-1))-1]);
            assign p[i] = g_step[n-1].p[i] & g_step[n-1].p[(i>>(n-1)<<(n-1))-1];
          end else begin : g_same
            assign g[i] = g_step[n-1].g[i];
            assign p[i] = g_step[n-1].p[i];
          end
        end
      end
      assign sum = a ^ b ^ {g_step[5].g, 1'b0};
      wire unused = &{1'b0, g_step[5].p};
    end else begin : g_fast
      // g: a carry leaves bit i of these 2^n bits by itself; p: it does if one enters them. The
      // carry out of bit 31 is nobody's.
      genvar n;
      for (n = 0; n <= 5; n = n + 1) begin : g_step
        wire [30:0] g, p;
        if (n == 0) begin : g_bits
          assign g = a[30:0] & b[30:0];
          assign p = a[30:0] ^ b[30:0];
        end else begin : g_join
          assign g = g_step[n-1].g | (g_step[n-1].p & (g_step[n-1].g << (1 << (n - 1))));
          assign p = g_step[n-1].p & (g_step[n-1].p << (1 << (n - 1)));
        end
      end
      assign sum = a ^ b ^ {g_step[5].g, 1'b0};
      wire unused = &{1'b0, g_step[5].p};
    end
  endgenerate
endmodule

`default_nettype wire
