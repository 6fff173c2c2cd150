; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; h and g [Twofish98, 4.3.2 and 4.2] as macros.

; xor_and_q - A = y_j of what the innermost q has made of input byte j, in A; L_i is at list + step i
;   out    A; Y is lost
;   time   9 clocks for each word of the list
.macro xor_and_q j, list, step
    .repeat k, n
        eor list + step * (k - 1 - n) + (j)
        tay
        q k - 1 - n, j, 0, y
    .endrep
.endmacro

; xor_s_and_q - the same for g, which wants S in the other order than it is stored in
.macro xor_s_and_q j
        xor_and_q j, twofish_s + 4 * (k - 1), -4
.endmacro

.if full = 0

; store_y - y_j = A
.macro store_y j
        sta column + (j)
in_A .set j
.endmacro

; column_of - the column of g(ROL(word, 8 rotation)); A = y_3, Y is lost
.macro column_of word, rotation
    .repeat 4, j
        ldy word + ((j - rotation) & 3)
      .if prepared
        lda sbox + $100 * j, y
      .else
        q k, j, 0, y
        xor_s_and_q j
      .endif
        store_y j
    .endrep
.endmacro

.else

; Which table has MDS_(i,j) y_j for each byte, two bits at 2 (4i + j): 0: 1, 1: EF, 2: 5B.
MDS_ENTRIES = $914916A4

; mds_row - A = z_i of g(ROL(word, 8 rotation)); the carry lasts; Y is lost
; Every second row goes backwards, since Y still holds the byte that the one before it ended with.
.macro mds_row i, word, rotation
    .repeat 4, n
at .set (((i) & 1) * 3) ^ n
      .if n > 0 || (i) = 0
        ldy word + ((at - rotation) & 3)
      .endif
      .if n = 0
        lda sbox + $100 * at + $400 * ((MDS_ENTRIES >> (2 * (4 * (i) + at))) & 3), y
      .else
        eor sbox + $100 * at + $400 * ((MDS_ENTRIES >> (2 * (4 * (i) + at))) & 3), y
      .endif
    .endrep
.endmacro

.endif

; g - T_w = g(ROL(word, 8 rotation)) + the word that add_subkey adds
;   in     word, X where add_subkey wants it
;   out    T_w; A and Y are lost
;   time   constant
.macro g word, rotation, w
    .if full
        clc
      .repeat 4, i
        mds_row i, word, rotation
        add_subkey w, i
        sta T0 + 4 * w + i
      .endrep
    .else
        column_of word, rotation
        mds_begin
in_Y .set NONE
      .repeat 4, i
        mds_row i
        carry_in i
        add_subkey w, i
        sta T0 + 4 * w + i
        carry_out i
      .endrep
    .endif
.endmacro
