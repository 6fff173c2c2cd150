; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of g from S on the card, for fly.asm.
    .include "make_sboxes.asm"

; twofish_set_key - S, then all S-boxes
;   in     twofish_key
;   out    twofish_s, twofish_sboxes; A and X are lost
;   RAM    byte, saved and FF, and what twofish_rs takes; 4 bytes of stack
;   cost   96 bytes (fly_sboxes)
;   time   constant (fly_sboxes)
twofish_set_key:
    jsr twofish_rs
    q0_to_FF
    clrx
1$: make_entries
    incx
    bne 1$
    q0_from_FF
    rts
