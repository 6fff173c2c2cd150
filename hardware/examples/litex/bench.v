// SPDX-License-Identifier: Apache-2.0 OR MIT
// The master of the bus in the SoC of try_soc.py: a key, a block and its result, as software does it.
`timescale 1ns / 1ps

module bench;
  `include "constants.vh"
  reg clk = 0, rst = 1;
  reg [29:0] adr;
  reg [31:0] dat_w;
  reg cyc = 0, we = 0;
  wire [31:0] dat_r;
  wire ack, err;

  system system (
    .clk(clk), .rst(rst), .bus_adr(adr), .bus_dat_w(dat_w), .bus_dat_r(dat_r), .bus_sel(4'hf),
    .bus_cyc(cyc), .bus_stb(cyc), .bus_ack(ack), .bus_we(we), .bus_cti(3'd0), .bus_bte(2'd0), .bus_err(err)
  );
  always #10 clk = !clk;

  task access(input write, input [31:0] offset, inout [31:0] data);
    begin
      {cyc, we, adr, dat_w} <= {1'b1, write, ORIGIN[31:2] + offset[31:2], data};
      @(posedge clk);
      while (!ack & !err) @(posedge clk);
      if (err) $display("the bus refuses %h", offset);
      data = dat_r;
      cyc <= 0;
      @(posedge clk);
    end
  endtask

  task write(input [31:0] offset, input [31:0] value);
    reg [31:0] data;
    begin
      data = value;
      access(1, offset, data);
    end
  endtask

  // Until the core is idle: after a reset it wipes itself, then it does what it was told.
  task finish;
    reg [31:0] status;
    begin
      status = STATUS_BUSY;
      while (status & STATUS_BUSY) access(0, STATUS, status);
    end
  endtask

  // Byte 0 has the lowest bits in the registers, and stands first in what people and papers write.
  function [127:0] bytes(input [127:0] written);
    integer j;
    for (j = 0; j < 16; j = j + 1) bytes[8*j+:8] = written[8*(15-j)+:8];
  endfunction

  wire [127:0] key = bytes(128'h9f589f5cf6122c32b6bfec2f2ae8c35a);
  wire [127:0] text = bytes(128'hd491db16e7b1c39e86cb086b789f5419);
  reg [127:0] result;
  reg [31:0] data;
  integer i;

  initial begin
    repeat (4) @(posedge clk);
    rst <= 0;
    access(0, ID, data);
    $display("ID %h", data);
    finish;
    for (i = 0; i < 4; i = i + 1) write(KEY + 4 * i, key[32*i+:32]);
    finish;
    for (i = 0; i < 4; i = i + 1) write(TEXT + 4 * i, text[32*i+:32]);
    write(CONTROL, CONTROL_START);
    finish;
    for (i = 0; i < 4; i = i + 1) begin
      access(0, RESULT + 4 * i, data);
      result[32*i+:32] = data;
    end
    $display("encrypted: %h", bytes(result));
    if (bytes(result) !== 128'h019f9809de1711858faac3a3ba20fbc3) $fatal;
    $finish;
  end

  initial #1000000 $fatal;
endmodule
