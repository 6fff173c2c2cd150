; SPDX-License-Identifier: Apache-2.0 OR MIT
; Triple-DES, for des.asm: encryption under the first key, decryption under the second, encryption under
; the third [FIPS46-3, "Triple Data Encryption Algorithm"]; decryption is the same backwards.
;
; The rounds use the first 8 bytes of the key. After a pass of encryption the keys move on by one place,
; before one of decryption by two, so that after three passes they are back.

pass: .ds 1                  ; 3 to 1, and 80 to decrypt the block; follows the RAM of des.asm
backwards = 7

; first_pass - what comes after IP, then 16 rounds
;   in     C: 1 to decrypt
;   out    pass, C: 1 for rounds that decrypt; A, X are lost
;   RAM    pass, work
;   cost   19 bytes (des_triple)
;   time   constant
    .macro first_pass
    lda #3
    bcc 1$
    lda #0x83
1$: sta *pass
    bcc rounds
    jmp move_two
rounds:
    lda *pass                   ; odd passes do what the block does
    bmi .+3
    inca
    lsra
    .endm

; next_pass - what comes after 16 rounds: the next pass, or the end of the block
;   in     pass
;   out    pass, the keys; A, X, C are lost
;   RAM    pass, work
;   cost   54 bytes (des_triple)
;   time   constant
    .macro next_pass
    brset #backwards,*pass,1$
    lda #1
    bra move_keys
1$: dec *pass
    lda *pass
    and #3
    beq inverse_IP
move_two:
    lda #2
move_keys:                      ; by A places
    sta *s2
1$: ldx #7
2$: lda *des_key,x
    sta *s1
    lda *des_key+8,x
    sta *des_key,x
    lda *des_key+16,x
    sta *des_key+8,x
    lda *s1
    sta *des_key+16,x
    decx
    bpl 2$
    dec *s2
    bne 1$
    brset #backwards,*pass,3$
    dec *pass
    beq inverse_IP
3$: jmp rounds
inverse_IP:
    .endm

; first_key, next_key - a loop over the keys
;   in     pass
;   out    pass; A is lost
;   RAM    pass
;   cost   none: 4 bytes each
;   time   constant
    .macro first_key
    lda #3
    sta *pass
each_key:
    .endm
    .macro next_key
    dec *pass
    bne each_key
    .endm

; store_key - a byte of C and D becomes the third key, the others move on
;   in     X; the text
;   out    the keys; A is lost
;   RAM    none
;   cost   12 bytes (des_triple)
;   time   constant
    .macro store_key
    lda *des_key+8,x
    sta *des_key,x
    lda *des_key+16,x
    sta *des_key+8,x
    lda *des_text,x
    sta *des_key+16,x
    .endm
