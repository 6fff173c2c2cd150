; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of g from S on the card.

; fill_s_box - box[y] = the S-box of g named over x, for each byte y
;   in     twofish_s
;   out    256 bytes at box; X = 0, A is lost
;   RAM    index
;   cost   32 bytes (sboxes_oncard)
;   time   constant: 13,827 clocks
    .macro fill_s_box s_box, box, table_128, table_192, table_256, ?next
    clrx
next:
    stx *index
    s_first index,table_128,table_192,table_256
    s_box S_last,-8
    q_level half_table
    ldx *index
    sta box,x
    incx
    bne next
    .endm

; expand_sboxes - S, then all S-boxes; twofish_set_key ends here
;   in     twofish_key
;   out    twofish_s, twofish_sboxes; A and X are lost
;   RAM    index and what twofish_rs takes, 4 bytes of stack
;   cost   132 bytes (sboxes_oncard)
;   time   constant, but for twofish_rs
expand_sboxes:
    jsr twofish_rs
    fill_s_box s_box_0,twofish_sboxes,q0,q1,q1
    fill_s_box s_box_1,twofish_sboxes+0x100,q1,q1,q0
    fill_s_box s_box_2,twofish_sboxes+0x200,q0,q0,q0
    fill_s_box s_box_3,twofish_sboxes+0x300,q1,q0,q1
    rts
