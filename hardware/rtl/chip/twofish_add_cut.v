// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sum of two words in CUTS + 1 stages: a stage adds 32 / (CUTS + 1) bits, rounded up, with carries as
// in twofish_add with FAST, the lowest first. Between stages stand the bits that are done, a carry, and
// of the others whether they make (g) or pass on (p) a carry.
`default_nettype none

module twofish_add_cut #(
  parameter integer CUTS = 1
) (
  input  wire        clk,
  input  wire        enable,
  input  wire [31:0] a,
  input  wire [31:0] b,
  output wire [31:0] sum
);
  localparam integer PART = (32 + CUTS) / (CUTS + 1);

  genvar i, n;
  generate
    for (i = 0; i <= CUTS; i = i + 1) begin : g_stage
      localparam integer LOW = i * PART;
      localparam integer HIGH = LOW + PART < 32 ? LOW + PART : 32;
      wire [31:0] g, p;  // p of bits that are done is the sum
      wire carry_in;
      wire [31:0] p_next;

      if (i == 0) begin : g_first
        assign g = a & b;
        assign p = a ^ b;
        assign carry_in = 1'b0;
      end else begin : g_next
        twofish_cut #(.WIDTH(65 - LOW)) cut (
          .clk(clk), .enable(enable),
          .d({g_stage[i-1].g[31:LOW], g_stage[i-1].p_next, g_stage[i-1].carries[PART]}),
          .q({g[31:LOW], p, carry_in})
        );
        assign g[LOW-1:0] = {LOW{1'b0}};
      end

      // Bit 0 is the carry that comes in.
      localparam integer BITS = HIGH - LOW + 1;
      for (n = 0; n <= 5; n = n + 1) begin : g_step
        wire [BITS-1:0] gs, ps;
        if (n == 0) begin : g_bits
          assign gs = {g[HIGH-1:LOW], carry_in};
          assign ps = {p[HIGH-1:LOW], 1'b0};
        end else begin : g_join
          assign gs = g_step[n-1].gs | (g_step[n-1].ps & (g_step[n-1].gs << (1 << (n - 1))));
          assign ps = g_step[n-1].ps & (g_step[n-1].ps << (1 << (n - 1)));
        end
      end
      wire [BITS-1:0] carries = g_step[5].gs;
      wire unused = &{1'b0, g_step[5].ps, carries[BITS-1], g};

      for (n = 0; n < 32; n = n + 1) begin : g_bit
        if (n >= LOW && n < HIGH) assign p_next[n] = p[n] ^ carries[n-LOW];
        else assign p_next[n] = p[n];
      end
    end
  endgenerate

  assign sum = g_stage[CUTS].p_next;
endmodule

`default_nettype wire
