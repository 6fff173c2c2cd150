; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; RAM: page zero, the stack (page 1), and from page 2 what S-boxes need.

        .zeropage
twofish_key:    .res 8 * k      ; M_0, M_1, ..
.if small
; S_(k-1) .. S_0 as far from each other as words of M_even and M_odd are, so that h finds L_0 of all three at
; twofish_key + X. What is in between has other uses.
M_EVEN = 0
M_ODD = 4
S_LIST = 8 * k
  .if k = 4
twofish_s3:     .res 8
  .endif
  .if k >= 3
twofish_s2:     .res 8
  .endif
twofish_s1:     .res 4
column:         .res 4          ; of h, in and out
twofish_s:      .res 4
index:          .res 1
.else
twofish_s:      .res 4 * k      ; S_0, S_1, ..: the list S of g from its last word on [Twofish98, 4.3]
.endif
.if stored
PAIRS = 20
.if prepared = 0
twofish_memory:
.endif
.if prepared
        .segment "MEMORY"       ; begins at a page
twofish_memory:
sbox:           .res 4 * 256    ; y_0 .. y_3 for each byte
.if full
sbox_EF:        .res 4 * 256    ; EF times these
sbox_5B:        .res 4 * 256
.endif
.endif
; Byte j of word w of the pair K_(2i), K_(2i+1) is at K + PAIRS (4w + j) + i, so X = i is the index of all.
; The form of the words is in round.s.
K:              .res 8 * PAIRS
        .zeropage
.endif

twofish_text:
R0:             .res 4
R1:             .res 4
R2:             .res 4
R3:             .res 4
T0:             .res 4
T1:             .res 4
.if full = 0 && small = 0
column:         .res 4          ; y_0 .. y_3, which MDS is multiplied by
.endif
.if mds_tables < 2 && full = 0 && small = 0
sum:            .res 1          ; y_0 ^ y_1 ^ y_2 ^ y_3
.endif
