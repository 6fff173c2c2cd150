; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Words of 4 bytes, and the end of a round [Twofish98, 4]. From byte to byte of a word the carry lasts, since
; only ADC, SBC, comparisons and shifts change it.

; within_page - says that the branch which ends here and the instruction after it are in one page
; Whether a branch takes a clock more is a matter of the page of the instruction after it; sim65 2.19, our
; second judge, looks at that of the branch [cc65, #2548].
.macro within_page
        .assert >(* - 2) = >*, lderror, "a branch crosses a page"
.endmacro

; rol_1 - word = ROL(word, 1)
;   out    A is lost
;   cost   11 bytes
;   time   25 clocks
.macro rol_1 word
        lda word + 3
        asl a
    .repeat 4, i
        rol word + i
    .endrep
.endmacro

; ror_1 - word = ROR(word, 1)
;   out    A is lost
;   cost   11 bytes
;   time   25 clocks
.macro ror_1 word
        lda word
        lsr a
    .repeat 4, i
        ror word + 3 - i
    .endrep
.endmacro

; word_op - to = to + from (clc, adc) or to - from (sec, sbc), words of 4 bytes
;   out    A is lost
;   time   38 clocks
.macro word_op carry, operation, to, from
        carry
    .repeat 4, i
        lda to + i
        operation from + i
        sta to + i
    .endrep
.endmacro

; pht - XORs F0 = T0 + T1 into R and F1 = T0 + 2 T1 into the word after it
;   in     T0, T1
;   out    R and the word after it, T0 = F0; A is lost
;   cost   74 bytes (6502_*fast*)
;   time   100 clocks
.macro pht R
        clc
    .repeat 4, i
        lda T0 + i
        adc T1 + i
        sta T0 + i
        eor R + i
        sta R + i
    .endrep
        clc
    .repeat 4, i
        lda T0 + i
        adc T1 + i
        eor R + 4 + i
        sta R + 4 + i
    .endrep
.endmacro

; pht_and_swap - XORs F0 = T0 + T1 and F1 = T0 + 2 T1 into R2 and R3, which then change places with R0 and R1
;   in     T0, T1, R0 .. R3
;   out    R0 .. R3, T0 = F0; A and Y are lost
;   cost   106 bytes
;   time   148 clocks
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
