// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A core behind APB [AMBA-APB, 3]: 32-bit registers, which docs/hardware.md lists.
//
// presetn   is looked at when pclk rises, as everything
// paddr     byte offset; bits 1..0 are ignored
// pstrb     all ones in a write, else it is refused; a bus of APB3 ties it to ones
// pready    low in a write to KEY until the core has taken the word before; else high
// prdata    zeros except when a read ends
// pslverr   the access is refused: twofish_registers says when
`default_nettype none

module twofish_apb #(
  parameter integer ROW = 4,   // the core: see twofish_row
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter STORE = "LATCHES"  // of the cores with stored subkeys
) (
  input  wire        pclk,
  input  wire        presetn,
  input  wire        psel,
  input  wire        penable,
  input  wire        pwrite,
  input  wire [ 6:0] paddr,
  input  wire [31:0] pwdata,
  input  wire [ 3:0] pstrb,
  output wire        pready,
  output wire [31:0] prdata,
  output wire        pslverr,
  output wire        irq
);
  wire write = psel & penable & pwrite;
  wire read = psel & penable & ~pwrite;
  wire write_ready, write_error, read_error;
  wire [31:0] read_data;
  wire unused = &{1'b0, paddr[1:0]};

  assign pready = ~pwrite | write_ready;
  assign prdata = read_data & {32{read}};
  assign pslverr = pwrite ? write & write_ready & write_error : read & read_error;

  twofish_registers_core #(
    .ROW(ROW), .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
  ) registers (
    .clk(pclk), .rst(~presetn),
    .write(write), .write_ready(write_ready), .write_word(paddr[6:2]), .write_whole(&pstrb),
    .write_data(pwdata), .write_error(write_error),
    .read(read), .read_word(paddr[6:2]), .read_data(read_data), .read_error(read_error),
    .irq(irq)
  );
endmodule

`default_nettype wire
