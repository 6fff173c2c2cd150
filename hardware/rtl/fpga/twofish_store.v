// SPDX-License-Identifier: Apache-2.0 OR MIT
// The 40 subkeys [Twofish98, 4.3.4]: the 4 pairs that whiten are in flip-flops. The 16 of the rounds are in RAM,
// also with STORE = "LATCHES", or in flip-flops with STORE = "FLOPS". ../chip/twofish_store.v explains the ports.
`default_nettype none

module twofish_store #(
  parameter [55:0] STORE = "LATCHES"
) (
  input  wire         clk,
  input  wire         write,
  input  wire [  4:0] write_pair,
  input  wire [ 63:0] write_data,  // {K_2i+1, K_2i}
  input  wire         next_read,
  input  wire [  3:0] next_round,
  output wire [ 63:0] pair,
  output wire [255:0] whitening  // {K_7, .., K_0}
);
  wire [19:0] writes;

  genvar i;
  generate
    for (i = 0; i < 20; i = i + 1) begin : g_write
      assign writes[i] = write & (write_pair == i);
    end
    for (i = 0; i < 4; i = i + 1) begin : g_whitening
      twofish_copy #(.WIDTH(64), .STORE(STORE)) copy (
        .clk(clk), .take(writes[i]), .d(write_data), .q(whitening[64*i+:64])
      );
    end
    if (STORE == "FLOPS") begin : g_words
      twofish_store_words #(.STORE(STORE)) rounds (
        .clk(clk), .write(writes[19:4]), .write_data(write_data), .next_read(next_read),
        .next_round(next_round), .pair(pair)
      );
    end else begin : g_ram
      twofish_store_ram rounds (
        .clk(clk), .write(|writes[19:4]), .write_address(write_pair[3:0]), .write_data(write_data),
        .next_read(next_read), .next_round(next_round), .pair(pair)
      );
    end
  endgenerate
endmodule

`default_nettype wire
