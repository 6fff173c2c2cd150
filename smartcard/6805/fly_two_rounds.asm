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
    .macro add_F_byte j,K,R
    lda *T1+j
    plus j,K+j
    eor *R+j
    sta *R+j
    .endm
    .macro add_F Rc,Rd
    add_F_byte 0,K_even,Rc
    add_F_byte 1,K_even,Rc
    add_F_byte 2,K_even,Rc
    add_F_byte 3,K_even,Rc
    add_F_byte 0,K_odd,Rd
    add_F_byte 1,K_odd,Rd
    add_F_byte 2,K_odd,Rd
    add_F_byte 3,K_odd,Rd
    .endm

; decrypt_even - the end of an even round in decryption, which may be the last one. Its place is such
;                that branches reach it
;   in     R3, index
;   out    R3, R0; A: the next index; C is lost
;   RAM    these
;   time   constant
    .macro decrypt_even
    .ifne decrypt
decrypt_even_end:
    ror_word R3
    lda *index
    sub #2
    cmp #K_8-2+decrypting
    beq decrypt_last
    rol_word R0
    bra to_subkeys
decrypt_last:
    lda #K_0+decrypting
to_subkeys:
    jmp subkeys_of
    .endif
    .endm

; round - one round of either direction, then to the next one's subkeys or to whitening
;   in     R0..R3, with R3 or R1 (decryption: R2 or R0) rotated already; index, K_even, K_odd
;   out    R0..R3; A: the next index; X, C are lost
;   RAM    y, s, T1, K_odd
;   time   constant with MDS tables; odd rounds take other clocks than even ones
round:
    .ifne shared_rows
    brset #1,*index,odd_T1
    T1_begin R1
    bra both_T1
odd_T1:
    T1_begin R3
both_T1:
    T1_end
    brset #1,*index,odd_T0
    T0_begin R0
    bra both_T0
odd_T0:
    T0_begin R2
both_T0:
    T0_end
    brset #1,*index,odd
    .else
    brclr #1,*index,even
    jmp odd
even:
    T1_begin R1
    T1_end
    T0_begin R0
    T0_end
    .endif
    add_F R2,R3
    .ifne decrypt
    brset #0,*index,decrypt_even_end
    .endif
    ror_word R2
    lda *index
    add #2
    rol_word R1
    jmp subkeys_of
    .ifeq shared_rows
    decrypt_even
    .endif

odd:
    .ifeq shared_rows
    T1_begin R3
    T1_end
    T0_begin R2
    T0_end
    .endif
    add_F R0,R1
    .ifne decrypt
    brset #0,*index,decrypt_odd_end
    .endif
    ror_word R0
    lda *index
encrypt_next:
    add #2
    beq halves
    rol_word R3
    jmp subkeys_of
    .ifne shared_rows
    decrypt_even
    .endif
    .ifne decrypt
decrypt_odd_end:
    ror_word R1
    lda *index
    sub #2
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
    brset #2,*index,halves
    .endif
done:
    .ifeq one_h
    q0_from_FF
    .endif
    rts

; halves - exchanges the halves, then to the whitening of the output or to the first decryption
;   in     index
;   out    the text; A: K_4 or K_38+decrypting; X is lost
;   RAM    the text, y0, index
;   time   constant
halves:
    exchange
    lda #K_4
    .ifne decrypt
    brclr #0,*index,1$
    rol_word R0
    lda #K_38+decrypting
1$:
    .endif
    jmp subkeys_of
