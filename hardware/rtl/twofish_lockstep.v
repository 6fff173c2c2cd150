// SPDX-License-Identifier: Apache-2.0 OR MIT
// Two cores that do the same, one a clock behind the other, against faults: a result is released only while both
// have it, and any difference between them raises `alert`. So key, subkeys, counters, states and gates are all
// there twice, and faults are found that pass and that last.
//
// Ports     those of all cores, and
// alert     the cores have differed, or the register that says so has. From then on no word, block or result
//           passes, and both cores are wiped. It stays until rst; zeroise does not end it.
// Blocks    as with the core of that row, but a result is offered a clock later, and leaves the core then. With
//           a core that takes the next block in the clock of a result, a block takes a clock more.
// Key       start-up as with that core
// zeroise   and rst: as with that core; the second one has wiped a clock later.
//
// The second core gets everything through registers, so a glitch of the clock or of the supply meets two
// different states. The handshakes of the cores are compared in every clock, results while both offer one: the
// first core keeps its own until that of the second leaves.
`default_nettype none

module twofish_lockstep #(
  parameter integer ROW = 4,  // the cores: see twofish_row
  parameter integer KEY_BITS = 128,
  parameter integer ENCRYPT = 1,
  parameter integer DECRYPT = 1,
  parameter STORE = "LATCHES"
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         zeroise,
  input  wire         key_valid,
  output wire         key_ready,
  input  wire [ 31:0] key_data,
  input  wire         in_valid,
  output wire         in_ready,
  input  wire         in_decrypt,
  input  wire [127:0] in_data,
  output wire         out_valid,
  input  wire         out_ready,
  output wire [127:0] out_data,
  output wire         alert
);
  // All but SOUND is an alert, and two bits are between the two.
  localparam [1:0] SOUND = 2'b01, ALERT = 2'b10;
  localparam integer WIDTH = 6 + 32 + 128;

  reg [1:0] state;
  reg wiped;

  assign alert = state != SOUND;
  wire wipe = zeroise | (alert & ~wiped);

  // --- the first core, and what it was given and said, a clock later ---------------------------------------

  wire key_ready_0, in_ready_0, out_valid_0, key_ready_1, in_ready_1, out_valid_1;
  wire [127:0] out_data_0, out_data_1;
  wire leave;  // of a result
  wire rst_1, wipe_1, key_valid_1, in_valid_1, in_decrypt_1, leave_1;
  wire [31:0] key_data_1;
  wire [127:0] in_data_1;
  wire [2:0] said;

  wire key_valid_0 = key_valid & ~alert;
  wire in_valid_0 = in_valid & ~alert;

  twofish_row #(
    .ROW(ROW), .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
  ) core_0 (
    .clk(clk), .rst(rst), .zeroise(wipe),
    .key_valid(key_valid_0), .key_ready(key_ready_0), .key_data(key_data),
    .in_valid(in_valid_0), .in_ready(in_ready_0), .in_decrypt(in_decrypt), .in_data(in_data),
    .out_valid(out_valid_0), .out_ready(leave), .out_data(out_data_0)
  );

  twofish_cut #(.WIDTH(WIDTH + 3)) later (
    .clk(clk), .enable(1'b1),
    .d({rst, wipe, key_valid_0, in_valid_0, in_decrypt & in_valid_0, leave,
        key_data & {32{key_valid_0}}, in_data & {128{in_valid_0}}, key_ready_0, in_ready_0, out_valid_0}),
    .q({rst_1, wipe_1, key_valid_1, in_valid_1, in_decrypt_1, leave_1, key_data_1, in_data_1, said})
  );

  twofish_row #(
    .ROW(ROW), .KEY_BITS(KEY_BITS), .ENCRYPT(ENCRYPT), .DECRYPT(DECRYPT), .STORE(STORE)
  ) core_1 (
    .clk(clk), .rst(rst_1), .zeroise(wipe_1),
    .key_valid(key_valid_1), .key_ready(key_ready_1), .key_data(key_data_1),
    .in_valid(in_valid_1), .in_ready(in_ready_1), .in_decrypt(in_decrypt_1), .in_data(in_data_1),
    .out_valid(out_valid_1), .out_ready(leave_1), .out_data(out_data_1)
  );

  // --- comparison --------------------------------------------------------------------------------------------

  wire both = out_valid_0 & out_valid_1 & ~leave_1;
  wire same = out_data_0 == out_data_1;
  wire differ = said != {key_ready_1, in_ready_1, out_valid_1} | both & ~same;

  always @(posedge clk) begin
    if (rst) state <= SOUND;
    else if (alert | differ & ~rst_1) state <= ALERT;
    wiped <= alert & ~rst;
  end

  // --- outside -----------------------------------------------------------------------------------------------

  assign key_ready = key_ready_0 & ~alert;
  assign in_ready = in_ready_0 & ~alert;
  assign out_valid = both & same & ~alert;
  assign out_data = out_data_1 & {128{out_valid}};
  assign leave = both & out_ready & ~alert;
endmodule

`default_nettype wire
