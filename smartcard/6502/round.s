; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; The round of encryption and of decryption [Twofish98, 4]: what both have in common is one routine, the
; rotations by one bit stand around it in cipher.s.
;
; Subkeys of rounds have the form T0: 2 K_(2r+8) - K_(2r+9), T1: K_(2r+9) - K_(2r+8). Added to g(R0) and to
; g(ROL(R1, 8)), which happens within the rows of MDS, they leave the PHT alone to be done:
; F0 = T0 + T1 and F1 = T0 + 2 T1 = F0 + T1 are complete.

        .segment "CIPHER"

; add_subkey - adds byte i of what T_w gets, and the carry
.macro add_subkey w, i
    .if stored
        adc K + PAIRS * (4 * w + i), x
    .else
        adc T0 + 4 * w + i
    .endif
.endmacro

.if one_g
; word_of_one_g - T_w = g(ROL(word, 8 rotation)) + its word of the subkeys; A and Y are lost
.macro word_of_one_g w, word, rotation
    .repeat 4, j
        lda word + ((j - rotation) & 3)
        sta column + j
    .endrep
        jsr g_of_column
        clc
    .repeat 4, j
        lda T1 + j
        adc K + PAIRS * (4 * w + j), x
        sta T0 + 4 * w + j
    .endrep
.endmacro
.endif

; round - what encryption and decryption share: F of R0 and R1, XORed into R2 and R3
; If rounds are not unrolled, the halves then change places.
;   in     R0 .. R3, X: the subkeys of the round
;   out    R0 .. R3; X as before; A and Y are lost
;   RAM    T0, T1, column, sum
;   cost   376 bytes, 1,126 clocks (6502_fly_fast)
;   cost   856 bytes, 1,167 clocks (6502_fly_2tables)
;   cost   975 bytes, 1,378 clocks (6502_fly_0tables)
;   cost   373 bytes, 568 clocks (6502_subkeys_fast)
;   cost   405 bytes, 616 clocks (6502_subkeys_2tables)
;   cost   195 bytes, 814 clocks (6502_subkeys_small)
;   cost   285 bytes, 424 clocks (6502_sboxes_2tables)
;   cost   265 bytes, 384 clocks (6502_mds_fast)
;   time   constant
round:
.if stored = 0
    .if unrolled
        jsr subkeys
    .else
        make_subkeys
        whiten_or_go_on
    .endif
.endif
.if one_g
        word_of_one_g 0, R0, 0
        word_of_one_g 1, R1, 1
.else
        g R0, 0, 0
round_from_T1:                  ; where set_key enters
        g R1, 1, 1
.endif
round_end:
.if unrolled
        pht R2
.else
        pht_and_swap
.endif
        rts

.if one_g
; g_of_column - T1 = g of the column
;   in     column, twofish_s or S-boxes
;   out    T1; X as before; column, A and Y are lost
;   RAM    sum
;   cost   185 bytes, 252 clocks (6502_subkeys_small)
;   time   constant
g_of_column:
        column_of column, 0
        mds_begin
in_Y .set NONE
    .repeat 4, i
        mds_row i
        sta T1 + i
    .endrep
        rts
.endif

.if unrolled
; round_back - the same the other way: F of R2 and R3, XORed into R0 and R1
;   in     R0 .. R3, X: the subkeys of the round
;   out    R0 .. R3; X as before; A and Y are lost
;   RAM    T0, T1, column, sum
;   cost   376 bytes, 1,126 clocks (6502_fly_fast)
;   cost   373 bytes, 568 clocks (6502_subkeys_fast)
;   cost   285 bytes, 424 clocks (6502_sboxes_2tables)
;   cost   265 bytes, 384 clocks (6502_mds_fast)
;   time   constant
round_back:
.if stored = 0
        jsr subkeys
.endif
        g R2, 0, 0
        g R3, 1, 1
round_back_end:
        pht R0
        rts
.endif
