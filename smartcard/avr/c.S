; SPDX-License-Identifier: Apache-2.0 OR MIT
; The functions of twofish.h, to be included after twofish.S: they take the text into registers and
; back, and keep those of the caller. What avr-gcc expects: the argument is in r24:r25; r2..r17 and Y
; are kept; r1 is 0 at the return.

#include "c_kept.S"

    .section .text.mf_avr, "ax", @progbits

; mf_avr_encrypt, mf_avr_decrypt - the functions of twofish.h
    .global mf_avr_encrypt
mf_avr_encrypt:
    ldi     ZL, pm_lo8(twofish_encrypt)
    ldi     ZH, pm_hi8(twofish_encrypt)
.if decrypt
    rjmp    with_text

    .global mf_avr_decrypt
mf_avr_decrypt:
    ldi     ZL, pm_lo8(twofish_decrypt)
    ldi     ZH, pm_hi8(twofish_decrypt)
.endif

; with_text - calls a routine with the caller's text in r0..r15
;   in     Z: the routine, r24:r25: the text
with_text:
    push_kept
    push    r24
    push    r25
    movw    XL, r24
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ld      r\i, X+
.endr
    icall
    pop     XH
    pop     XL
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    st      X+, r\i
.endr
leave:
    pop_kept
    clr     r1
    ret

; mf_avr_set_key - the function of twofish.h
    .global mf_avr_set_key
mf_avr_set_key:
    push_kept
    movw    XL, r24
    ldi     ZL, lo8(twofish_key)
    ldi     ZH, hi8(twofish_key)
    ldi     r18, key_bytes
1:  ld      r0, X+
    st      Z+, r0
    dec     r18
    brne    1b
    rcall   twofish_set_key
    rjmp    leave
