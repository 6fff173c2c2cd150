; SPDX-License-Identifier: Apache-2.0 OR MIT
; q0 begins at FF. A look-up in a table from there on is a byte and a clock less than elsewhere, since
; 8 bits are enough for its address. FF is RAM, and may be the caller's stack: it is saved, and holds
; the first entry while the cipher runs.

; q0_to_FF, q0_from_FF - puts the first entry of q0 into RAM at FF; puts back what was there
;   in     q0_from_FF: saved
;   out    q0_to_FF: saved; X is lost
;   RAM    FF, saved
;   time   constant: 13 clocks; q0_from_FF 7
    .macro q0_to_FF
    ldx *q0
    stx *saved
    ldx #q0_of_0
    stx *q0
    .endm
    .macro q0_from_FF
    ldx *saved
    stx *q0
    .endm
