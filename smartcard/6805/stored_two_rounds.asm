; SPDX-License-Identifier: Apache-2.0 OR MIT
; The loop of stored.asm with two rounds: the second has the words in exchanged roles, so that none is
; moved. Decryption is the same in reverse: it enters in the middle and runs through the second round
; first. The rotations are as in stored_one_round.asm.

; twofish_encrypt - one block [Twofish98, 4]
;   in     twofish_text, twofish_s, twofish_memory
;   out    twofish_text; A and X are lost
;   RAM    text, U, F0, y, s, index, mode; 2 bytes of stack if there is decryption too
;   cost   697 bytes, 8,915 clocks (sboxes_2tables)
;   time   constant (mds*, sboxes_1table*, sboxes_2tables*, subkeys_unrolled)
twofish_encrypt:
    q0_to_RAM bsr
    .ifeq decrypt
    whiten K_0
    .else
    jsr whiten_K_0
    .endif
    .ifne decrypt+set_key
    clr *mode
    .endif
    clra
encrypt_pair:
    sta *index
    rol_word R3
round:
    F_into R0,R1,R2,R3,0
    .ifne decrypt
    brclr #0,*mode,encrypt_first
    ror_word R3
    lda *index
    sub #16
    bpl decrypt_pair
    .ifeq keeps-1
    jsr whiten_K_0
    jmp done
    .else
    jmp whiten_K_0              ; and return
    .endif
decrypt_pair:
    sta *index
    rol_word R0
    bra second
encrypt_first:
    .endif
    ror_word R2
    rol_word R1
second:
    F_into R2,R3,R0,R1,8
    .ifne decrypt
    brclr #0,*mode,encrypt_second
    ror_word R1
    rol_word R2
    jmp round
encrypt_second:
    .endif
    ror_word R0
    lda *index
    add #16
    bmi encrypt_last
    jmp encrypt_pair
encrypt_last:
    exchange K_4+8,K_4
done:
    q0_from_RAM
    rts

    .ifne decrypt
; twofish_decrypt - one block [Twofish98, 4]
;   in     twofish_text, twofish_s, twofish_memory
;   out    twofish_text; A and X are lost
;   RAM    as twofish_encrypt
;   cost   30 bytes, 8,936 clocks (sboxes_2tables)
;   time   constant (mds*, sboxes_1table*, sboxes_2tables*, subkeys_unrolled)
twofish_decrypt:
    q0_to_RAM jsr
    exchange K_4,K_4+8
    lda #1
    sta *mode
    lda #8*14
    jmp decrypt_pair

; whiten_K_0 - input whitening of encryption, output whitening of decryption
;   in     the text
;   out    the text; A and X are lost
;   RAM    the text
;   cost   30 bytes, 240 clocks (sboxes_2tables)
;   time   constant
whiten_K_0:
    whiten K_0
    rts
    .endif
