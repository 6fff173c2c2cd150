; SPDX-License-Identifier: Apache-2.0 OR MIT
; MDS where the S-boxes in memory hold y/x in place of y, which costs nothing [Twofish98, 4.2]. With
; u = y/x, EF = 1 + 1/x + 1/x^2 and 5B = 1 + 1/x^2, every row is
;   z = t + a + c/x        t = (x + 1/x)(u0 + u1 + u2 + u3)
; where c is the byte with the factor 1 in this row, and a those with EF:
;   z0 = t + u1 + u0/x          z2 = t + u0 + u3 + u2/x
;   z1 = t + u1 + u2 + u3/x     z3 = t + u0 + u2 + u1/x
; So four divisions by x are enough, besides t, where mds.asm takes eight.
;
; mds_tables: 2, one of halves and one for t; 1, of halves; 0, none. y0..y3 hold u.

    .include "half.asm"
    .ifeq mds_tables
    .macro half_of byte
    lda *byte
    half
    .endm
    .else
    .macro half_of byte
    ldx *byte
    lda half_table,x
    .endm
    .endif

; make_t - t
;   in     A: u0 + u1 + u2 + u3
;   out    t, also in A; X and the carry are lost
;   RAM    t
;   cost   6 bytes (sboxes_2tables)
;   cost   16 bytes (sboxes_1table)
;   cost   18 bytes (sboxes_0tables)
;   time   constant with tables: 11 clocks with two, 22 with one
    .ifeq mds_tables-2
    .macro make_t
    tax
    lda twice_and_half,x
    sta *s
    .endm
    .endif
    .ifeq mds_tables-1
    .macro make_t ?even,?both
    tax
    lsla
    bcc even
    eor #v_low
    bra both
even:
    nop                         ; 5 clocks for the 5 of eor and bra
    brn even
both:
    eor half_table,x
    sta *s
    .endm
    .endif
    .ifeq mds_tables
    .macro make_t
    tax
    lsla
    bcc .+4
    eor #v_low
    sta *s
    txa
    half
    eor *s
    sta *s
    .endm
    .endif

; row_0, row_1, row_2, row_3 - z0, .. z3; row_0 comes first
;   in     u0, u1, u2, u3, row_0: the third in A as well; row_1 to row_3: t
;   out    A; row_0: t; X is lost
;   RAM    u, t
;   time   constant with tables
    .macro row_0
    eor *y0
    eor *y1
    eor *y3
    make_t
    .ifeq mds_tables
    half_of y0
    eor *s
    .else
    ldx *y0
    eor half_table,x
    .endif
    eor *y1
    .endm
    .macro row_1
    half_of y3
    eor *s
    eor *y1
    eor *y2
    .endm
    .macro row_2
    half_of y2
    eor *s
    eor *y0
    eor *y3
    .endm
    .macro row_3
    half_of y1
    eor *s
    eor *y0
    eor *y2
    .endm
