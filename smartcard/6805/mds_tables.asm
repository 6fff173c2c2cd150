; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of g times the entries of MDS in memory [TR3, 3.2]: s_0, s_1, s_2, s_3, then EF times
; each, then 5B times each, 256 bytes each.
times_1 = twofish_sboxes
times_ef = twofish_sboxes+0x400
times_5b = twofish_sboxes+0x800

    .macro s_boxes_of_word i0,i1,i2,i3
x0 = i0
x1 = i1
x2 = i2
x3 = i3
    .endm

    .macro row t0,t1,t2,t3
    ldx *x0
    lda t0,x
    ldx *x1
    eor t1+0x100,x
    ldx *x2
    eor t2+0x200,x
    ldx *x3
    eor t3+0x300,x
    .endm

    .macro row_0
    row times_1,times_ef,times_5b,times_5b
    .endm
    .macro row_1
    row times_5b,times_ef,times_ef,times_1
    .endm
    .macro row_2
    row times_ef,times_5b,times_1,times_ef
    .endm
    .macro row_3
    row times_ef,times_1,times_ef,times_5b
    .endm
    .macro carry_out
    .endm
    .macro carry_in
    .endm
