; SPDX-License-Identifier: Apache-2.0 OR MIT
; z = MDS * y, a row at a time [Twofish98, 4.2]. The rows are
;   z0 = 01 y0 + EF y1 + 5B y2 + 5B y3        z2 = EF y0 + 5B y1 + 01 y2 + EF y3
;   z1 = 5B y0 + EF y1 + EF y2 + 01 y3        z3 = EF y0 + 01 y1 + EF y2 + 5B y3
; With two tables a row takes one look-up in each: its two bytes with the same factor are added
; first. Otherwise, since EF = 1 + 1/x + 1/x^2 and 5B = 1 + 1/x^2 [Twofish98, 7.3],
;   z = s + half(half(s + c) + a)
; where s = y0+y1+y2+y3, half is division by x, c the byte with the factor 1 and a those with EF.
; Subtracting rows gives z1 = z0 + half(half(y0 + y3) + y2), z2 = z1 + half(half(y2 + y3) + s), which
; is shorter where z0 and z1 are at hand.
;
; Look-ups, eor, tax and sta keep the carry, so that an addition can go on from row to row while the
; rows are made: what comes after each row may be adc. Where half is a shift, which changes the carry,
; carry_out and carry_in are to stand around the row (half.asm).
;
; The first row expects y2 in A, as the S-boxes leave it.

    .include "half.asm"

    .ifeq mds_tables
    .macro half_of_x
    txa
    half
    .endm
    .macro add_y0_to_s          ; and half of what was there before
    eor *y0
    sta *s
    eor *y0
    half
    .endm
    .endif

    .ifeq mds_tables-1
    .macro half_of_x
    lda half_table,x
    .endm
    .macro add_y0_to_s
    tax
    eor *y0
    sta *s
    half_of_x
    .endm
    .endif

    .iflt mds_tables-2
    ; row_0 - z0, as first row; also makes s
    .macro row_0
    eor *y1
    eor *y3
    add_y0_to_s
    eor *y1
    half
    eor *s
    .endm

    ; m_row_0, .. m_row_3 - the same where y0 holds y0 + y2, and y3 is in A at first: s needs no byte
    ; of its own, but takes that of y3
    .macro m_row_0
    eor *y1
    eor *y2
    tax
    eor *y2
    eor *y0
    sta *y3
    half_of_x
    eor *y1
    half
    eor *y3
    .endm
    .macro m_row_1
    lda *y0
    eor *y1
    half
    eor *y1
    eor *y2
    half
    eor *y3
    .endm
    .macro m_row_2
    lda *y3
    eor *y2
    half
    eor *y3
    eor *y1
    eor *y2
    half
    eor *y3
    .endm
    .macro m_row_3
    lda *y3
    eor *y1
    half
    eor *y0
    half
    eor *y3
    .endm

    ; row_1, row_2 - z1, z2; of the row before if an argument says where that is
    .macro row_1
    lda *s
    eor *y3
    half
    eor *y1
    eor *y2
    half
    eor *s
    .endm
    .macro row_1_from z0
    lda *y0
    eor *y3
    half
    eor *y2
    half
    eor *z0
    .endm

    .macro row_2
    lda *s
    eor *y2
    half
    eor *y0
    eor *y3
    half
    eor *s
    .endm
    .macro row_2_from z1
    lda *y2
    eor *y3
    half
    eor *s
    half
    eor *z1
    .endm

    .macro row_3
    lda *s
    eor *y1
    half
    eor *y0
    eor *y2
    half
    eor *s
    .endm

    ; rows - all of z, stored
    .macro rows z0,z1,z2,z3
    row_0
    sta *z0
    row_1_from z0
    sta *z1
    row_2_from z1
    sta *z2
    row_3
    sta *z3
    .endm
    .endif

    .ifeq mds_tables-2
    ; Each row leaves a y in X, which most rows after it need. Who loses X between rows sets x_kept
    ; to 0.
x_kept = 1
    .macro last_x y
    .ifne x_kept
    txa
    .else
    lda *y
    .endif
    .endm

    .macro row_0
    eor *y3
    row_0_rest
    .endm
    .macro row_0_rest
    tax
    lda times_5b,x
    ldx *y1
    eor times_ef,x
    eor *y0
    .endm

    .macro row_1_from z0
    row_1
    .endm
    .macro row_1
    last_x y1
    eor *y2
    tax
    lda times_ef,x
    ldx *y0
    eor times_5b,x
    eor *y3
    .endm

    .macro row_2_from z1
    row_2
    .endm
    .macro row_2
    last_x y0
    eor *y3
    tax
    lda times_ef,x
    ldx *y1
    eor times_5b,x
    eor *y2
    .endm

    .macro row_3
    lda *y2
    row_3_rest
    .endm
    .macro row_3_rest
    eor *y0
    tax
    lda times_ef,x
    ldx *y3
    eor times_5b,x
    eor *y1
    .endm

    ; rows - all of z, stored
    .macro rows z0,z1,z2,z3
    row_3_rest
    sta *z3
    txa
    eor *y2
    row_0_rest
    sta *z0
    row_1
    sta *z1
    row_2
    sta *z2
    .endm
    .endif
