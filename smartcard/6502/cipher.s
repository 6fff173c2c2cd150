; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Encryption and decryption of one block [Twofish98, 4].

        .segment "CIPHER"

.if small
.macro next first
        inc index
        inc index
        lda index
        cmp #LAST_ROUND + STEP
        bne first
.endmacro

.macro previous last
        dec index
        dec index
        lda index
        cmp #FIRST_ROUND - STEP
        bne last
.endmacro
.else
.macro set_index i
        ldx #i
.endmacro

.macro next first
    .repeat STEP
        inx
    .endrep
        cpx #LAST_ROUND + STEP
        bne first
.endmacro

.macro previous last
    .repeat STEP
        dex
    .endrep
        cpx #FIRST_ROUND - STEP
        bne last
.endmacro
.endif

.if encrypt
twofish_encrypt:
        set_index INPUT
        whiten
        set_index FIRST_ROUND
@round: rol_1 R3
        jsr round
        ror_1 R0
        next @round
        jsr swap
        set_index OUTPUT
        whiten
        rts
.endif

.if decrypt
twofish_decrypt:
        set_index OUTPUT
        whiten
        set_index LAST_ROUND
@round: rol_1 R2
        jsr round
        ror_1 R1
        previous @round
        jsr swap
        set_index INPUT
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
