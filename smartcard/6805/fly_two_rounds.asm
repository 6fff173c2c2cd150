; SPDX-License-Identifier: Apache-2.0 OR MIT
; The loop of fly.asm with two rounds, which differ in the roles of the words: an even round adds F of
; R0 and R1 to R2 and R3, an odd one the other way round. Bit 1 of index says which it is. Only after
; the last round of an encryption, and before the first of a decryption, the halves change places.

; add_F - Rc + F0 and Rd + F1
;   in     T1 = T0 + T1; K_even; K_odd = T1 + K_2i+1
;   out    Rc, Rd; A, C are lost
;   RAM    these
;   cost   64 bytes (fly_1table)
;   time   constant: 104 clocks
    .macro add_F Rc,Rd
    .irp j,0,1,2,3
    lda *T1+j
    plus j,K_even+j
    eor *Rc+j
    sta *Rc+j
    .endm
    .irp j,0,1,2,3
    lda *T1+j
    plus j,K_odd+j
    eor *Rd+j
    sta *Rd+j
    .endm
    .endm

; round - one round of either direction, then goes to the next or to whitening
;   in     R0..R3, with R3 or R1 (decryption: R2 or R0) rotated already; index, K_even, K_odd
;   out    R0..R3, index, also in X but there without the direction; A, C are lost
;   RAM    y, s, T1, K_odd
;   time   constant with MDS tables; odd rounds take other clocks than even ones
round:
    .ifne shared_rows
    brset #1,*index,odd_T1
    T1_s_boxes R1
    bra both_T1
odd_T1:
    T1_s_boxes R3
both_T1:
    T1_rows
    brset #1,*index,odd_T0
    T0_s_boxes R0
    bra both_T0
odd_T0:
    T0_s_boxes R2
both_T0:
    T0_rows
    .endif
    brclr #1,*index,even
    jmp odd

even:
    .ifeq shared_rows
    T1_s_boxes R1
    T1_rows
    T0_s_boxes R0
    T0_rows
    .endif
    add_F R2,R3
    .ifne decrypt
    brset #0,*index,decrypt_even_end
    .endif
    ror_word R2
    next_index
    tax
    rol_word R1
    jmp subkeys
    .ifne decrypt
decrypt_even_end:
    ror_word R3
    last_index
    cmp #K_8-2+decrypting
    beq decrypt_last
    deca
    tax
    rol_word R0
    jmp subkeys
decrypt_last:
    lda #K_0+decrypting
    jmp set_index
    .endif

odd:
    .ifeq shared_rows
    T1_s_boxes R3
    T1_rows
    T0_s_boxes R2
    T0_rows
    .endif
    add_F R0,R1
    .ifne decrypt
    brset #0,*index,decrypt_odd_end
    .endif
    ror_word R0
    lda *index
encrypt_next:
    add #2
    sta *index
    beq halves
    tax
    rol_word R3
    jmp subkeys
    .ifne decrypt
decrypt_odd_end:
    ror_word R1
    last_index
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
    brset #2,*index,halves
    .endif
done:
    .ifeq one_h
    lda *saved
    sta *q0
    .endif
    rts

; halves - exchanges the halves, then to the whitening of the output or to the first decryption
;   in     index
;   out    index, the text
;   RAM    these
;   time   constant
halves:
    exchange
    .ifne decrypt
    brset #0,*index,decrypt_first
    .endif
    lda #K_4
    jmp set_index
    .ifne decrypt
decrypt_first:
    lda #K_38+decrypting
    sta *index
    deca
    tax
    rol_word R0
    jmp subkeys
    .endif
