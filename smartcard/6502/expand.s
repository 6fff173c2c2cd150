; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; All subkeys [Twofish98, 4.3.4], and the S-boxes where they are stored. There is no second h for this: with
; M_even or M_odd in the place of S, the round's g is h. The round goes on after g, which does no harm.

        .segment "SET_KEY"

; twofish_set_key - S, the subkeys and what else is stored, of the key
;   in     twofish_key
;   out    twofish_s, twofish_memory; the text is lost
;   time   constant
twofish_set_key:
        lda #0                  ; which the round will add
        ldx #8 * PAIRS
@zero:  sta K - 1, x
        dex
        bne @zero

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

; S = M_even (X = 3) or M_odd (X = 7)
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

; T1 = h of A in all 4 bytes
h:
    .repeat 4, j
        sta R1 + j
    .endrep
        jmp round_from_T1

; K_(2i) = A + B and K_(2i+1) = ROL(A + 2B, 9) in the form of stored.s; X = i
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
; S-boxes of the bytes X to 0; X = FF afterwards
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
; A = 5B A, T1 = A/x, so EF A is the sum of both
multiples:
        sta T0
        halve
        sta T1
        halve
        eor T0
        rts
.endif
.endif
