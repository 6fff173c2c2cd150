; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; All subkeys [Twofish98, 4.3.4], and the S-boxes where they are stored. There is no second h for this: with
; M_even or M_odd in the place of S, g is h. If g is part of the round this goes on, which does no harm.

        .segment "SET_KEY"

; twofish_set_key - S, the subkeys and what else is stored, of the key
;   in     twofish_key
;   out    twofish_s, twofish_memory; the text, A, X and Y are lost
;   cost   62 bytes, 25,221 clocks (6502_subkeys_2tables)
;   cost   53 bytes, 18,222 clocks (6502_subkeys_small)
;   cost   72 bytes, 60,310 clocks (6502_sboxes_2tables)
;   cost   72 bytes, 123,864 clocks (6502_mds_fast)
;   time   constant
twofish_set_key:
.if one_g = 0
        lda #0                  ; which the round will add
        ldx #8 * PAIRS
@zero:  sta K - 1, x
        dex
        bne @zero
.endif
        ldx #3
        jsr take_list
        ldx #PAIRS - 1
@even:  txa                     ; A = h(2i, M_even), kept in the place of K_(2i)
        asl a
        jsr h
    .repeat 4, j
        lda T1 + j
        sta K + PAIRS * j, x
    .endrep
        dex
        bpl @even

        ldx #7
        jsr take_list
        ldx #PAIRS - 1
@odd:   txa                     ; T1 = h(2i + 1, M_odd) = ROR(B, 8)
        sec
        rol a
        jsr h
        jsr store_pair
        dex
        bpl @odd

.if prepared
        jsr twofish_rs
        ldx #$FF
        jmp fill
.else
        jmp twofish_rs
.endif

; take_list - S becomes M_even or M_odd, and so g becomes h of subkeys
;   in     X: 3 for M_even, 7 for M_odd
;   out    twofish_s, S-boxes of all that h is asked; A, X and Y are lost
;   cost   17 bytes, 107 clocks (6502_subkeys_2tables, 6502_subkeys_small)
;   cost   21 bytes, 4,790 clocks (6502_sboxes_2tables)
;   cost   21 bytes, 12,470 clocks (6502_mds_fast)
;   time   constant
take_list:
        ldy #3
@byte:
    .repeat k, l
        lda twofish_key + 8 * l, x
        sta twofish_s + 4 * (k - 1 - l), y
    .endrep
        dex
        dey
        bpl @byte
.if prepared
        ldx #2 * PAIRS - 1      ; the inputs of h
        jmp fill
.else
        rts
.endif

; h - T1 = h of A in all 4 bytes; if it is a round's, plus the word of T1 of the pair X, which is 0 yet
;   in     A, X
;   out    T1; X as before; the text, T0, A and Y are lost
;   cost   11 bytes, 406 clocks (6502_subkeys_2tables)
;   cost   11 bytes, 267 clocks (6502_subkeys_small)
;   cost   11 bytes, 286 clocks (6502_sboxes_2tables)
;   cost   11 bytes, 266 clocks (6502_mds_fast)
;   time   constant
h:
.if one_g
    .repeat 4, j
        sta column + j
    .endrep
        jmp g_of_column
.else
    .repeat 4, j
        sta R1 + j
    .endrep
        jmp round_from_T1
.endif

; store_pair - K_(2i) = A + B and K_(2i+1) = ROL(A + 2B, 9), for rounds in the form of round.s
;   in     X = i; A is where K_(2i) will be, ROR(B, 8) in T1
;   out    the pair; X as before; R0, T0 and A are lost
;   cost   147 bytes, 245 clocks (6502_subkeys_2tables, 6502_subkeys_small)
;   cost   159 bytes, 253 clocks (6502_sboxes_2tables, 6502_mds_fast)
;   time   as a round's; less for whitening
store_pair:
        clc                     ; T0 = K_(2i)
    .repeat 4, j
        lda K + PAIRS * j, x
        adc T1 + ((j + 3) & 3)
        sta T0 + j
    .endrep
        clc
    .repeat 4, j
        lda T0 + j
        adc T1 + ((j + 3) & 3)
        sta R0 + ((j + 1) & 3)
    .endrep
        rol_1 R0                ; K_(2i+1)
        cpx #FIRST_ROUND
        bcc @keep
    .repeat 4, j                ; which has set the carry
        lda R0 + j
        sbc T0 + j
        sta R0 + j
    .endrep
        sec
    .repeat 4, j
        lda T0 + j
        sbc R0 + j
        sta T0 + j
    .endrep
@keep:
    .repeat 4, j
        lda T0 + j
        sta K + PAIRS * j, x
        lda R0 + j
        sta K + PAIRS * (4 + j), x
    .endrep
        rts

.if prepared
; fill - the S-boxes, for bytes from X down to 0
;   in     twofish_s, X
;   out    twofish_memory; A, X and Y are lost
;   cost   81 bytes (6502_sboxes_2tables)
;   cost   125 bytes (6502_mds)
;   time   constant
fill:
    .repeat 4, j
        q k, j, 0, x
        xor_s_and_q j
        sta sbox + $100 * j, x
      .if full
        jsr multiples
        sta sbox_5B + $100 * j, x
        eor T1
        sta sbox_EF + $100 * j, x
      .endif
    .endrep
        dex
        cpx #$FF
        beq @done
        jmp fill
@done:  rts

.if full
; multiples - A = 5B A, and T1 = A/x, so that EF A = A ^ T1 then
;   in     A
;   out    A, T1; T0 is lost
;   cost   21 bytes, 29 clocks (6502_mds_fast)
;   time   constant
multiples:
        sta T0
        halve
        sta T1
        halve
        eor T0
        rts
.endif
.endif
