; SPDX-License-Identifier: Apache-2.0 OR MIT
; Nothing is stored but the key and S: every subkey is computed when it is needed.

; y0..y3 and x, s of h; the result z0..z3 of h; the sums A, B that become K0, K1 and then F0, F1.
#define y0 r16
#define y1 r17
#define y2 r18
#define y3 r19
#define x YH
#define s YL
#define z0 r16
#define z1 YH
#define z2 r19
#define z3 r18
#define A0 r20
#define A1 r21
#define A2 r22
#define A3 r23
#define B0 r24
#define B1 r25
#define B2 r26
#define B3 r27
#define F0_0 A0
#define F0_1 A1
#define F0_2 A2
#define F0_3 A3
; B after its rotation by 9, of which 8 are a change of names
#define F1_0 B3
#define F1_1 B0
#define F1_2 B1
#define F1_3 B2
#include "words.S"
#include "h.S"
#include "rs.S"

    .section .bss.twofish, "aw", @nobits
    .balign 8                   ; M1 is in the page of M0
    .global twofish_key, twofish_s
twofish_key:
    .space  key_bytes
; The words of S lie 8 bytes apart, as those of the key that h takes; `index` is in a gap.
twofish_s:
    .space  4
index:                          ; of the next pair of subkeys
    .space  key_bytes - 8
    .global twofish_s1, twofish_s2, twofish_s3
    .equ    twofish_s1, twofish_s + 8
    .equ    twofish_s2, twofish_s + 16
    .equ    twofish_s3, twofish_s + 24

    .section .text.twofish_set_key
    .global twofish_set_key
    .set    twofish_set_key, twofish_rs

    .section .text.twofish_cipher

; h_levels - the levels of h below the first, and MDS
;   in     y0..y3 from enter_q, Y: L_0
;   out    z0..z3; y1, Y, Z are lost
;   cost   160 bytes (avr_fly_small)
;   cost   134 bytes (avr_fly, avr_fly_fast)
.macro h_levels
    q_levels y0, y1, y2, y3
    mds     y0, y1, y2, y3, x, s
.endm

; call_h - h_levels, written out or called
; call_h_of_index - h of a word of four equal bytes, likewise; in ZL: the byte, YL: lo8(L_0)
.if inline
.macro call_h
    h_levels
.endm
.macro call_h_of_index
    ldi     YH, hi8(twofish_key)
    enter_q_same y0, y1, y2, y3
    h_levels
.endm
.else
.macro call_h
    rcall   h
.endm
.macro call_h_of_index
    rcall   h_of_index
.endm

; h_of_index - h of a word of four equal bytes
;   in     ZL: the byte, YL: lo8(L_0)
;   out    z0..z3; y1, Y, Z are lost
;   cost   12 bytes, 118 clocks (avr_fly_small)
;   cost   12 bytes, 105 clocks (avr_fly)
;   cost   24 bytes, 883 clocks (avr_nibbles)
;   time   constant
h_of_index:
    ldi     YH, hi8(twofish_key)
    enter_q_same y0, y1, y2, y3
.if nibbles
    rjmp    1f
.endif
; h - h, but for the first level where that is a matter of four look-ups
;   in     y0..y3 from enter_q (with nibbles the word itself), Y: L_0
;   out    z0..z3; y1, Y, Z are lost
;   cost   162 bytes, 108 clocks (avr_fly_small)
;   cost   136 bytes, 95 clocks (avr_fly)
;   cost   206 bytes, 1,038 clocks (avr_nibbles)
;   time   constant
h:
.if nibbles
    enter_q y0, y1, y2, y3, y0, y1, y2, y3
1:
.endif
    h_levels
    ret
.endif

; subkeys - the next two [Twofish98, 4.3.4]
;   in     index: i, even
;   out    A: K_i; F1: K_(i+1); index: i + 2; y0..y3, Y, Z are lost
;   cost   66 bytes, 276 clocks (avr_fly_small)
;   cost   66 bytes, 250 clocks (avr_fly)
;   cost   354 bytes, 236 clocks (avr_fly_fast)
;   time   constant
.macro next_subkeys
    lds     ZL, index
    ldi     YL, lo8(twofish_key)
    call_h_of_index
    mov     A0, z0
    mov     A1, z1
    mov     A2, z2
    mov     A3, z3
    lds     ZL, index
    subi    ZL, -2
    sts     index, ZL
    dec     ZL
    ldi     YL, lo8(twofish_key + 4)
    call_h_of_index
    add_word A0, A1, A2, A3, z3, z0, z1, z2     ; B is z rotated by 8
    movw    B0, A0
    movw    B2, A2
    add_word B0, B1, B2, B3, z3, z0, z1, z2     ; A + 2B
    rol_word F1_0, F1_1, F1_2, F1_3
