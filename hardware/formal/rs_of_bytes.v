// SPDX-License-Identifier: Apache-2.0 OR MIT
// A word of the key through RS by four steps of a byte, to be compared with twofish_rs.
`default_nettype none

module rs_of_bytes (
  input  wire [31:0] s,
  input  wire [31:0] m,
  output wire [31:0] next
);
  wire [31:0] s1, s2, s3;

  twofish_rs_byte byte_3 (.s(s), .m(m[31:24]), .next(s1));
  twofish_rs_byte byte_2 (.s(s1), .m(m[23:16]), .next(s2));
  twofish_rs_byte byte_1 (.s(s2), .m(m[15:8]), .next(s3));
  twofish_rs_byte byte_0 (.s(s3), .m(m[7:0]), .next(next));
endmodule

`default_nettype wire
