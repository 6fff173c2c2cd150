// SPDX-License-Identifier: Apache-2.0 OR MIT
// A copy of a register, in latches or in flip-flops. With STORE = "LATCHES" a bit takes 2.3 gate
// equivalents, where a flip-flop that can hold takes 6.
//
// `take` goes up in the clock before the one in which `d` shows what is to be copied; `d` must come
// straight from flip-flops. q is the copy from the end of that clock on (the latches show it through that
// clock already).
//
// The latches are open in the high half of that clock, so that they close well before `d` changes; the
// latch before the AND keeps the clock that opens them free of glitches.
`default_nettype none

module twofish_copy #(
  parameter integer WIDTH = 32,
  parameter [55:0] STORE = "LATCHES"
) (
  input  wire             clk,
  input  wire             take,
  input  wire [WIDTH-1:0] d,
  output wire [WIDTH-1:0] q
);
  reg [WIDTH-1:0] word;
  reg taking;

  assign q = word;

  generate
    if (STORE == "LATCHES") begin : g_latches
      wire open = taking & clk;
      // verilator lint_off LATCH
      always @* if (!clk) taking = take;
      always @* if (open) word = d;
      // verilator lint_on LATCH
    end else begin : g_flops
      always @(posedge clk) begin
        taking <= take;
        if (taking) word <= d;
      end
    end
  endgenerate
endmodule

`default_nettype wire
