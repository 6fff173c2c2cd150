; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; The round of encryption and of decryption [Twofish98, 4]: what both have in common is one routine, the
; rotations by one bit stand around it in cipher.s.
;
; Subkeys of rounds have the form T0: 2 K_(2r+8) - K_(2r+9), T1: K_(2r+9) - K_(2r+8). Added to g(R0) and to
; g(ROL(R1, 8)), which happens within the rows of MDS, they leave the PHT alone to be done:
; F0 = T0 + T1 and F1 = T0 + 2 T1 = F0 + T1 are complete.

        .segment "CIPHER"

; Adds byte i of what T_w gets, the carry included.
.macro add_subkey w, i
    .if stored
        adc K + PAIRS * (4 * w + i), x
    .else
        adc T0 + 4 * w + i
    .endif
.endmacro

round:
.if stored = 0
        jsr subkeys
.endif
        g R0, 0, 0
round_from_T1:                  ; where set_key enters
        g R1, 1, 1
round_end:
        pht_and_swap
        rts
