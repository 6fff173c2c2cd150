; SPDX-License-Identifier: Apache-2.0 OR MIT
; The functions of masked.h, to be included after twofish.S where KEPT is masked.S: they copy shares
; to where the program has them and back, one share after the other, and keep the registers of the
; caller. What avr-gcc expects: the argument is in r24:r25; r2..r17 and Y are kept; r1 is 0 at the
; return.

#include "c_kept.S"

    .section .text.mf_avr, "ax", @progbits

; copy - as many bytes as r18 says, from X to Z
copy:
    ld      r0, X+
    st      Z+, r0
    dec     r18
    brne    copy
    ret

; mf_avr_masked_encrypt, mf_avr_masked_decrypt - the functions of masked.h
    .global mf_avr_masked_encrypt
mf_avr_masked_encrypt:
    ldi     ZL, pm_lo8(twofish_encrypt)
    ldi     ZH, pm_hi8(twofish_encrypt)
.if decrypt
    rjmp    with_shares

    .global mf_avr_masked_decrypt
mf_avr_masked_decrypt:
    ldi     ZL, pm_lo8(twofish_decrypt)
    ldi     ZH, pm_hi8(twofish_decrypt)
.endif

; with_shares - calls a routine with the caller's shares of a text
;   in     Z: the routine, r24:r25: the shares
with_shares:
    push_kept
    push    r24
    push    r25
    movw    r16, ZL
    movw    XL, r24
    ldi     ZL, lo8(twofish_text)
    ldi     ZH, hi8(twofish_text)
    ldi     r18, 32
    rcall   copy
    movw    ZL, r16
    icall
    ldi     XL, lo8(twofish_text)
    ldi     XH, hi8(twofish_text)
    pop     ZH
    pop     ZL
    ldi     r18, 32
    rcall   copy
leave:
    pop_kept
    clr     r1
    ret

; mf_avr_masked_set_key - the function of masked.h
    .global mf_avr_masked_set_key
mf_avr_masked_set_key:
    push_kept
    movw    XL, r24
    ldi     ZL, lo8(twofish_key)
    ldi     ZH, hi8(twofish_key)
    ldi     r18, 2 * key_bytes
    rcall   copy
    rcall   twofish_set_key
    rjmp    leave
