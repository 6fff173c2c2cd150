; SPDX-License-Identifier: Apache-2.0 OR MIT
; q0 and q1 from their 4-bit permutations in 64 bytes [Twofish98, 4.3.5]. A byte of the table holds
; the two permutations of a nibble that stand beside each other, t0 and t1 or t3 and t2; the table, not
; the half of a byte, tells q0 from q1.

    .area TABLES
nibble_pairs:
    .include "tables/nibbles.inc"

    .area CIPHER
; q_half - A = two of the 4-bit permutations of a q [Twofish98, 4.3.5]
;   in     A: a in the high half, b in the low one; table: at each nibble the two permutations of it;
;          which of them is the result's high half: 1 that of a, 0 that of b
;   out    A; X is lost
;   RAM    t, v, no stack
;   cost   none, by the arguments: 41 bytes, 44 where the high half is of b
;   time   2 clocks less where b is even
    .macro q_half table,a_is_high,?even
    sta *t
    lsra
    lsra
    lsra
    lsra
    eor *t
    and #15                     ; a + b
    tax
    lda table,x
    sta *v
    lda *t
    lsra
    lsra
    lsra
    eor *t
    lsra
    brclr #0,*t,even
    eor #8
even:
    and #15                     ; a + ROR4(b, 1) + 8 a
    tax
    lda table,x
    .ifne a_is_high
    eor *v
    and #15
    eor *v
    .else
    tax
    eor *v
    and #15
    stx *v
    eor *v
    .endif
    .endm

; q0 - A = q0(A) [Twofish98, 4.3.5]
;   in     A
;   out    A; X, C are lost
;   RAM    t, v, no stack
;   cost   86 bytes, 160 clocks (nibbles)
;   time   2 clocks less for each even b
q0:
    q_half nibble_pairs+0,1
    q_half nibble_pairs+32,0
    rts

; q1 - A = q1(A) [Twofish98, 4.3.5]
;   in     A
;   out    A; X, C are lost
;   RAM    t, v, no stack
;   cost   86 bytes, 160 clocks (nibbles)
;   time   2 clocks less for each even b
q1:
    q_half nibble_pairs+16,1
    q_half nibble_pairs+48,0
    rts
