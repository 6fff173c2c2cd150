// SPDX-License-Identifier: Apache-2.0 OR MIT
// In place of rtl/twofish_ram.v: RAMs that no synthesis looks into. cells.py says what time they take.
`default_nettype none

module twofish_ram #(
  parameter integer ADDRESS_BITS = 8,
  parameter integer WIDTH = 8
) (
  input  wire                    clk,
  input  wire                    write,
  input  wire [ADDRESS_BITS-1:0] write_address,
  input  wire [       WIDTH-1:0] write_data,
  input  wire [ADDRESS_BITS-1:0] address,
  output wire [       WIDTH-1:0] data
);
  generate
    if (ADDRESS_BITS == 8 && WIDTH == 8) begin : g_256x8
      RAM_256X8 ram (.clk(clk), .write(write), .write_address(write_address), .write_data(write_data),
        .address(address), .data(data));
    end else if (ADDRESS_BITS == 4 && WIDTH == 64) begin : g_16x64
      RAM_16X64 ram (.clk(clk), .write(write), .write_address(write_address), .write_data(write_data),
        .address(address), .data(data));
    end else begin : g_unknown
      no_such_ram ram ();
    end
  endgenerate
endmodule

`default_nettype wire
