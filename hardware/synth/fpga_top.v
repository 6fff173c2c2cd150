// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A core behind a port of a byte, since it has more signals than small FPGAs have pins. `CORE is its module.
// Bytes of a key word or a block shift in with `shift`, the last one last; `load` then offers them as
// `kind` says. A result shifts out a byte a clock. All that goes to the core comes from registers.
`default_nettype none

module fpga_top (
  input  wire       clk,
  input  wire       rst,
  input  wire       zeroise,
  input  wire       shift,
  input  wire [7:0] byte_in,
  input  wire       load,
  input  wire       kind,
  input  wire       decrypt,
  input  wire       take,
  output reg        key_ready,
  output reg        in_ready,
  output reg        out_valid,
  output wire [7:0] byte_out
);
  reg reset, wipe, shifting, key_valid, in_valid, in_decrypt, out_ready;
  reg [7:0] next_byte;
  reg [127:0] in, out;
  wire core_key_ready, core_in_ready, core_out_valid;
  wire [127:0] result;

  assign byte_out = out[7:0];

  always @(posedge clk) begin
    {reset, wipe, shifting, next_byte} <= {rst, zeroise, shift, byte_in};
    {key_valid, in_valid} <= {load & ~kind, load & kind};
    {in_decrypt, out_ready} <= {decrypt, take};
    {key_ready, in_ready, out_valid} <= {core_key_ready, core_in_ready, core_out_valid};
    if (shifting) in <= {next_byte, in[127:8]};
    out <= core_out_valid & out_ready ? result : {8'h00, out[127:8]};
  end

  `CORE core (
    .clk(clk), .rst(reset), .zeroise(wipe),
    .key_valid(key_valid), .key_ready(core_key_ready), .key_data(in[127:96]),
    .in_valid(in_valid), .in_ready(core_in_ready), .in_decrypt(in_decrypt), .in_data(in),
    .out_valid(core_out_valid), .out_ready(out_ready), .out_data(result)
  );
endmodule

`default_nettype wire
