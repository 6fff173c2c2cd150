; SPDX-License-Identifier: Apache-2.0 OR MIT
; The 40 subkeys are kept in RAM, 160 bytes; S-boxes are computed from S when they are needed. One h
; serves the subkeys and g.

#include "subkeys_in_ram.S"

#define y0 r16
#define y1 r17
#define y2 r18
#define y3 r19
#define x r24
#define s r25
#define z0 y0
#define z1 x
#define z2 y3
#define z3 y2
#define F0_0 r20
#define F0_1 r21
#define F0_2 r22
#define F0_3 r23
#define F1_0 z0
#define F1_1 z1
#define F1_2 z2
#define F1_3 z3
#include "words.S"
#include "h.S"

; g_to_F0 - g of a word into F0
.macro g_to_F0 x0, x1, x2, x3
    g_to_F1 \x0, \x1, \x2, \x3
    mov     F0_0, z0
    mov     F0_1, z1
    mov     F0_2, z2
    mov     F0_3, z3
.endm

; g_to_F1 - g of a word into F1; F0 stays
.macro g_to_F1 x0, x1, x2, x3
    enter_q y0, y1, y2, y3, \x0, \x1, \x2, \x3
    rcall   h
.endm

; set_y - Y as g wants it
.macro set_y
    ldi     YL, lo8(twofish_s)
    ldi     YH, hi8(twofish_s)
.endm

    .section .text.twofish_cipher
; h_of_index - h of a word of four equal bytes
;   in     ZL: the byte, Y: L_0
;   out    z0..z3; y1, s, Z are lost
;   cost   10 bytes, 117 clocks (avr_stored_small)
;   time   constant
h_of_index:
    enter_q_same y0, y1, y2, y3
; h - the levels of h below the first, and MDS
;   in     y0..y3 from enter_q, Y: L_0
;   out    z0..z3; y1, s, Z are lost
;   cost   162 bytes, 108 clocks (avr_stored_small)
;   time   constant
h:
    q_levels y0, y1, y2, y3
    mds     y0, y1, y2, y3, x, s
    ret

#include "rounds.S"

#include "rs.S"
#include "keys.S"

; twofish_set_key - S and the subkeys
;   in     twofish_key
;   out    twofish_s, twofish_memory; all registers are lost
;   cost   4 bytes, 6,154 clocks (avr_stored_small)
;   time   constant
    .global twofish_set_key
twofish_set_key:
    rcall   twofish_rs
    rjmp    store_subkeys
