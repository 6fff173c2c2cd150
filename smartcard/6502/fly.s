; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Subkeys on the fly. X = 2i is the index of K_(2i), K_(2i+1).

        .segment "CIPHER"
INPUT       = 2                 ; whitening begins with the second pair, see below
OUTPUT      = 6
FIRST_ROUND = 8
LAST_ROUND  = 38
STEP        = 2

; The column of h(X + odd, the list M_even or M_odd); y_last is left in A.
.macro column_of_key odd, last
    .repeat 4, n
        q k, (last + 1 + n) & 3, odd, x
        xor_and_q (last + 1 + n) & 3, twofish_key + 4 * odd, 8
        store_y (last + 1 + n) & 3
    .endrep
        mds_begin
in_Y .set NONE
.endmacro

; T0 = 2 K_X - K_(X+1), T1 = K_(X+1) - K_X, see round.s [Twofish98, 4.3.4]
subkeys:
        column_of_key 0, 3      ; T0 = A
    .repeat 4, i
        mds_row i
        sta T0 + i
    .endrep
        column_of_key 1, 2      ; T0 = A + B = K_X; T1 = ROL(B, 8)
    .repeat 4, i
        mds_row (i + 3) & 3
        carry_in i
        sta T1 + ((i + 1) & 3)
        adc T0 + i
        sta T0 + i
        carry_out i
    .endrep
        clc                     ; T1 = ROL(A + 2B, 8)
    .repeat 4, i
        lda T0 + i
        adc T1 + ((i + 1) & 3)
        sta T1 + ((i + 1) & 3)
    .endrep
        rol_1 T1                ; T1 = K_(X+1)
        word_op sec, sbc, T1, T0
        word_op sec, sbc, T0, T1
        rts

; Whitens R2, R3 with the pair X, then R0, R1 with the pair before: F0 and F1 are the subkeys themselves
; when nothing has been added to these, and two swaps are none.
.macro whiten
        jsr whiten_pair
        dex
        dex
        jsr whiten_pair
.endmacro

whiten_pair:
        jsr subkeys
        jmp round_end
