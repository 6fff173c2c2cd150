; SPDX-License-Identifier: Apache-2.0 OR MIT
; The 40 subkeys are kept in RAM, 160 bytes; S-boxes are computed from S when they are needed, by
; a g that is written out at each place.

#include "subkeys_in_ram.S"

; F0, F1. Of the five bytes that lead to F0 four stay; the fifth serves F1 already.
#define F0_0 r16
#define F0_1 r24
#define F0_2 r19
#define F0_3 r18
#define F1_0 r17
#define F1_1 r23
#define F1_2 r22
#define F1_3 r21
; The result of h_of_index.
#define z0 r16
#define z1 r24
#define z2 r19
#define z3 r18
#include "words.S"
#include "h.S"

; g_to_F0 - g of a word into F0; all but F1, X and Y may be lost
.macro g_to_F0 x0, x1, x2, x3
    enter_q r16, r17, r18, r19, \x0, \x1, \x2, \x3
    q_levels r16, r17, r18, r19
    mds     r16, r17, r18, r19, r24, r25
.endm

; g_to_F1 - g of a word into F1; F0 stays
.macro g_to_F1 x0, x1, x2, x3
    enter_q r17, r20, r21, r22, \x0, \x1, \x2, \x3
    q_levels r17, r20, r21, r22
    mds     r17, r20, r21, r22, r23, r25
.endm

; set_y - Y as g wants it
.macro set_y
    ldi     YL, lo8(twofish_s)
    ldi     YH, hi8(twofish_s)
.endm

    .section .text.twofish_cipher
#include "rounds.S"

#include "rs.S"
; h_of_index - h of a word of four equal bytes
;   in     ZL: the byte, Y: L_0
;   out    z0..z3; r17, r25, Z are lost
;   cost   146 bytes, 104 clocks (avr_stored, avr_stored_fast)
;   time   constant
h_of_index:
    enter_q_same r16, r17, r18, r19
    q_levels r16, r17, r18, r19
    mds     r16, r17, r18, r19, r24, r25
    ret
#include "keys.S"

; twofish_set_key - S and the subkeys
;   in     twofish_key
;   out    twofish_s, twofish_memory; all registers are lost
;   cost   4 bytes, 5,634 clocks (avr_stored, avr_stored_fast)
;   time   constant
    .global twofish_set_key
twofish_set_key:
    rcall   twofish_rs
    rjmp    store_subkeys
