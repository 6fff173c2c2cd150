; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of g in memory: s_0, s_1, s_2, s_3, 256 bytes each, divided by x for stored_mds.asm.

; s_boxes_in_memory - y = the S-boxes of g over x, of the bytes at i0, i1, i2, i3
;   in     4 bytes of the text
;   out    y0..y3, y2 in A as well; X is lost
;   RAM    y
;   cost   28 bytes (sboxes_2tables)
;   time   constant: 48 clocks
    .macro s_boxes_in_memory i0, i1, i2, i3
    ldx *i0
    lda twofish_sboxes,x
    sta *y0
    ldx *i1
    lda twofish_sboxes+0x100,x
    sta *y1
    ldx *i3
    lda twofish_sboxes+0x300,x
    sta *y3
    ldx *i2
    lda twofish_sboxes+0x200,x
    sta *y2
    .endm
