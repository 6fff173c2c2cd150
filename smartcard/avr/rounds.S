; SPDX-License-Identifier: Apache-2.0 OR MIT
; The rounds when subkeys are stored, 160 bytes in one page. The file that includes this names the
; bytes of F0 and F1 and has the macros
;       set_y                   what Y holds throughout
;       g_to_F0 x0..x3          g of a word; all else but X and Y may be lost
;       g_to_F1 x0..x3          the same, F0 stays
; unroll is 1, or 2: two rounds are written out, so that no words need to be moved.

; add_key - a += the next subkey
;   in     X
;   out    \a0..\a3, X; ZL is lost
;   cost   16 bytes
;   time   12 clocks
.macro add_key a0, a1, a2, a3
    ld      ZL, X+
    add     \a0, ZL
    ld      ZL, X+
    adc     \a1, ZL
    ld      ZL, X+
    adc     \a2, ZL
    ld      ZL, X+
    adc     \a3, ZL
.endm

; F - [Twofish98, 4.1]
;   in     two words; X: their subkeys
;   out    F0, F1, X + 8
;   cost   100 bytes (avr_stored_small)
;   cost   356 bytes (avr_stored, avr_stored_fast)
;   cost   252 bytes (avr_sboxes*)
.macro F a0, a1, a2, a3, b0, b1, b2, b3
    g_to_F0 \a0, \a1, \a2, \a3
    g_to_F1 \b3, \b0, \b1, \b2          ; rotated by 8
    add_word F0_0, F0_1, F0_2, F0_3, F1_0, F1_1, F1_2, F1_3
    add_word F1_0, F1_1, F1_2, F1_3, F0_0, F0_1, F0_2, F0_3
    add_key F0_0, F0_1, F0_2, F0_3
    add_key F1_0, F1_1, F1_2, F1_3
.endm

; xor_key - a ^= the next subkey
;   in     X
;   out    \a0..\a3, X; ZL is lost
;   cost   16 bytes
;   time   12 clocks
.macro xor_key a0, a1, a2, a3
    ld      ZL, X+
    eor     \a0, ZL
    ld      ZL, X+
    eor     \a1, ZL
    ld      ZL, X+
    eor     \a2, ZL
    ld      ZL, X+
    eor     \a3, ZL
.endm

; whiten - the text with four subkeys
;   in     XL: the first
;   out    r0..r15; X, ZL are lost
;   cost   68 bytes, 53 clocks (avr_s*)
;   time   constant
whiten:
    ldi     XH, hi8(subkeys)
    xor_key R0_0, R0_1, R0_2, R0_3
    xor_key R1_0, R1_1, R1_2, R1_3
    xor_key R2_0, R2_1, R2_2, R2_3
    xor_key R3_0, R3_1, R3_2, R3_3
    ret

.if unroll < 2
; F_round - F of R0, R1 for a round in which no names change
;   cost   102 bytes, 298 clocks (avr_stored_small)
;   cost   358 bytes, 254 clocks (avr_stored)
;   cost   254 bytes, 146 clocks (avr_sboxes)
;   time   constant
.if decrypt
F_round:
    F       R0_0, R0_1, R0_2, R0_3, R1_0, R1_1, R1_2, R1_3
    ret
; F_of_R0 - F_round, called or written out
.macro F_of_R0
    rcall   F_round
.endm
.else
.macro F_of_R0
    F       R0_0, R0_1, R0_2, R0_3, R1_0, R1_1, R1_2, R1_3
.endm
.endif
.endif

; twofish_encrypt - one block
;   in     r0..r15, twofish_memory
;   out    r0..r15; all other registers are lost
;   cost   86 bytes, 5,481 clocks (avr_stored_small)
;   cost   186 bytes, 5,385 clocks (avr_stored_small_enc)
;   cost   86 bytes, 4,777 clocks (avr_stored)
;   cost   836 bytes, 4,479 clocks (avr_stored_fast)
;   cost   84 bytes, 3,048 clocks (avr_sboxes, avr_sboxes_tables)
;   cost   336 bytes, 2,952 clocks (avr_sboxes_enc)
;   cost   626 bytes, 2,750 clocks (avr_sboxes_fast)
;   time   constant
    .global twofish_encrypt
twofish_encrypt:
    ldi     XL, lo8(subkeys)
    rcall   whiten
    ldi     XL, lo8(subkeys + 32)
    set_y
.if unroll == 2
1:  F       R0_0, R0_1, R0_2, R0_3, R1_0, R1_1, R1_2, R1_3
    mix_encrypt R2_0, R2_1, R2_2, R2_3, R3_0, R3_1, R3_2, R3_3
    F       R2_0, R2_1, R2_2, R2_3, R3_0, R3_1, R3_2, R3_3
    mix_encrypt R0_0, R0_1, R0_2, R0_3, R1_0, R1_1, R1_2, R1_3
    cpi     XL, lo8(subkeys + 160)
    breq    2f
    rjmp    1b
2:  swap_halves
.else
    rjmp    2f
1:  swap_halves
2:  F_of_R0
    mix_encrypt R2_0, R2_1, R2_2, R2_3, R3_0, R3_1, R3_2, R3_3
    cpi     XL, lo8(subkeys + 160)
.if decrypt
    brne    1b
.else
    breq    3f
    rjmp    1b
3:
.endif
.endif
    ldi     XL, lo8(subkeys + 16)
    rjmp    whiten

.if decrypt
; twofish_decrypt - one block
;   in     r0..r15, twofish_memory
;   out    r0..r15; all other registers are lost
;   cost   88 bytes, 5,513 clocks (avr_stored_small)
;   cost   88 bytes, 4,809 clocks (avr_stored)
;   cost   840 bytes, 4,511 clocks (avr_stored_fast)
;   cost   86 bytes, 3,080 clocks (avr_sboxes, avr_sboxes_tables)
;   cost   630 bytes, 2,782 clocks (avr_sboxes_fast)
;   time   constant
    .global twofish_decrypt
twofish_decrypt:
    ldi     XL, lo8(subkeys + 16)
    rcall   whiten
    ldi     XL, lo8(subkeys + 152)
    set_y
.if unroll == 2
1:  F       R0_0, R0_1, R0_2, R0_3, R1_0, R1_1, R1_2, R1_3
    mix_decrypt R2_0, R2_1, R2_2, R2_3, R3_0, R3_1, R3_2, R3_3
    sbiw    XL, 16
    F       R2_0, R2_1, R2_2, R2_3, R3_0, R3_1, R3_2, R3_3
    mix_decrypt R0_0, R0_1, R0_2, R0_3, R1_0, R1_1, R1_2, R1_3
    sbiw    XL, 16
    cpi     XL, lo8(subkeys + 24)
    breq    2f
    rjmp    1b
2:  swap_halves
.else
    rjmp    2f
1:  swap_halves
2:  F_of_R0
    mix_decrypt R2_0, R2_1, R2_2, R2_3, R3_0, R3_1, R3_2, R3_3
    sbiw    XL, 16
    cpi     XL, lo8(subkeys + 24)
    brne    1b
.endif
    ldi     XL, lo8(subkeys)
    rjmp    whiten
.endif
