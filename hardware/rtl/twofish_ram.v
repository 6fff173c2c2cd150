// SPDX-License-Identifier: Apache-2.0 OR MIT
// A RAM with one port to write and one to read, as block RAMs of FPGAs and RAM compilers have it: the word
// at `address` as it is at the clock edge is on `data` in the clock after. A word must not be read at the
// edge that writes it.
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
  output reg  [       WIDTH-1:0] data
);
  reg [WIDTH-1:0] words[0:(1<<ADDRESS_BITS)-1];

  always @(posedge clk) begin
    if (write) words[write_address] <= write_data;
    data <= words[address];
  end
endmodule

`default_nettype wire
