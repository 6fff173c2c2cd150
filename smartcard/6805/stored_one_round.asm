; SPDX-License-Identifier: Apache-2.0 OR MIT
; The loop of stored.asm with one round: F always is that of R0 and R1, and R0 and R1 change places
; with R2 and R3 while it is added [Twofish98, 4]. Encryption and decryption share all but the
; rotations by one bit: encryption rotates R3 before F and R2 after it, decryption R2 before and R3
; after. After F the two are in the places of R0 and R1.

; twofish_encrypt - one block [Twofish98, 4]
;   in     twofish_text, twofish_s, twofish_memory
;   out    twofish_text; A and X are lost
;   RAM    text, U, F0, y, s, index, mode, saved and FF; with a q0, 2 bytes of stack
;   cost   47 bytes, 12,751 clocks (subkeys_2tables)
;   cost   47 bytes, 13,615 clocks (subkeys_1table)
;   time   constant (eeprom_?table*, sboxes_oncard, sboxes_small*, subkeys_?table*)
;   time   constant (subkeys_fast_key, subkeys_interrupts)
twofish_encrypt:
    q0_to_RAM bsr
    whiten K_0
    .ifne decrypt+set_key
    clr *mode
    .endif
    clra
encrypt_round:
    sta *index
    rol_word R3

; round - one round of either direction, then goes to the next or to the end
;   in     R0..R3, with R3 (decryption: R2) rotated already; index, mode
;   out    R0..R3; A and X are lost
;   RAM    as twofish_encrypt
;   cost   455 bytes (subkeys_2tables)
;   time   constant with MDS tables
round:
    F_into R0,R1,R2,R3,0
    .ifne decrypt
    brset #0,*mode,decrypt_end
    .endif
    ror_word R0
    lda *index
    add #8
    bmi encrypt_last
    jmp encrypt_round
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
;   cost   94 bytes, 12,757 clocks (subkeys_2tables)
;   time   constant (eeprom_?table*, sboxes_oncard, sboxes_small*, subkeys_?table*)
;   time   constant (subkeys_fast_key, subkeys_interrupts)
twofish_decrypt:
    q0_to_RAM jsr
    whiten K_4
    lda #1
    sta *mode
    lda #8*15
decrypt_round:
    sta *index
    rol_word R2
    jmp round
decrypt_end:
    ror_word R1
    lda *index
    sub #8
    bpl decrypt_round
    exchange K_0+8,K_0
    .ifeq keeps-1
    bra done
    .else
    rts
    .endif
    .endif