.endm

subkeys:
    next_subkeys
    ret

; g - g of a word
;   out    z0..z3; y1, Y, Z are lost
.macro g x0, x1, x2, x3
.if nibbles
    mov     y0, \x0
    mov     y1, \x1
    mov     y2, \x2
    mov     y3, \x3
.else
    enter_q y0, y1, y2, y3, \x0, \x1, \x2, \x3
.endif
    ldi     YL, lo8(twofish_s)
    ldi     YH, hi8(twofish_s)
    call_h
.endm

; F - [Twofish98, 4.1]
;   in     R0, R1, index
;   out    A: F0; F1; index + 2; y0..y3, Y, Z are lost
;   cost   96 bytes, 565 clocks (avr_fly_small)
;   cost   96 bytes, 513 clocks (avr_fly)
;   cost   710 bytes, 478 clocks (avr_fly_fast)
;   cost   72 bytes, 3,927 clocks (avr_nibbles)
;   time   constant
F:
.if inline
    next_subkeys
.else
    rcall   subkeys
.endif
    g       R0_0, R0_1, R0_2, R0_3
    add_word A0, A1, A2, A3, z0, z1, z2, z3
    add_word F1_0, F1_1, F1_2, F1_3, z0, z1, z2, z3
    g       R1_3, R1_0, R1_1, R1_2      ; rotated by 8
    add_word A0, A1, A2, A3, z0, z1, z2, z3
    add_word F1_0, F1_1, F1_2, F1_3, z0, z1, z2, z3
    add_word F1_0, F1_1, F1_2, F1_3, z0, z1, z2, z3
    ret

; whiten - two words with the next two subkeys; then the other two words take their place
;   in     index, or ZL for index
;   out    R0..R3, index + 2
;   cost   48 bytes, 303 clocks (avr_fly_small)
;   cost   48 bytes, 277 clocks (avr_fly)
;   cost   48 bytes, 263 clocks (avr_fly_fast)
;   time   constant
whiten_from:
    sts     index, ZL
whiten:
    rcall   subkeys
    xor_word R0_0, R0_1, R0_2, R0_3, A0, A1, A2, A3
    xor_word R1_0, R1_1, R1_2, R1_3, F1_0, F1_1, F1_2, F1_3
swap:
    swap_halves
    ret

; twofish_encrypt - one block
;   in     r0..r15, twofish_key, twofish_s
;   out    r0..r15; all other registers are lost
;   cost   72 bytes, 11,006 clocks (avr_fly_small)
;   cost   72 bytes, 10,070 clocks (avr_fly)
;   cost   72 bytes, 9,454 clocks (avr_fly_fast)
;   cost   72 bytes, 70,918 clocks (avr_nibbles)
;   time   constant
    .global twofish_encrypt
twofish_encrypt:
    ldi     ZL, 0
    rcall   whiten_from
    rcall   whiten
    ldi     ZL, 8
    sts     index, ZL
    rjmp    2f
1:  rcall   swap
2:  rcall   F
    mix_encrypt R2_0, R2_1, R2_2, R2_3, R3_0, R3_1, R3_2, R3_3
    lds     ZL, index
    cpi     ZL, 40
    brne    1b
    ldi     ZL, 4
    rcall   whiten_from
    rjmp    whiten

.if decrypt
; twofish_decrypt - one block
;   in     r0..r15, twofish_key, twofish_s
;   out    r0..r15; all other registers are lost
;   cost   80 bytes, 11,082 clocks (avr_fly_small)
;   cost   80 bytes, 10,146 clocks (avr_fly)
;   cost   80 bytes, 9,530 clocks (avr_fly_fast)
;   cost   80 bytes, 70,994 clocks (avr_nibbles)
;   time   constant
    .global twofish_decrypt
twofish_decrypt:
    ldi     ZL, 4
    rcall   whiten_from
    rcall   whiten
    ldi     ZL, 38
    rjmp    2f
1:  sts     index, ZL
    rcall   swap
    rjmp    3f
2:  sts     index, ZL
3:  rcall   F
    mix_decrypt R2_0, R2_1, R2_2, R2_3, R3_0, R3_1, R3_2, R3_3
    lds     ZL, index
    subi    ZL, 4
    cpi     ZL, 6
    brne    1b
    ldi     ZL, 0
    rcall   whiten_from
    rjmp    whiten
.endif
