; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; S from the key. RS [Twofish98, 4.3] is what a shift register with feedback leaves of 8 bytes, the last
; one first: a code's remainder by x^4 + (a + 1/a) x^3 + a x^2 + (a + 1/a) x + 1 with a = 02, modulo w.

        .segment "SET_KEY"
RS_W = $14D                     ; w(x) [Twofish98, 4.3]

; twofish_rs - S from the key; this is all that twofish_set_key does if subkeys are not stored
;   in     twofish_key
;   out    twofish_s; A and X are lost, Y too
;   RAM    T0, T1
;   cost   95 bytes, 1,390 clocks (6502_fly_2tables)
;   cost   95 bytes, 2,743 clocks (6502_fly_2tables_256)
;   cost   99 bytes, 1,382 clocks (6502_fly_small)
;   time   constant
.if stored = 0
twofish_set_key:
.endif
twofish_rs:
        ldx #8 * k - 1
@word:  lda #0
        sta T0
        sta T0 + 1
        sta T0 + 2
        sta T0 + 3
@byte:  lda twofish_key, x
        eor T0 + 3
        sta T1                  ; b, the feedback
        lsr a                   ; b/a: w/x = A6
@low:   bcs @odd
        bcc @half
@odd:   eor #RS_W >> 1
@half:  sta T1 + 1
        .assert >@low = >@half, lderror, "a branch crosses a page"
        lda T1                  ; a b
        asl a
@top:   bcs @high
        bcc @twice
@high:  eor #RS_W & $FF
@twice:
        .assert >@top = >@twice, lderror, "a branch crosses a page"
        tay
        eor T1 + 1              ; (a + 1/a) b
        sta T1 + 1
        eor T0 + 2
        sta T0 + 3
        tya
        eor T0 + 1
        sta T0 + 2
        lda T1 + 1
        eor T0
        sta T0 + 1
        lda T1
        sta T0
        dex
        txa
        and #7
        cmp #7
        bne @byte
        inx                     ; X = 8i: this is S_i
.if small
        stx T1
        lda #8 * (k - 1)
        sec
        sbc T1
        tax
    .repeat 4, j
        lda T0 + j
        sta twofish_key + S_LIST + j, x
    .endrep
        ldx T1
.else
        txa
        lsr a
        tax
    .repeat 4, j
        lda T0 + j
        sta twofish_s + j, x
    .endrep
        txa
        asl a
        tax
.endif
        dex
        bpl @word
        rts
