; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Operations on words of 4 bytes, and the end of a round [Twofish98, 4].

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

; to = to + from (clc, adc) or to - from (sec, sbc)
;   cost   25 bytes, 38 clocks
.macro word_op carry, operation, to, from
        carry
    .repeat 4, i
        lda to + i
        operation from + i
        sta to + i
    .endrep
.endmacro

; F0 = T0 + T1 and F1 = F0 + T1 are XORed into R2 and R3, which become R0 and R1, and these R2 and R3.
; T0 is F0 afterwards.
;   cost   106 bytes, 148 clocks
.macro pht_and_swap
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
.endmacro
