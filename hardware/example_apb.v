// SPDX-License-Identifier: Apache-2.0 OR MIT
// A core behind APB: a master loads a key, encrypts a block and reads the result. It waits for the interrupt.
// From the top of the repository:
//
//   iverilog -g2005 -y hardware/rtl -y hardware/rtl/tables -y hardware/rtl/chip -o example hardware/example_apb.v
//   ./example
//
// With +vcd=FILE it writes the signals of the bus there. docs/hardware.md lists the registers. Key and texts are
// the third of the published known answers (vectors/twofish_ecb_tbl.rsp).
`timescale 1ns / 1ns
`default_nettype none

module example_apb;
  reg clk = 0, resetn = 0, psel = 0, penable = 0, pwrite = 0;
  reg [6:0] paddr = 0;
  reg [31:0] pwdata = 0;
  wire pready, pslverr, irq;
  wire [31:0] prdata;

  twofish_apb #(.ROW(4)) twofish (
    .pclk(clk), .presetn(resetn), .psel(psel), .penable(penable), .pwrite(pwrite), .paddr(paddr),
    .pwdata(pwdata), .pstrb(4'hf), .pready(pready), .prdata(prdata), .pslverr(pslverr), .irq(irq)
  );

  always #5 clk = !clk;

  // Byte 0 has the lowest bits in the registers, and stands first in what people and papers write.
  function [127:0] bytes(input [127:0] written);
    integer i;
    for (i = 0; i < 16; i = i + 1) bytes[8*i+:8] = written[8*(15-i)+:8];
  endfunction

  task transfer(input write, input [6:0] address);
    begin
      {psel, pwrite, paddr} <= {1'b1, write, address};
      @(posedge clk);
      penable <= 1;
      @(posedge clk);
      while (!pready) @(posedge clk);
      {psel, penable} <= 0;
    end
  endtask

  task write(input [6:0] address, input [31:0] value);
    begin
      pwdata <= value;
      transfer(1, address);
    end
  endtask

  task write_block(input [6:0] address, input [127:0] block);
    integer i;
    for (i = 0; i < 4; i = i + 1) write(address + 4 * i, block[32*i+:32]);
  endtask

  // All events are cleared when one has come.
  task wait_for_event;
    begin
      while (!irq) @(posedge clk);
      write(7'h14, 32'h7);
    end
  endtask

  integer i;
  reg [127:0] result;
  reg [8*200-1:0] name;

  initial begin
    if ($value$plusargs("vcd=%s", name)) begin
      $dumpfile(name);
      $dumpvars(1, twofish);
    end
    repeat (2) @(posedge clk);
    resetn <= 1;
    transfer(0, 7'h10);
    while (prdata[2]) transfer(0, 7'h10);  // STATUS.BUSY: it wipes itself after the reset
    write(7'h18, 32'h3);                   // ENABLE: results and keys
    write_block(7'h40, bytes(128'h9f589f5cf6122c32b6bfec2f2ae8c35a));
    wait_for_event;
    write_block(7'h60, bytes(128'hd491db16e7b1c39e86cb086b789f5419));
    write(7'h0c, 32'h1);                   // CONTROL.START, without DECRYPT
    wait_for_event;
    for (i = 0; i < 4; i = i + 1) begin
      transfer(0, 7'h70 + 4 * i);
      result[32*i+:32] = prdata;
    end
    $display("encrypted: %h", bytes(result));
    write(7'h0c, 32'h4);                   // CONTROL.CLEAR
    $finish;
  end
endmodule

`default_nettype wire
