; SPDX-License-Identifier: Apache-2.0 OR MIT
; The loop of fly.asm with one round. R0 and R1 change places with R2 and R3 while F is added, as in
; [Twofish98, 4]. Decryption goes through the same loop, with R2 and R3 of the round's result in the
; place of R0 and R1: so it too begins with whitening, exchanges in each round and once at the end.

; exchange_and_add - byte j of Rc + F goes to Ra, that of Ra to Rc
;   in     T1 = T0 + T1; K = K_even or K_odd = T1 + K_2i+1; C
;   out    C; A and X are lost
;   RAM    these
;   cost   12 bytes (fly_small)
;   time   constant: 20 clocks
    .macro exchange_and_add j,K,Ra,Rc
    lda *T1+j
    plus j,K+j
    eor *Rc+j
    ldx *Ra+j
    stx *Rc+j
    sta *Ra+j
    .endm

; round - one round of either direction, then to the next one's subkeys or to whitening
;   in     R0..R3, with R3 (decryption: R2) rotated already; index, K_even, K_odd
;   out    R0..R3; A: the next index; X, C are lost
;   RAM    y, s, T1, K_odd
;   time   constant with MDS tables
round:
    T1_begin R1
    T1_end
    T0_begin R0
    T0_end
    exchange_and_add 0,K_even,R0,R2
    exchange_and_add 1,K_even,R0,R2
    exchange_and_add 2,K_even,R0,R2
    exchange_and_add 3,K_even,R0,R2
    exchange_and_add 0,K_odd,R1,R3
    exchange_and_add 1,K_odd,R1,R3
    exchange_and_add 2,K_odd,R1,R3
    exchange_and_add 3,K_odd,R1,R3
    .ifne decrypt
    brset #0,*index,decrypt_end
    .endif
    ror_word R0
    lda *index
encrypt_next:
    add #2
    beq last
    rol_word R3
    jmp subkeys_of

    .ifne decrypt
decrypt_end:
    ror_word R1
    lda *index
decrypt_next:
    sub #2
    cmp #K_8-2+decrypting
    beq last
    rol_word R2
    jmp subkeys_of
    .endif

; whitened - after K_2 and K_3 or K_6 and K_7: to the first round, or returns
;   in     index
;   out    as round
;   RAM    the text, index, saved, FF
;   time   constant
whitened:
    .ifne decrypt
    brset #0,*index,decrypt_whitened
    .endif
    brset #2,*index,done
    lda #K_8-2
    bra encrypt_next
    .ifne decrypt
decrypt_whitened:
    brclr #2,*index,done
    lda #decrypting
    bra decrypt_next
    .endif
done:
    .ifeq one_h
    q0_from_FF
    .endif
    rts

; last - after all rounds: exchanges the halves and goes to the whitening of the output
;   in     index of the last round: K_38, or K_8+decrypting
;   out    the text; A: K_4, or K_0+decrypting; X is lost
;   RAM    the text, y0
;   time   constant
last:
    exchange
    .ifne decrypt
    lda *index
    and #5                    ; 4 of K_38, 1 of K_8+decrypting
    add #K_0
    .else
    lda #K_4
    .endif
    jmp subkeys_of
