; SPDX-License-Identifier: Apache-2.0 OR MIT
; Two rounds in a loop: the second has the roles of the words exchanged, so that none is moved.
; Decryption enters it in the middle and runs through the second round first.

twofish_encrypt:
    jsr whiten_K_0
    clr *direction
    clra
encrypt_pair:
    sta *index
    rol_word R3
first:
    F_into R0,R1,R2,R3,0
    brclr #0,*direction,encrypt_first
    ror_word R3
    lda *index
    sub #16
    bpl decrypt_pair
whiten_K_0:
    whiten K_0
    rts

twofish_decrypt:
    whiten_and_exchange K_4
    lda #1
    sta *direction
    lda #112
decrypt_pair:
    sta *index
    rol_word R0
    bra second

encrypt_first:
    ror_word R2
    rol_word R1
second:
    F_into R2,R3,R0,R1,8
    brclr #0,*direction,encrypt_second
    ror_word R1
    rol_word R2
    jmp first

encrypt_second:
    ror_word R0
    lda *index
    add #16
    bmi encrypt_last
    jmp encrypt_pair
encrypt_last:
    exchange_and_whiten K_4
    rts
