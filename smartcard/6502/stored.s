; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Subkeys stored. X = i is the index of the pair K_(2i), K_(2i+1). The pairs of rounds have the form that
; round.s wants, those of whitening are kept as they are.

        .segment "CIPHER"
INPUT       = 0
OUTPUT      = 2
FIRST_ROUND = 4
LAST_ROUND  = 19
STEP        = 1

; whiten - whitens the text with the pairs X and X + 1
;   cost   3 bytes (6502_subkeys*, 6502_sboxes*, 6502_mds*)
.macro whiten
        jsr whiten_text
.endmacro

; whiten_text - the same
;   in     twofish_text, X
;   out    twofish_text; A, X and Y are lost
;   cost   29 bytes, 335 clocks (6502_subkeys_2tables)
;   cost   97 bytes, 166 clocks (6502_subkeys_small)
;   cost   31 bytes, 335 clocks (6502_sboxes_2tables)
;   cost   113 bytes, 166 clocks (6502_mds_fast)
;   time   constant
whiten_text:
.if fast_whitening
    .repeat 2, pair
      .repeat 8, j
        lda twofish_text + 8 * pair + j
        eor K + PAIRS * j + pair, x
        sta twofish_text + 8 * pair + j
      .endrep
    .endrep
.else
        ldy #0
@byte:  lda K, x
        eor R0, y
        sta R0, y
        lda K + 1, x
        eor R2, y
        sta R2, y
        txa
        clc
        adc #PAIRS
        tax
        iny
        cpy #8
        bne @byte
        within_page
.endif
        rts
