; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Encryption and decryption of one block [Twofish98, 4].

        .segment "CIPHER"

; next, previous - the next or previous round, if there is one, begins at `first`; set_index - at a pair
.if small
.macro next first
        inc index
        inc index
        lda index
        cmp #LAST_ROUND + STEP
        bne first
        within_page
.endmacro

.macro previous first
        dec index
        dec index
        lda index
        cmp #FIRST_ROUND - STEP
        bne first
        within_page
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
        within_page
.endmacro

.macro previous first
    .repeat STEP
        dex
    .endrep
        cpx #FIRST_ROUND - STEP
        bne first
        within_page
.endmacro
.endif

.if encrypt
; twofish_encrypt - one block
;   in     twofish_text, and what set_key has made
;   out    twofish_text; A, X and Y are lost
;   cost   57 bytes, 22,988 clocks (6502_fly_2tables)
;   cost   71 bytes, 34,513 clocks (6502_fly_small)
;   cost   46 bytes, 11,415 clocks (6502_subkeys_2tables)
;   cost   46 bytes, 9,096 clocks (6502_sboxes_2tables)
;   cost   46 bytes, 8,463 clocks (6502_mds)
;   time   constant
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
; twofish_decrypt - one block
;   in     twofish_text, and what set_key has made
;   out    twofish_text; A, X and Y are lost
;   cost   57 bytes, 22,988 clocks (6502_fly_2tables)
;   cost   71 bytes, 34,513 clocks (6502_fly_small)
;   cost   46 bytes, 11,400 clocks (6502_subkeys_2tables)
;   cost   46 bytes, 9,111 clocks (6502_sboxes_2tables)
;   cost   46 bytes, 8,463 clocks (6502_mds)
;   time   constant
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

; swap - undoes the swap of the last round
;   in     R0 .. R3
;   out    R0 .. R3; A, X and Y are lost
;   cost   14 bytes, 175 clocks (6502_fly_2tables, 6502_fly_small, 6502_subkeys_2tables, 6502_sboxes_2tables)
;   cost   14 bytes, 182 clocks (6502_mds)
;   time   constant
swap:
        ldx #7
@next:  lda R0, x
        ldy R2, x
        sty R0, x
        sta R2, x
        dex
        bpl @next
        within_page
        rts
