; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Encryption and decryption of one block [Twofish98, 4].

        .segment "CIPHER"

; set_index - begins at a pair of subkeys
; forward, back - goes to the next round, or the one before; next, previous - and repeats from `first` if
; there is one
.if small
.macro forward
        inc index
        inc index
.endmacro

.macro back
        dec index
        dec index
.endmacro

.macro next first
        forward
        lda index
        cmp #LAST_ROUND + STEP
        bne first
        within_page
.endmacro

.macro previous first
        back
        lda index
        cmp #FIRST_ROUND - STEP
        bne first
        within_page
.endmacro

.else
.macro set_index i
        ldx #i
.endmacro

.macro forward
    .repeat STEP
        inx
    .endrep
.endmacro

.macro back
    .repeat STEP
        dex
    .endrep
.endmacro

.macro next first
        forward
        cpx #LAST_ROUND + STEP
        bne first
        within_page
.endmacro

.macro previous first
        back
        cpx #FIRST_ROUND - STEP
        bne first
        within_page
.endmacro
.endif

.if encrypt
; twofish_encrypt - one block
;   in     twofish_text, and what set_key has made
;   out    twofish_text; A, X and Y are lost
;   cost   84 bytes, 21,988 clocks (6502_fly_fast)
;   cost   57 bytes, 22,368 clocks (6502_fly_2tables)
;   cost   71 bytes, 34,513 clocks (6502_fly_small)
;   cost   46 bytes, 11,738 clocks (6502_subkeys_2tables)
;   cost   46 bytes, 14,583 clocks (6502_subkeys_small)
;   cost   72 bytes, 8,626 clocks (6502_sboxes_2tables)
;   cost   72 bytes, 7,648 clocks (6502_mds_fast)
;   time   constant
twofish_encrypt:
        set_index INPUT
        whiten
        set_index FIRST_ROUND
@round: rol_1 R3
        jsr round
    .if unrolled
        ror_1 R2
        forward
        rol_1 R1
        jsr round_back
    .endif
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
;   cost   84 bytes, 21,995 clocks (6502_fly_fast)
;   cost   57 bytes, 22,368 clocks (6502_fly_2tables)
;   cost   71 bytes, 34,513 clocks (6502_fly_small)
;   cost   46 bytes, 11,753 clocks (6502_subkeys_2tables)
;   cost   46 bytes, 14,568 clocks (6502_subkeys_small)
;   cost   72 bytes, 8,626 clocks (6502_sboxes_2tables)
;   cost   72 bytes, 7,655 clocks (6502_mds_fast)
;   time   constant
twofish_decrypt:
        set_index OUTPUT
        whiten
        set_index LAST_ROUND
@round: rol_1 R2
        jsr round
    .if unrolled
        ror_1 R3
        back
        rol_1 R0
        jsr round_back
    .endif
        ror_1 R1
        previous @round
        jsr swap
        set_index INPUT
        whiten
        rts
.endif

; swap - undoes the swap of the last round, which there is if rounds are unrolled as well
;   in     R0 .. R3
;   out    R0 .. R3; A, X and Y are lost
;   cost   14 bytes, 175 clocks (6502_fly_fast, 6502_fly_2tables, 6502_fly_small)
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
