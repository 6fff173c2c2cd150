// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// rtl/twofish_ram.v of latches and gates, to tell what a bit of RAM takes of these cells. A word opens in the
// high half of the clock after `write`, by its row's gated clock and its column.
`default_nettype none

module ram_of_latches #(
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
  localparam integer ROWS = 1 << (ADDRESS_BITS / 2);
  localparam integer COLUMNS = 1 << (ADDRESS_BITS - ADDRESS_BITS / 2);

  reg [WIDTH-1:0] written;
  reg [ADDRESS_BITS-1:0] read;
  always @(posedge clk) begin
    written <= write_data;
    read <= address;
  end

  wire [ADDRESS_BITS/2-1:0] row;
  wire [ADDRESS_BITS-ADDRESS_BITS/2-1:0] column;
  assign {row, column} = write_address;
  reg [ROWS-1:0] rows;
  reg [COLUMNS-1:0] columns;
  always @* if (!clk) rows = {{(ROWS - 1) {1'b0}}, write} << row;
  always @* if (!clk) columns = {{(COLUMNS - 1) {1'b0}}, 1'b1} << column;

  wire [ROWS*COLUMNS*WIDTH-1:0] words;
  genvar i, j;
  generate
    for (i = 0; i < ROWS; i = i + 1) begin : g_row
      wire row_clk = rows[i] & clk;
      for (j = 0; j < COLUMNS; j = j + 1) begin : g_word
        wire open = row_clk & columns[j];
        reg [WIDTH-1:0] word;
        always @* if (open) word = written;
        assign words[WIDTH*(COLUMNS*i+j)+:WIDTH] = word;
      end
    end
  endgenerate
  assign data = words[WIDTH*read+:WIDTH];
endmodule

`default_nettype wire
