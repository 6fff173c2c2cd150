; SPDX-License-Identifier: Apache-2.0 OR MIT
; Triple-DES, for des.S: encryption under the first key, decryption under the second, encryption under
; the third [FIPS46-3, "Triple Data Encryption Algorithm"]; decryption is the same backwards.

; next_pass - what comes after 16 rounds: the next pass, or the end of the block
;   in     R, L; rounds: none left, but 32 for each pass to come; X: behind the key of this pass
;   out    rounds, X: at the next key; t is lost
;   cost   46 bytes (avr_des_triple)
;   time   by the pass
.macro next_pass
    mov     t, rounds
    andi    t, 0x60
    breq    inverse_IP
    exchange R0, L0
    exchange R1, L1
    exchange R2, L2
    exchange R3, L3
    subi    rounds, 0x90        ; the other direction, a pass less to come, 16 rounds
    mov     t, rounds
    lsl     t
    lsl     t
    eor     t, rounds           ; bit 7: the block is decrypted, since the second pass encrypts
    sbrc    t, decrypting
    sbiw    XL, 16
    rjmp    pass
inverse_IP:
.endm

; exchange - two registers
;   cost   6 bytes (avr_des_triple)
;   time   3 clocks
.macro exchange R, L
    mov     t, \R
    mov     \R, \L
    mov     \L, t
.endm
