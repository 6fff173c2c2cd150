// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A core behind AXI4-Lite [AMBA-AXI, B1]: 32-bit registers, which docs/hardware.md lists.
//
// aresetn  is looked at when aclk rises, as everything
// awaddr   and araddr: byte offsets; bits 1..0 are ignored. There is no awprot and no arprot: all may access
// wstrb    all ones, else the write is refused
// bresp    and rresp: OKAY, or SLVERR for what is refused: twofish_registers says when
//
// Addresses and data of writes may come in any order. One write and one read are under way at a time, and
// they do not wait for each other. A write to KEY is answered when it has been taken, which may have to wait
// for the word before. Outputs come from flip-flops, or a gate behind them: no input goes through to one.
// Data that were written are wiped here when they have been taken, and rdata when the master has taken it.
`default_nettype none

module twofish_axil #(
  parameter integer ROW = 4,   // the core: see twofish_row
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter STORE = "LATCHES"  // of the cores with stored subkeys
) (
  input  wire        aclk,
  input  wire        aresetn,
  input  wire        s_axil_awvalid,
  output wire        s_axil_awready,
  input  wire [ 6:0] s_axil_awaddr,
  input  wire        s_axil_wvalid,
  output wire        s_axil_wready,
  input  wire [31:0] s_axil_wdata,
  input  wire [ 3:0] s_axil_wstrb,
  output reg         s_axil_bvalid,
  input  wire        s_axil_bready,
  output wire [ 1:0] s_axil_bresp,
  input  wire        s_axil_arvalid,
  output wire        s_axil_arready,
  input  wire [ 6:0] s_axil_araddr,
  output reg         s_axil_rvalid,
  input  wire        s_axil_rready,
  output reg  [31:0] s_axil_rdata,
  output wire [ 1:0] s_axil_rresp,
  output wire        irq
);
  wire rst = ~aresetn;
  wire unused = &{1'b0, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

  // --- writes
  reg has_address, has_data, whole, write_failed;
  reg [4:0] write_word;
  reg [31:0] write_data;
  wire write_ready, write_error;
  wire write = has_address & has_data & ~s_axil_bvalid;
  wire written = write & write_ready;
  assign s_axil_awready = ~has_address;
  assign s_axil_wready = ~has_data;
  assign s_axil_bresp = {write_failed, 1'b0};
  always @(posedge aclk) begin
    has_address <= ~rst & ~written & (has_address | s_axil_awvalid);
    has_data <= ~rst & ~written & (has_data | s_axil_wvalid);
    s_axil_bvalid <= ~rst & (written | s_axil_bvalid & ~s_axil_bready);
    if (~has_address) write_word <= s_axil_awaddr[6:2];
    if (rst | written) {whole, write_data} <= 33'd0;
    else if (s_axil_wvalid & s_axil_wready) {whole, write_data} <= {&s_axil_wstrb, s_axil_wdata};
    if (written) write_failed <= write_error;
  end

  // --- reads
  reg read_failed;
  wire read = s_axil_arvalid & s_axil_arready;
  wire read_error;
  wire [31:0] read_data;
  assign s_axil_arready = ~s_axil_rvalid;
  assign s_axil_rresp = {read_failed, 1'b0};
  always @(posedge aclk) begin
    s_axil_rvalid <= ~rst & (read | s_axil_rvalid & ~s_axil_rready);
    if (rst | s_axil_rvalid & s_axil_rready) s_axil_rdata <= 32'd0;
    else if (read) s_axil_rdata <= read_data;
    if (read) read_failed <= read_error;
  end

  twofish_registers_core #(
    .ROW(ROW), .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
  ) registers (
    .clk(aclk), .rst(rst),
    .write(write), .write_ready(write_ready), .write_word(write_word), .write_whole(whole),
    .write_data(write_data), .write_error(write_error),
    .read(read), .read_word(s_axil_araddr[6:2]), .read_data(read_data), .read_error(read_error),
    .irq(irq)
  );
endmodule

`default_nettype wire
