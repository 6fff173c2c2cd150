; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of g in memory: s_0, s_1, s_2, s_3, 256 bytes each: divided by x for stored_mds.asm, and as
; they are for fly.asm.

; s_boxes_in_memory - y = the S-boxes of g in memory, of the bytes at i0, i1, i2, i3
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

; keep_entry - an entry into an S-box
;   in     A: the entry; byte, the address of the S-box in twofish_sboxes
;   out    the S-box; X = byte; A is lost
;   RAM    none
;   cost   5 bytes (fly_sboxes)
;   cost   9 bytes (sboxes_oncard)
;   time   constant: 9 clocks, and 7 to divide by x
    .macro keep_entry at
    .ifne keeps
    q_level half_table
    .endif
    ldx *byte
    sta twofish_sboxes+at,x
    .endm
