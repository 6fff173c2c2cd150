; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of g times the entries of MDS in memory: a column of MDS has three different entries, so
; 3 KB are enough [TR3, 3.2]. First are s_0, s_1, s_2, s_3, then EF times these, then 5B times these,
; 256 bytes each. A row of MDS takes one look-up for each byte, and no y.
times_1 = twofish_sboxes
times_ef = twofish_sboxes+0x400
times_5b = twofish_sboxes+0x800
v_copy = R3                     ; while a program makes them

; s_boxes_in_memory - tells the rows which bytes they are of
;   in     4 bytes of the text
;   out    none
;   RAM    none
;   cost   none: no code
;   time   constant
    .macro s_boxes_in_memory i0, i1, i2, i3
x0 = i0
x1 = i1
x2 = i2
x3 = i3
    .endm

; row - a row of MDS times the S-boxes: each argument is the factor of one of them
;   in     the bytes named above
;   out    A; X is lost
;   RAM    none
;   cost   20 bytes (mds)
;   time   constant: 32 clocks
    .macro row t0, t1, t2, t3
    ldx *x0
    lda t0,x
    ldx *x1
    eor t1+0x100,x
    ldx *x2
    eor t2+0x200,x
    ldx *x3
    eor t3+0x300,x
    .endm

; row_0, row_1, row_2, row_3 - the rows of MDS [Twofish98, 4.2]; carry_out, carry_in: as in mds.asm
;   in     the bytes named above
;   out    A; X is lost
;   RAM    none
;   cost   20 bytes (mds)
;   time   constant: 32 clocks
    .macro row_0
    row times_1,times_ef,times_5b,times_5b
    .endm
    .macro row_1
    row times_5b,times_ef,times_ef,times_1
    .endm
    .macro row_2
    row times_ef,times_5b,times_1,times_ef
    .endm
    .macro row_3
    row times_ef,times_1,times_ef,times_5b
    .endm
    .macro carry_out
    .endm
    .macro carry_in
    .endm

; over_x - A = A/x in the same time for each A; v_copy: v_over_x in RAM, since it takes 3 clocks from there,
;          as long as a branch
;   in     A, v_copy
;   out    A; C is lost
;   RAM    v_copy
;   cost   7 bytes (mds_oncard)
;   time   constant: 9 clocks
    .macro over_x ?odd, ?done
    lsra
    bcs odd
    bra done
odd:
    eor *v_copy
done:
    .endm

; keep_entry - an entry into the tables: the S-box, times EF = 1 + 1/x + 1/x^2, times 5B = 1 + 1/x^2
;   in     A: the entry of the S-box; byte, v_copy, the address of the S-box in each of the three
;   out    the tables; X = byte; A is lost
;   RAM    s
;   cost   32 bytes (mds_oncard)
;   time   constant: 51 clocks
    .macro keep_entry at
    ldx *byte
    sta times_1+at,x
    over_x
    sta *s
    over_x
    eor times_1+at,x
    sta times_5b+at,x
    eor *s
    sta times_ef+at,x
    .endm
