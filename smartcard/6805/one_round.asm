twofish_encrypt:
    whiten K_0
    clr *direction
    clr *index
encrypt_round:
    rol_word R3
round:
    F_into R0,R1,R2,R3,0
    brset #0,*direction,decrypt_end
    ror_word R0
    lda *index
    add #8
    sta *index
    bmi encrypt_last
    jmp encrypt_round
encrypt_last:
    exchange_and_whiten K_4
    rts

twofish_decrypt:
    whiten K_4
    lda #1
    sta *direction
    lda #120
decrypt_round:
    sta *index
    rol_word R2
    jmp round
decrypt_end:
    ror_word R1
    lda *index
    sub #8
    bpl decrypt_round
    exchange_and_whiten K_0
    rts

