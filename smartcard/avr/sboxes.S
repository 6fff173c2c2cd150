; SPDX-License-Identifier: Apache-2.0 OR MIT
; The 40 subkeys and the four S-boxes of g are kept in RAM, 1184 bytes. S-boxes give u = y/x, which
; costs nothing here and spares MDS work (mds.S).

#define S_BOXES_IN_RAM
#include "subkeys_in_ram.S"

; F0, F1 as in stored.S, and the result of h_of_index.
#define F0_0 r16
#define F0_1 r24
#define F0_2 r19
#define F0_3 r18
#define F1_0 r17
#define F1_1 r23
#define F1_2 r22
#define F1_3 r21
#define z0 r16
#define z1 r24
#define z2 r19
#define z3 r18
#include "words.S"
#include "h.S"

; s_look - \y = byte \x through an S-box other than 0
;   out    ZL and ZH are lost
;   cost   6 bytes
;   time   4 clocks
.macro s_look y, box, x
    mov     ZL, \x
    ldi     ZH, hi8(s_boxes + 256 * \box)
    ld      \y, Z
.endm

; s_looks - four bytes through theirs
;   in     YH: the page of S-box 0
;   out    \y0..\y3; YL, ZL and ZH are lost
.macro s_looks y0, y1, y2, y3, x0, x1, x2, x3
    mov     YL, \x0
    ld      \y0, Y
    s_look  \y1, 1, \x1
    s_look  \y2, 2, \x2
    s_look  \y3, 3, \x3
.endm

; g_to_F0 - g of a word into F0
.macro g_to_F0 x0, x1, x2, x3
    s_looks r16, r17, r18, r19, \x0, \x1, \x2, \x3
    mds_of_u r16, r17, r18, r19, r24, r25
.endm

; g_to_F1 - g of a word into F1; F0 stays
.macro g_to_F1 x0, x1, x2, x3
    s_looks r17, r20, r21, r22, \x0, \x1, \x2, \x3
    mds_of_u r17, r20, r21, r22, r23, r25
.endm

; set_y - Y as g wants it: ld takes its upper half as the page of S-box 0
.macro set_y
    ldi     YH, hi8(s_boxes)
.endm

    .section .text.twofish_cipher
#include "rounds.S"

#include "rs.S"
; s_of_index - h without MDS of a word of four equal bytes, over x: an entry of each S-box
;   in     ZL: the byte, Y: L_0
;   out    r16..r19; Z is lost
;   cost   96 bytes, 79 clocks (avr_sboxes)
;   cost   66 bytes, 64 clocks (avr_sboxes_tables)
;   time   constant
s_of_index:
    enter_q_same r16, r17, r18, r19
    q_levels r16, r17, r18, r19
.if !u_tables
.irp y, r16, r17, r18, r19
    half_of \y, ZL
.endr
.endif
    ret

; h_of_index - h of a word of four equal bytes
;   in     ZL: the byte, Y: L_0
;   out    z0..z3; r17, r25, Z are lost
;   cost   84 bytes, 126 clocks (avr_sboxes)
;   cost   84 bytes, 111 clocks (avr_sboxes_tables)
;   time   constant
h_of_index:
    rcall   s_of_index
    mds_of_u r16, r17, r18, r19, r24, r25
    ret
#include "keys.S"

; twofish_set_key - S, the subkeys and the S-boxes
;   in     twofish_key
;   out    twofish_s, twofish_memory; all registers are lost
;   cost   34 bytes, 31,604 clocks (avr_sboxes, avr_sboxes_fast)
;   cost   34 bytes, 27,164 clocks (avr_sboxes_tables)
;   time   constant
    .global twofish_set_key
twofish_set_key:
    rcall   twofish_rs
    ldi     YL, lo8(twofish_s)
    ldi     YH, hi8(twofish_s)
    ldi     XL, 0
1:  mov     ZL, XL
    rcall   s_of_index
    ldi     XH, hi8(s_boxes)
    st      X, r16
    inc     XH
    st      X, r17
    inc     XH
    st      X, r18
    inc     XH
    st      X, r19
    inc     XL
    brne    1b
    rjmp    store_subkeys
