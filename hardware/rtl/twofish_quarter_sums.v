// SPDX-License-Identifier: Apache-2.0 OR MIT
// Adds up what h gives, a byte a clock, the lowest byte first: P becomes K_2i, then F0, and Q becomes
// K_(2i+1), then F1 [Twofish98, 4.1, 4.3.4], of which it rotates the subkey by nine bits. Both are rings
// of four bytes that never stop.
//
// z       in four clocks A, in four B, then in a round g(R0) and g(R1 <<< 8)
// odd, g  which of them it is; in a clock of phase 3 all is done
// white   f0, f1 are K_2i and K_(2i+1) instead of the sums, in the four clocks after B
`default_nettype none

module twofish_quarter_sums (
  input  wire       clk,
  input  wire [1:0] phase,
  input  wire       odd,
  input  wire       g,
  input  wire       white,
  input  wire [7:0] z,
  output wire [7:0] f0,
  output wire [7:0] f1
);
  reg [31:0] p, q;
  reg carry_p, carry_q;
  reg z_top;        // the highest bit of the last z
  reg [7:0] last_q;  // the byte that left Q
  reg last_top;     // the highest bit of the one before

  wire begins = phase == 2'd0;
  wire ends = phase == 2'd3;
  wire adds = odd | g;

  // Byte j of Q <<< 9 consists of bits of the bytes j - 1 and j - 2. Byte 3 is the highest of the ring in
  // phase 0, and the one below in phase 1.
  wire [6:0] rotated = begins ? q[30:24] : last_q[6:0];
  wire rotated_bit = phase[1] ? last_top : q[23];
  wire [7:0] key_q = odd ? q[7:0] : {rotated, rotated_bit};
  wire [7:0] twice_z = {z[6:0], z_top & ~begins};

  // With the carry of the byte before at the lowest end.
  wire [9:0] sum_p = {1'b0, p[7:0] & {8{adds}}, 1'b1} + {1'b0, z, carry_p};
  wire [9:0] sum_q = {1'b0, key_q & {8{adds}}, 1'b1} + {1'b0, odd ? twice_z : z, carry_q};
  wire unused = &{1'b0, sum_p[0], sum_q[0]};

  assign f0 = white ? p[7:0] : sum_p[8:1];
  assign f1 = white ? key_q : sum_q[8:1];

  always @(posedge clk) begin
    p <= {sum_p[8:1], p[31:8]};
    q <= {sum_q[8:1], q[31:8]};
    carry_p <= sum_p[9] & ~ends;
    carry_q <= sum_q[9] & ~ends;
    z_top <= z[7];
    last_q <= q[7:0];
    last_top <= last_q[7];
  end
endmodule

`default_nettype wire
