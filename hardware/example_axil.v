// SPDX-License-Identifier: Apache-2.0 OR MIT
// A core behind AXI4-Lite: a master loads a key, encrypts a block and reads the result. It waits for the interrupt.
// From the top of the repository:
//
//   iverilog -g2005 -y hardware/rtl -y hardware/rtl/tables -y hardware/rtl/chip -o example hardware/example_axil.v
//   ./example
//
// With +vcd=FILE it writes the signals of the bus there. docs/hardware.md lists the registers. Key and texts are
// the third of the published known answers (vectors/twofish_ecb_tbl.rsp).
`timescale 1ns / 1ns
`default_nettype none

module example_axil;
  reg clk = 0, resetn = 0, awvalid = 0, wvalid = 0, arvalid = 0;
  reg [6:0] awaddr = 0, araddr = 0;
  reg [31:0] wdata = 0;
  wire awready, wready, bvalid, arready, rvalid, irq;
  wire [1:0] bresp, rresp;
  wire [31:0] rdata;

  twofish_axil #(.ROW(4)) twofish (
    .aclk(clk), .aresetn(resetn),
    .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr),
    .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(4'hf),
    .s_axil_bvalid(bvalid), .s_axil_bready(1'b1), .s_axil_bresp(bresp),
    .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr),
    .s_axil_rvalid(rvalid), .s_axil_rready(1'b1), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
    .irq(irq)
  );

  always #5 clk = !clk;

  // Byte 0 has the lowest bits in the registers, and stands first in what people and papers write.
  function [127:0] bytes(input [127:0] written);
    integer i;
    for (i = 0; i < 16; i = i + 1) bytes[8*i+:8] = written[8*(15-i)+:8];
  endfunction

  // The slave takes address and data at once: it has room for one of each.
  task write(input [6:0] address, input [31:0] value);
    begin
      {awvalid, awaddr, wvalid, wdata} <= {1'b1, address, 1'b1, value};
      @(posedge clk);
      while (!awready | !wready) @(posedge clk);
      {awvalid, wvalid} <= 0;
      @(posedge clk);
      while (!bvalid) @(posedge clk);
    end
  endtask

  // What comes is in rdata when this ends.
  task read(input [6:0] address);
    begin
      {arvalid, araddr} <= {1'b1, address};
      @(posedge clk);
      while (!arready) @(posedge clk);
      arvalid <= 0;
      @(posedge clk);
      while (!rvalid) @(posedge clk);
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
    read(7'h10);
    while (rdata[2]) read(7'h10);  // STATUS.BUSY: it wipes itself after the reset
    write(7'h18, 32'h3);                   // ENABLE: results and keys
    write_block(7'h40, bytes(128'h9f589f5cf6122c32b6bfec2f2ae8c35a));
    wait_for_event;
    write_block(7'h60, bytes(128'hd491db16e7b1c39e86cb086b789f5419));
    write(7'h0c, 32'h1);                   // CONTROL.START, without DECRYPT
    wait_for_event;
    for (i = 0; i < 4; i = i + 1) begin
      read(7'h70 + 4 * i);
      result[32*i+:32] = rdata;
    end
    $display("encrypted: %h", bytes(result));
    write(7'h0c, 32'h4);                   // CONTROL.CLEAR
    $finish;
  end
endmodule

`default_nettype wire
