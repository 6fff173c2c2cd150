; SPDX-License-Identifier: Apache-2.0 OR MIT
; The loop of fly.asm with one round. R0 and R1 change places with R2 and R3 while F is added, as in
; [Twofish98, 4]. Decryption goes through the same loop, with R2 and R3 of the round's result in the
; place of R0 and R1: so it too begins with whitening, exchanges in each round and once at the end.

; exchange_and_add - byte j of Rc + F goes to Ra, that of Ra to Rc
;   in     T1 = T0 + T1; K = K_even or K_odd = T1 + K_2i+1; C
;   out    C; A and X are lost
;   RAM    these
;   cost   none is stated: 12 bytes, 20 clocks
;   time   constant
    .macro exchange_and_add j,K,Ra,Rc
    lda *T1+j
    plus j,K+j
    eor *Rc+j
    ldx *Ra+j
    stx *Rc+j
    sta *Ra+j
    .endm

; round - one round of either direction, then goes to the next or to whitening
;   in     R0..R3, with R3 (decryption: R2) rotated already; index, K_even, K_odd
;   out    R0..R3, index, also in X but there without the direction; A, C are lost
;   RAM    y, s, T1, K_odd
;   time   constant with MDS tables
round:
    T1_s_boxes R1
    T1_rows
    T0_s_boxes R0
    T0_rows
    .irp j,0,1,2,3
    exchange_and_add j,K_even,R0,R2
    .endm
    .irp j,0,1,2,3
    exchange_and_add j,K_odd,R1,R3
    .endm
    .ifne decrypt
    brset #0,*index,decrypt_end
    .endif
    ror_word R0
    lda *index
encrypt_next:
    add #2
    sta *index
    beq last
    tax
    rol_word R3
    jmp subkeys

    .ifne decrypt
decrypt_end:
    ror_word R1
    lda *index
decrypt_next:
    sub #2
    sta *index
    cmp #K_8-2+decrypting
    beq last
    deca
    tax
    rol_word R2
    jmp subkeys
    .endif

; whitened - after K_2 and K_3 or K_6 and K_7: to the first round, or returns
;   in     index
;   out    index
;   RAM    these, saved, FF
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
    lda *saved
    sta *q0
    .endif
    rts

; last - after all rounds: exchanges the halves and goes to the whitening of the output
;   in     index
;   out    index, the text
;   RAM    these
;   time   constant
last:
    exchange
    lda #K_4
    .ifne decrypt
    brclr #0,*index,1$
    lda #K_0+decrypting
1$:
    .endif
    jmp set_index
