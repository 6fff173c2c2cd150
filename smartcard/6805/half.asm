; SPDX-License-Identifier: Apache-2.0 OR MIT
; Division by x, modulo v [Twofish98, 4.2]: by a table if mds_tables is 1, by a shift if it is 0.

; half - A = A/x
;   in     A
;   out    A; with the table X is lost, without it the carry
;   RAM    none
;   cost   4 bytes (fly_small)
;   cost   5 bytes (fly_0tables)
;   time   7 clocks with the table; without it 8, 2 less where A is even
    .ifeq mds_tables-1
    .macro half
    tax
    lda half_table,x
    .endm
    .endif
    .ifeq mds_tables
    .macro half
    lsra
    bcc .+4
    eor #v_over_x
    .endm
    .endif

; carry_out, carry_in - the carry to X, which is free there, and back, if half is a shift
;   in     C; X
;   out    X; C
;   RAM    none
;   time   3 clocks by shifts
    .ifeq mds_tables
    .macro carry_out
    rolx
    .endm
    .macro carry_in
    rorx
    .endm
    .else
    .macro carry_out
    .endm
    .macro carry_in
    .endm
    .endif
