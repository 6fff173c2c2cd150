// SPDX-License-Identifier: Apache-2.0 OR MIT
// Waits for a LED of the board, in simulation of its source or its netlist.
`timescale 1ns / 1ps

module bench;
  reg clk = 0;
  wire good, bad;
  board board (.clk(clk), .good(good), .bad(bad));
  always #40 clk = !clk;  // 12.5 MHz

  initial begin
    fork : until_one
      begin wait (good | bad); disable until_one; end
      begin #200000; disable until_one; end  // 2,500 clocks
    join
    if (good !== 1 || bad !== 0) begin
      $display("wrong: good %b, bad %b after %0d ns", good, bad, $time);
      $fatal;
    end
    $display("good after %0d clocks", $time / 80);
    $finish;
  end
endmodule
