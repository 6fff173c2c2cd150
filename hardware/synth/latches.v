// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Latches of yosys as those of the cells; what opens at a low enable gets an inverter.

module \$_DLATCH_P_ (input E, input D, output Q);
  LATCH l (.CLK(E), .D(D), .Q(Q));
endmodule

module \$_DLATCH_N_ (input E, input D, output Q);
  LATCH l (.CLK(!E), .D(D), .Q(Q));
endmodule
