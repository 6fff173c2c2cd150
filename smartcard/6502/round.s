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

; round - what encryption and decryption share: F of R0 and R1, XORed into R2 and R3
; If rounds are not unrolled, the halves then change places.
;   in     R0 .. R3, X: the subkeys of the round
;   out    R0 .. R3; X as before; A and Y are lost
;   RAM    T0, T1, column, sum
;   cost   376 bytes, 1,126 clocks (6502_fly_fast)
;   cost   408 bytes, 1,174 clocks (6502_fly_2tables)
;   cost   373 bytes, 568 clocks (6502_subkeys_fast)
;   cost   405 bytes, 616 clocks (6502_subkeys_2tables)
;   cost   285 bytes, 424 clocks (6502_sboxes_fast)
;   cost   317 bytes, 472 clocks (6502_sboxes_2tables)
;   cost   265 bytes, 384 clocks (6502_mds_fast)
;   cost   297 bytes, 432 clocks (6502_mds)
;   time   constant
round:
.if stored = 0
        jsr subkeys
.endif
        g R0, 0, 0
round_from_T1:                  ; where set_key enters
        g R1, 1, 1
round_end:
.if unrolled
        pht R2
.else
        pht_and_swap
.endif
        rts

.if unrolled
; round_back - the same the other way: F of R2 and R3, XORed into R0 and R1
;   in     R0 .. R3, X: the subkeys of the round
;   out    R0 .. R3; X as before; A and Y are lost
;   RAM    T0, T1, column, sum
;   cost   376 bytes, 1,126 clocks (6502_fly_fast)
;   cost   373 bytes, 568 clocks (6502_subkeys_fast)
;   cost   285 bytes, 424 clocks (6502_sboxes_fast)
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
