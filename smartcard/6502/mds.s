; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Rows of MDS [Twofish98, 4.2] as macros. With EF = 1 + 1/x + 1/x^2 and 5B = 1 + 1/x^2 in GF(2^8):
;
;   z_0 = y_0 ^ EF y_1 ^ 5B (y_2 ^ y_3)
;   z_1 = y_3 ^ 5B y_0 ^ EF (y_1 ^ y_2)
;   z_2 = y_2 ^ 5B y_1 ^ EF (y_0 ^ y_3)
;   z_3 = y_1 ^ 5B y_3 ^ EF (y_0 ^ y_2)
;
; so two look-ups make a row; or, with c the byte of factor 1, a the bytes of factor EF and sum that of
; all y, z = sum ^ ((sum ^ c)/x ^ a)/x. Only ADC changes the carry in rows with tables, so additions of
; 32 bits go on from row to row; shifts break this, and the carry waits on the stack.

; halve - A = A/x in GF(2^8): a shift, and B4 = v(x)/x if A is odd
;   out    A; Y is lost if there is a table
;   cost   7 bytes (6502_fly_small*, 6502_mds*)
;   time   6 clocks with the table; 7 without, whether A is odd or even: no branch leaves its page
.macro halve
    .if mds_tables = 1
        tay
        lda halves, y
    .else
        .local branch, odd, done
        lsr a
branch: bcs odd
        bcc done
odd:    eor #$B4
done:
        .assert >branch = >done, lderror, "a branch crosses a page"
    .endif
.endmacro

.if full = 0

; While the source is read: which y_j is in A and in Y.
NONE = 4
SUM = 5                         ; A holds the sum
in_A .set NONE
in_Y .set NONE

; load_two - A = y_i ^ y_j
.macro load_two i, j
    .if in_A = (i)
        eor column + (j)
    .elseif in_A = (j)
        eor column + (i)
    .elseif in_Y = (i)
        tya
        eor column + (j)
    .elseif in_Y = (j)
        tya
        eor column + (i)
    .else
        lda column + (i)
        eor column + (j)
    .endif
in_A .set NONE
.endmacro

.if mds_tables = 2

; mds_begin - nothing is to be prepared
.macro mds_begin
.endmacro

; row - A = pair_table[y_i ^ y_j] ^ table[y_l] ^ y_m; Y = y_l
.macro row pair_table, i, j, table, l, m
        load_two i, j
        tay
        lda pair_table, y
        ldy column + (l)
        eor table, y
        eor column + (m)
in_Y .set l
.endmacro

; mds_row - A = z_i; the carry lasts; Y is lost
;   time   at most 22 clocks, less where the row before left in Y what this one begins with
.macro mds_row i
    .if (i) = 0
        row times_5B, 2, 3, times_EF, 1, 0
    .elseif (i) = 1
        row times_EF, 1, 2, times_5B, 0, 3
    .elseif (i) = 2
        row times_EF, 0, 3, times_5B, 1, 2
    .else
        row times_EF, 0, 2, times_5B, 3, 1
    .endif
.endmacro

; carry_in, carry_out - before and after the addition of byte i: the carry of the byte before
.macro carry_in i
    .if (i) = 0
        clc
    .endif
.endmacro

.macro carry_out i
.endmacro

.else

; mds_begin - the sum of the column, of which one byte is in A
.macro mds_begin
    .repeat 4, j
        .if j <> in_A
        eor column + j
        .endif
    .endrep
        sta sum
in_A .set SUM
.endmacro

; row - A = the z that y_l has the factor 1 in, y_i and y_j (which may be NONE) EF, the rest 5B
.macro row l, i, j
        .if in_A <> SUM
        lda sum
        .endif
in_A .set NONE
        eor column + (l)
        halve
        eor column + (i)
        .if (j) <> NONE
        eor column + (j)
        .endif
        halve
        eor sum
.endmacro

; mds_row - A = z_i; the carry lasts if there is a table
.macro mds_row i
    .if (i) = 0
        row 0, 1, NONE
    .elseif (i) = 1
        row 3, 1, 2
    .elseif (i) = 2
        row 2, 0, 3
    .else
        row 1, 0, 2
    .endif
.endmacro

; carry_in, carry_out - the same, and in between the carry is on the stack
.macro carry_in i
    .if (i) = 0
        clc
    .elseif mds_tables = 0
        plp
    .endif
.endmacro

.macro carry_out i
    .if mds_tables = 0 && (i) < 3
        php
    .endif
.endmacro

.endif
.endif
