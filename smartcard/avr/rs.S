; SPDX-License-Identifier: Apache-2.0 OR MIT
; S from the key [Twofish98, 4.3]. RS times 8 bytes m is the remainder of m(x) x^4 by
; x^4 + (a + 1/a) x^3 + a x^2 + (a + 1/a) x + 1, a being the x of w: a shift register, from m7 down.

    .section .text.twofish_set_key, "ax", @progbits

; twofish_rs - S from the key
;   in     twofish_key
;   out    twofish_s: S_(k-1) .. S_0, 8 bytes from each to the next; r16..r25, X, Y are lost
;   cost   76 bytes, 423 clocks (avr_fly, avr_stored, avr_sboxes)
;   cost   76 bytes, 631 clocks (avr_*_192)
;   cost   76 bytes, 839 clocks (avr_*_256)
;   time   constant
    .global twofish_rs
twofish_rs:
    ldi     XL, lo8(twofish_key + key_bytes)
    ldi     XH, hi8(twofish_key + key_bytes)
    ldi     YL, lo8(twofish_s)
    ldi     YH, hi8(twofish_s)
1:  clr     r16
    clr     r17
    movw    r18, r16
    ldi     r25, 8
2:  ld      r20, -X
    eor     r20, r19            ; what is shifted out
    mov     r21, r20            ; times a
    lsl     r21
    sbc     r24, r24
    andi    r24, 0x4D
    eor     r21, r24
    mov     r22, r20            ; times 1/a, then a + 1/a
    lsr     r22
    sbc     r24, r24
    andi    r24, 0xA6
    eor     r22, r24
    eor     r22, r21
    mov     r19, r18
    eor     r19, r22
    mov     r18, r17
    eor     r18, r21
    mov     r17, r16
    eor     r17, r22
    mov     r16, r20
    dec     r25
    brne    2b
    st      Y, r16
    std     Y + 1, r17
    std     Y + 2, r18
    std     Y + 3, r19
    adiw    YL, 8
    cpi     XL, lo8(twofish_key)
    brne    1b
    ret
