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

.macro whiten
        jsr whiten_text
.endmacro

; XORs the pairs X and X + 1 into the text.
whiten_text:
    .repeat 2, pair
      .repeat 8, j
        lda twofish_text + 8 * pair + j
        eor K + PAIRS * j + pair, x
        sta twofish_text + 8 * pair + j
      .endrep
    .endrep
        rts
