; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Encryption and decryption of one block [Twofish98, 4].

        .segment "CIPHER"

.macro next step
    .repeat step
        inx
    .endrep
.endmacro

.macro previous step
    .repeat step
        dex
    .endrep
.endmacro

.if encrypt
twofish_encrypt:
        ldx #INPUT
        whiten
        ldx #FIRST_ROUND
@next:  rol_1 R3
        jsr round
        ror_1 R0
        next STEP
        cpx #LAST_ROUND + STEP
        bne @next
        jsr swap
        ldx #OUTPUT
        whiten
        rts
.endif

.if decrypt
twofish_decrypt:
        ldx #OUTPUT
        whiten
        ldx #LAST_ROUND
@next:  rol_1 R2
        jsr round
        ror_1 R1
        previous STEP
        cpx #FIRST_ROUND - STEP
        bne @next
        jsr swap
        ldx #INPUT
        whiten
        rts
.endif

; Undoes the swap of the last round.
swap:
        ldx #7
@next:  lda R0, x
        ldy R2, x
        sty R0, x
        sta R2, x
        dex
        bpl @next
        rts
