; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; The round of encryption and of decryption [Twofish98, 4]: what both have in common is one routine, the
; rotations by one bit stand around it in cipher.s.
;
; Subkeys of rounds have the form T0: 2 K_(2r+8) - K_(2r+9), T1: K_(2r+9) - K_(2r+8). Added to g(R0) and to
; g(ROL(R1, 8)), which happens within the rows of MDS, they leave the PHT alone to be done:
; F0 = T0 + T1 and F1 = T0 + 2 T1 = F0 + T1 are complete.

        .segment "CIPHER"
        .res padding            ; found by machines/m6502.py; keeps balanced branches within a page

; ROL(word, 1)
;   cost   11 bytes, 25 clocks
.macro rol_1 word
        lda word + 3
        asl a
    .repeat 4, i
        rol word + i
    .endrep
.endmacro

; ROR(word, 1)
.macro ror_1 word
        lda word
        lsr a
    .repeat 4, i
        ror word + 3 - i
    .endrep
.endmacro

; Adds byte i of what T_w gets, the carry included.
.macro add_subkey w, i
    .if stored
        adc K + PAIRS * (4 * w + i), x
    .else
        adc T0 + 4 * w + i
    .endif
.endmacro

; The halves of the block change places. F0 and F1 are XORed into what becomes R0 and R1.
round:
.if stored = 0
        jsr subkeys
.endif
        g R0, 0, 0
round_from_T1:                  ; where set_key enters
        g R1, 1, 1
pht_and_swap:
        clc
    .repeat 4, i
        lda T0 + i
        adc T1 + i
        sta T0 + i
        eor R2 + i
        ldy R0 + i
        sty R2 + i
        sta R0 + i
    .endrep
        clc
    .repeat 4, i
        lda T0 + i
        adc T1 + i
        eor R3 + i
        ldy R1 + i
        sty R3 + i
        sta R1 + i
    .endrep
        rts
