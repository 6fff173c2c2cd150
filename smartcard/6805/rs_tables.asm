; SPDX-License-Identifier: Apache-2.0 OR MIT
; S from the key with two tables of 256 bytes [TR3, 3.2]: the division of rs.asm the other way round.
;
; Each byte of the quotient comes from the key and the four bytes of the quotient before it,
;   b_i = m_i + c (b_i+1 + b_i+3) + a b_i+2 + b_i+4         c = a + 1/a, b_8 and more are 0
; which takes two look-ups where the remainder takes three. Once m is used up, the same sums without
; the terms that are not there are the remainder. b_i stands at byte i mod 4 of the S that it becomes.

    .area TABLES
rs_a:
    .include "tables/rs_twice.inc"
rs_c:
    .include "tables/rs_twice_half.inc"

    .area SET_KEY
; rs_byte - b4 = m + c (b1 + b3) + a b2 + b4
;   in     four bytes of the quotient; m in the key
;   out    b4; A and X are lost
;   RAM    none
;   cost   19 bytes (fly_rs_tables)
;   time   constant
    .macro rs_byte m,b1,b2,b3,b4
    rs_sum b1,b2,b3
    eor *m
    eor *b4
    sta *b4
    .endm

; rs_sum - A = c (b1 + b3) + a b2
;   in     three bytes of the quotient
;   out    A; X is lost
;   RAM    none
;   cost   13 bytes (fly_rs_tables)
;   time   constant
    .macro rs_sum b1,b2,b3
    lda *b1
    eor *b3
    tax
    lda rs_c,x
    ldx *b2
    eor rs_a,x
    .endm

; rs_word - S_i from 8 bytes of the key
;   in     the key
;   out    S_i; A and X are lost
;   RAM    none
;   cost   154 bytes (fly_rs_tables)
;   time   constant
    .macro rs_word m,s
    ldx *m+7
    stx *s+3                    ; b_7
    lda rs_c,x
    eor *m+6
    sta *s+2                    ; b_6
    lda rs_a,x
    ldx *s+2
    eor rs_c,x
    eor *m+5
    sta *s+1                    ; b_5
    rs_sum s+1,s+2,s+3
    eor *m+4
    sta *s+0                    ; b_4
    rs_byte m+3,s+0,s+1,s+2,s+3
    rs_byte m+2,s+3,s+0,s+1,s+2
    rs_byte m+1,s+2,s+3,s+0,s+1
    rs_byte m+0,s+1,s+2,s+3,s+0
    rs_sum s+0,s+1,s+2
    eor *s+3
    sta *s+3
    ldx *s+1
    lda rs_c,x
    ldx *s+0
    eor rs_a,x
    eor *s+2
    sta *s+2
    lda rs_c,x
    eor *s+1
    sta *s+1
    .endm

; twofish_rs - S from the key: RS times each 8 bytes of it [Twofish98, 4.3]
;   in     twofish_key
;   out    twofish_s; A and X are lost
;   RAM    none, no stack
;   cost   309 bytes, 514 clocks (fly_rs_tables)
;   time   constant (fly_rs_tables)
twofish_rs:
    rs_word twofish_key+0,twofish_s
    rs_word twofish_key+8,twofish_s1
    .ifge key_bits-192
    rs_word twofish_key+16,twofish_s2
    .endif
    .ifge key_bits-256
    rs_word twofish_key+24,twofish_s3
    .endif
    rts
