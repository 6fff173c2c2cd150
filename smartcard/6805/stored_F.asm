; SPDX-License-Identifier: Apache-2.0 OR MIT
; F with subkeys from memory [Twofish98, 4.1]:
;   F0 = T0 + T1 + K_2r+8        F1 = T0 + 2 T1 + K_2r+9
; The first two additions go along with the rows of MDS, which keep the carry: U = T1 + K_2r+8, and
; F0 = T0 + U. Then F1 = F0 + V, where V = U + (K_2r+9 - 2 K_2r+8). Memory holds this difference in
; place of K_2r+9. K_0 to K_7 are as they are; they stand after the others, so that index is 8r.
K_even = twofish_memory         ; K_2r+8, 8r bytes further on
K_odd = twofish_memory+4        ; K_2r+9 - 2 K_2r+8
K_0 = twofish_memory+128
K_4 = twofish_memory+144

; plus, plus_x - A = A + byte j of a word: with the carry but for the lowest
;   in     A, C; plus_x: X, by which the word is further on
;   out    A, C
;   RAM    none
;   cost   2 bytes (subkeys_*)
;   time   constant: 3 clocks; plus_x 4, or 5 where the word is not in page zero
    .macro plus j, word
    .ifeq j
    add *word
    .else
    adc *word+j
    .endif
    .endm
    .macro plus_x j, word
    .ifeq j
    add word,x
    .else
    adc word+j,x
    .endif
    .endm

; make_U - U = T1 + K_2r+8
;   in     A: byte j of T1; index, C
;   out    C; A and X are lost
;   RAM    U, index
;   cost   6 bytes (subkeys_*)
;   cost   7 bytes (eeprom_*)
;   time   constant: 11 clocks, 12 with subkeys in EEPROM
    .macro make_U j, offset
    ldx *index
    plus_x j,K_even+offset
    sta *U+j
    .endm

; make_F0 - F0 = T0 + U, which goes into its word at once
;   in     A: byte j of T0; U, C
;   out    C, the words; A is lost, and X where words change places
;   RAM    these, F0
;   cost   12 bytes (subkeys_2tables)
;   cost   8 bytes (subkeys_unrolled)
;   time   constant: 21 clocks, 14 without change of places
    .macro make_F0 j, a, c
    plus j,U
    sta *F0+j
    into_word a+j,c+j
    .endm

; make_V - V = U + (K_2r+9 - 2 K_2r+8), in the place of U
;   in     X = index; U, C
;   out    U, C; A is lost
;   RAM    U
;   cost   6 bytes (subkeys_*)
;   cost   7 bytes (eeprom_*)
;   time   constant: 11 clocks, 12 with subkeys in EEPROM
    .macro make_V j, offset
    lda *U+j
    plus_x j,K_odd+offset
    sta *U+j
    .endm

; make_F1 - F1 = F0 + V, which goes into its word at once
;   in     F0, U = V, C
;   out    C, the words; A is lost, and X where words change places
;   RAM    these
;   cost   12 bytes (subkeys_2tables)
;   cost   8 bytes (subkeys_unrolled)
;   time   constant: 20 clocks, 13 without change of places
    .macro make_F1 j, b, d
    lda *F0+j
    plus j,U
    into_word b+j,d+j
    .endm

; into_word - c = c + F; in a loop of one round a and c change places as well
;   in     A: a byte of F
;   out    c, a; A is lost, and X where words change places
;   RAM    these
;   cost   8 bytes (subkeys_2tables)
;   cost   4 bytes (subkeys_unrolled)
;   time   constant: 14 clocks, 7 without change of places
    .macro into_word a, c
    eor *c
    .ifeq pairs
    ldx *a
    stx *c
    sta *a
    .else
    sta *c
    .endif
    .endm

; y_of_word - y = the S-boxes of g, of the bytes at i0, i1, i2, i3, by q or from memory
;   in     4 bytes of the text
;   out    y, or what the rows need in place of it; A and X are lost
;   RAM    y
;   cost   70 bytes (subkeys_2tables)
;   cost   28 bytes (sboxes_2tables)
;   time   constant
    .macro y_of_word i0, i1, i2, i3
    .ifeq keeps-1
    s_boxes_of_word i0,i1,i2,i3
    .else
    s_boxes_in_memory i0,i1,i2,i3
    .endif
    .endm

; F_into - what encryption and decryption have in common: F of a and b goes into c and d
;   in     the words; index; offset is 8 where the round is that after index
;   out    the words; A and X are lost
;   RAM    y, s, U, F0
;   time   constant with MDS tables
    .macro F_into a, b, c, d, offset
x_kept = 0
    y_of_word b+3,b+0,b+1,b+2
    row_0
    make_U 0,offset
    carry_out
    row_1
    carry_in
    make_U 1,offset
    carry_out
    row_2
    carry_in
    make_U 2,offset
    carry_out
    row_3
    carry_in
    make_U 3,offset
    .ifne set_key*(8-offset)
    brclr #1,*mode,.+4          ; the way out for h_of_number: it is less far than any other
    rts
    .endif
x_kept = pairs
    y_of_word a+0,a+1,a+2,a+3
    row_0
    make_F0 0,a,c
    carry_out
    row_1
    carry_in
    make_F0 1,a,c
    carry_out
    row_2
    carry_in
    make_F0 2,a,c
    carry_out
    row_3
    carry_in
    make_F0 3,a,c
    ldx *index
    .irp j, 0, 1, 2, 3
    make_V j,offset
    .endm
    .irp j, 0, 1, 2, 3
    make_F1 j,b,d
    .endm
    .endm
