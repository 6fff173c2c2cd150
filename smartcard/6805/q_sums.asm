; SPDX-License-Identifier: Apache-2.0 OR MIT
; q0 and q1 from 205 bytes of tables [Twofish98, 4.3.5]. What stands before the 4-bit permutations is
; linear over GF(2), so that each of the three steps of q is the sum of two entries, one of the high
; and one of the low nibble. Tables of high nibbles are interleaved, which takes one shift instead of
; four.

    .area TABLES
nibble_sums:
    .include "tables/nibble_sums.inc"
of_high = nibble_sums
of_low = nibble_sums+125

    .area CIPHER
; q_step - A = a step of a q
;   in     A; k: which step, 0 to 4
;   out    A; X is lost
;   RAM    v, no stack
;   cost   18 bytes (nibbles_fast)
;   time   constant
    .macro q_step k
    tax
    and #0x0F
    sta *v
    txa
    lsra
    and #0x78
    tax
    lda of_high+k,x
    ldx *v
    eor of_low+16*k,x
    .endm

; q0 - A = q0(A) [Twofish98, 4.3.5]
;   in     A
;   out    A; X, C are lost
;   RAM    v, no stack
;   cost   55 bytes, 96 clocks (nibbles_fast)
;   time   constant
q0:
    q_step 0
    q_step 1
    q_step 2
    rts

; q1 - A = q1(A) [Twofish98, 4.3.5]
;   in     A
;   out    A; X, C are lost
;   RAM    v, no stack
;   cost   55 bytes, 96 clocks (nibbles_fast)
;   time   constant
q1:
    q_step 0
    q_step 3
    q_step 4
    rts
