; SPDX-License-Identifier: Apache-2.0 OR MIT
; The masks of a block, and what is made of them.

; call_random - a call of mf_avr_random, which may be far
.macro call_random
#ifdef __AVR_HAVE_JMP_CALL__
    call    mf_avr_random
#else
    rcall   mf_avr_random
#endif
.endm

; random_masks - new values of all that has to be random
;   out    r2..r16 stay, Y: work + RANDOM + RANDOM_BYTES
random_masks:
    set_work
    adiw    YL, RANDOM
    ldi     r17, RANDOM_BYTES
    clr     r1
1:  call_random
    st      Y+, r24
    dec     r17
    brne    1b
    ret

; mask_tables - q0 and q1 into RAM
;   in     Y: work
;   out    r8: m_in, r9: m_out; r16, r17, X, Z are lost
;   cost   38 bytes, 5,640 clocks
;   time   constant
mask_tables:
    ldd     r8, Y + m_in
    ldd     r9, Y + m_out
    ldi     r16, 0
1:  mov     XL, r16
    eor     XL, r8
    ldi     XH, hi8(masked_q0)
    mov     ZL, r16
    ldi     ZH, hi8(q0)
    lpm     r17, Z
    eor     r17, r9
    st      X, r17
    inc     XH
    ldi     ZH, hi8(q1)
    lpm     r17, Z
    eor     r17, r9
    st      X, r17
    inc     r16
    brne    1b
    ret

; mask_s - from the old m_in + m_out to the new
;   in     r8, r9; Y: work
;   out    r16, r17, r18, Z are lost
mask_s:
    ldd     r16, Y + m_s
    mov     r17, r8
    eor     r17, r9
    std     Y + m_s, r17
    eor     r16, r17
    ldi     ZL, lo8(twofish_s)
    ldi     ZH, hi8(twofish_s)
    ldi     r17, key_bytes - 4
1:  ld      r18, Z
    eor     r18, r16
    st      Z+, r18
    dec     r17
    brne    1b
    ret

; mask_byte - a byte at X gets another mask; X + 1
.macro mask_byte operation, change
    ld      r14, X
    \operation r14, \change
    st      X+, r14
.endm

; mask_subkeys - from the old D to the new: those of whitening are xored with it, the others have it
; subtracted
;   in     Y: work
;   out    r0..r7, r10..r14, r16, X are lost
;   cost   110 bytes, 960 clocks
mask_subkeys:
.irp i, 0, 1, 2, 3
    ldd     r\i, Y + D + \i
.endr
    ldd     r4, Y + new_D
    ldd     r5, Y + new_D + 1
    ldd     r6, Y + new_D + 2
    ldd     r7, Y + new_D + 3
    std     Y + D, r4
    std     Y + D + 1, r5
    std     Y + D + 2, r6
    std     Y + D + 3, r7
    movw    r10, r0
    movw    r12, r2
    xor_word r10, r11, r12, r13, r4, r5, r6, r7
    sub     r0, r4
    sbc     r1, r5
    sbc     r2, r6
    sbc     r3, r7
    ldi     XL, lo8(subkeys)
    ldi     XH, hi8(subkeys)
    ldi     r16, 8
1:  mask_byte eor, r10
    mask_byte eor, r11
    mask_byte eor, r12
    mask_byte eor, r13
    dec     r16
    brne    1b
    ldi     r16, 32
2:  mask_byte add, r0
    mask_byte adc, r1
    mask_byte adc, r2
    mask_byte adc, r3
    dec     r16
    brne    2b
    ret

; add_mask - r4..r7 += a word of masks
.macro add_mask word
    ldd     ZL, Y + \word
    add     r4, ZL
    ldd     ZL, Y + \word + 1
    adc     r5, ZL
    ldd     ZL, Y + \word + 2
    adc     r6, ZL
    ldd     ZL, Y + \word + 3
    adc     r7, ZL
.endm

; store_mask - a word of masks
.macro store_mask word, a0, a1, a2, a3
    std     Y + \word, \a0
    std     Y + \word + 1, \a1
    std     Y + \word + 2, \a2
    std     Y + \word + 3, \a3
.endm

; results - the masks that results of h and F have
;   in     r9; Y: work
;   cost   266 bytes
results:
    ldd     r16, Y + r_y
    ldd     r17, Y + r_y + 1
    ldd     r18, Y + r_y + 2
    ldd     r19, Y + r_y + 3
    xor_word r16, r17, r18, r19, r9, r9, r9, r9
    mds     r16, r17, r18, r19, r20, r21
    mov     r0, z0
    mov     r1, z1
    mov     r2, z2
    mov     r3, z3
    store_mask MB, r0, r1, r2, r3
    movw    r4, r0
    movw    r6, r2
    add_mask MB                         ; of F0: 2 MB + rho + D
    add_mask rho
    add_mask D
    store_mask FR, r4, r5, r6, r7
    add_mask MB                         ; of F1: 3 MB + 2 rho + D
    add_mask rho
    store_mask FR + 4, r4, r5, r6, r7
    ldd     r4, Y + gamma
    ldd     r5, Y + gamma + 1
    ldd     r6, Y + gamma + 2
    ldd     r7, Y + gamma + 3
    xor_word r0, r1, r2, r3, r4, r5, r6, r7
    store_mask delta, r0, r1, r2, r3
    ret

; new_masks - new masks for the key memory, and those of a block
;   out    r8: m_in, Y: work; all other registers are lost
;   cost   14 bytes, 7,278 clocks (avr_masked)
;   time   constant
new_masks:
    rcall   random_masks
    set_work
    rcall   mask_tables
    rcall   mask_s
    rcall   mask_subkeys
    rjmp    results
