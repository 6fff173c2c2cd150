// SPDX-License-Identifier: Apache-2.0 OR MIT
// The 16 pairs of subkeys of the rounds in a RAM of 16 x 64 bits; see twofish_store.v for the ports. Pair i
// of the 20 is at address i modulo 16.
`default_nettype none

module twofish_store_ram (
  input  wire        clk,
  input  wire        write,
  input  wire [ 3:0] write_address,
  input  wire [63:0] write_data,
  input  wire        next_read,
  input  wire [ 3:0] next_round,
  output wire [63:0] pair
);
  reg writing;
  reg [3:0] writing_address;
  reg read;
  always @(posedge clk) begin
    writing <= write;
    writing_address <= write_address;
    read <= next_read;
  end

  wire [63:0] data;
  twofish_ram #(.ADDRESS_BITS(4), .WIDTH(64)) ram (
    .clk(clk), .write(writing), .write_address(writing_address), .write_data(write_data),
    .address(next_round + 4'd4), .data(data)
  );
  assign pair = data & {64{read}};
endmodule

`default_nettype wire
