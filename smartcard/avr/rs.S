; SPDX-License-Identifier: Apache-2.0 OR MIT
; S from the key [Twofish98, 4.3].

#include "rs_word.S"

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
1:  rs_word
    st      Y, r16
    std     Y + 1, r17
    std     Y + 2, r18
    std     Y + 3, r19
    adiw    YL, 8
    cpi     XL, lo8(twofish_key)
    brne    1b
    ret
