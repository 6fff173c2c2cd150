// SPDX-License-Identifier: Apache-2.0 OR MIT
// The 40 subkeys [Twofish98, 4.3.4] in latches, flip-flops or RAM. They are written in pairs
// (K_2i, K_2i+1); pairs 0 to 3, which whiten, can be seen all the time, of the other 16 the one of the
// round.
//
// write, write_pair   up in the clock before the one in which write_data shows the pair, straight from
//                     flip-flops; it is kept from the end of that clock on: see twofish_copy.v
// next_round          taken at each rising edge: the pair of round next_round, K_(2r+8) and K_(2r+9), is
//                     on `pair` in the clock after. It must not be the pair kept from that edge on.
// next_read           taken likewise: if it is low, `pair` is 0 in the clock after
//
// The words that whiten are in flip-flops with STORE = "RAM". To clear the store, write zeros.
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
    if (STORE == "RAM") begin : g_ram
      twofish_store_ram rounds (
        .clk(clk), .write(|writes[19:4]), .write_address(write_pair[3:0]), .write_data(write_data),
        .next_read(next_read), .next_round(next_round), .pair(pair)
      );
    end else begin : g_words
      twofish_store_words #(.STORE(STORE)) rounds (
        .clk(clk), .write(writes[19:4]), .write_data(write_data), .next_read(next_read),
        .next_round(next_round), .pair(pair)
      );
    end
  endgenerate
endmodule

`default_nettype wire
