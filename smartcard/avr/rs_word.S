; SPDX-License-Identifier: Apache-2.0 OR MIT
; RS times 8 bytes m [Twofish98, 4.3] is the remainder of m(x) x^4 by
; x^4 + (a + 1/a) x^3 + a x^2 + (a + 1/a) x + 1, a being the x of w: a shift register, from m7 down.

; rs_word - RS of the 8 bytes before X
;   out    r16..r19, X - 8; r20..r22, r24, r25 are lost
.macro rs_word
    clr     r16
    clr     r17
    movw    r18, r16
    ldi     r25, 8
8:  ld      r20, -X
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
    brne    8b
.endm
