; SPDX-License-Identifier: Apache-2.0 OR MIT
; DES, for des.asm: a block is one pass of 16 rounds, under one key.

; first_pass, next_pass - what comes after IP; what comes after 16 rounds and before the inverse of IP
    .macro first_pass
    .endm
    .macro next_pass
    .endm

; first_key, next_key - what comes before the first key and after each
    .macro first_key
    .endm
    .macro next_key
    .endm

; store_key - a byte of C and D in place of the key
;   in     X; the text
;   out    the key; A is lost
;   RAM    none
;   cost   4 bytes (des)
;   time   constant
    .macro store_key
    lda *des_text,x
    sta *des_key,x
    .endm
