; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Subkeys on the fly. X = 2i is the index of K_(2i), K_(2i+1).

        .segment "CIPHER"
INPUT       = 2                 ; whitening begins with the second pair, see below
OUTPUT      = 6
FIRST_ROUND = 8
LAST_ROUND  = 38
STEP        = 2

; column_of_key - the column of h(X + odd, M_even or M_odd); A = y_last, Y is lost
.macro column_of_key odd, last
    .repeat 4, n
        q k, (last + 1 + n) & 3, odd, x
        xor_and_q (last + 1 + n) & 3, twofish_key + 4 * odd, 8
        store_y (last + 1 + n) & 3
    .endrep
        mds_begin
in_Y .set NONE
.endmacro

; make_subkeys - T0 = K_X, T1 = K_(X+1) [Twofish98, 4.3.4]; A and Y are lost
.macro make_subkeys
        column_of_key 0, 3      ; T0 = A
    .repeat 4, i
        mds_row i
        sta T0 + i
    .endrep
        column_of_key 1, 2      ; T0 = A + B = K_X; T1 = ROL(B, 8)
    .if mds_tables = 0          ; which would have the carry on the stack: 9 clocks more
      .repeat 4, i
        mds_row (i + 3) & 3
        sta T1 + ((i + 1) & 3)
      .endrep
        clc
      .repeat 4, i
        lda T0 + i
        adc T1 + ((i + 1) & 3)
        sta T0 + i
      .endrep
    .else
      .repeat 4, i
        mds_row (i + 3) & 3
        carry_in i
        sta T1 + ((i + 1) & 3)
        adc T0 + i
        sta T0 + i
      .endrep
    .endif
        clc                     ; T1 = ROL(A + 2B, 8)
    .repeat 4, i
        lda T0 + i
        adc T1 + ((i + 1) & 3)
        sta T1 + ((i + 1) & 3)
    .endrep
        rol_1 T1                ; T1 = K_(X+1)
.endmacro

; for_round - T0 = 2 K_X - K_(X+1), T1 = K_(X+1) - K_X, see round.s; A is lost
;   cost   50 bytes
;   time   76 clocks
.macro for_round
        word_op sec, sbc, T1, T0
        word_op sec, sbc, T0, T1
.endmacro

.if unrolled

; subkeys - T0 and T1 of a round
;   in     X, even; twofish_key
;   out    T0, T1; X as before; A and Y are lost
;   RAM    column, sum
;   cost   367 bytes, 560 clocks (6502_fly_fast)
;   time   constant
subkeys:
        make_subkeys
        for_round
        rts

; whiten - whitens R2, R3 with the pair X, then R0, R1 with the pair before; X is 2 less afterwards
;   cost   8 bytes (6502_fly_fast*)
.macro whiten
        jsr whiten_pair
        dex
        dex
        jsr whiten_first
.endmacro

; whiten_pair - whitens R2, R3 with the pair X
; F0 and F1 are the subkeys themselves when nothing has been added to T0 and T1.
;   in     R2, R3, X
;   out    R2, R3; X as before; A and Y are lost
;   cost   6 bytes, 687 clocks (6502_fly_fast)
;   time   constant
whiten_pair:
        jsr subkeys
        jmp round_end

; whiten_first - whitens R0, R1 with the pair X
;   in     R0, R1, X
;   out    R0, R1; X as before; A and Y are lost
;   cost   6 bytes, 687 clocks (6502_fly_fast)
;   time   constant
whiten_first:
        jsr subkeys
        jmp round_back_end

.else

; whiten - whitens R2, R3 with the pair X, then R0, R1 with the pair before; X is 2 less afterwards
; A round whose subkeys are for whitening does this to R2, R3 and swaps the halves; two swaps are none.
;   cost   8 bytes (6502_fly_*table*)
.macro whiten
        jsr round
        dex
        dex
        jsr round
.endmacro

; whiten_or_go_on - T0 and T1 are K_X and K_(X+1): what is after this, if that is a round
.macro whiten_or_go_on
    .if fast_whitening
        cpx #FIRST_ROUND
        bcs @round
        within_page
      .repeat 8, i
        lda R2 + i
        eor T0 + i
        ldy R0 + i
        sty R2 + i
        sta R0 + i
      .endrep
        rts
@round: for_round
    .else
        for_round               ; F0 and F1 are the subkeys themselves when nothing is added
        cpx #FIRST_ROUND
        bcs @round
        within_page
        jmp round_end
@round:
    .endif
.endmacro

.endif
