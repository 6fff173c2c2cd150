// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Latches of yosys as those of the cells. One that is open while its enable is low gets an inverter of
// its own: a shared one would be slow, and what closes late takes the next data.

module \$_DLATCH_P_ (input E, input D, output Q);
  LATCH latch (.CLK(E), .D(D), .Q(Q));
endmodule

module \$_DLATCH_N_ (input E, input D, output Q);
  wire open;
  INVX1 inverter (.A(E), .Y(open));
  LATCH latch (.CLK(open), .D(D), .Q(Q));
endmodule
