; SPDX-License-Identifier: Apache-2.0 OR MIT
; q0 begins at FF, as in fly.asm: FF holds its first entry while the cipher runs. Cards that have no q
; need none of this.

    .ifeq keeps-1
; set_q0 - puts the first entry of q0 into RAM at FF
;   in     none
;   out    saved; X is lost
;   RAM    FF, saved
;   cost   9 bytes, 19 clocks (subkeys_2tables)
;   time   constant
set_q0:
    ldx *q0
    stx *saved
    ldx #q0_of_0
    stx *q0
    rts
    .endif

; q0_to_RAM, q0_from_RAM - call set_q0, and put back what was at FF
;   in     q0_from_RAM: saved
;   out    q0_to_RAM: saved; X is lost
;   RAM    FF, saved; q0_to_RAM: 2 bytes of stack
;   cost   none for both: a bsr has 2 bytes, a jsr 3; q0_from_RAM 4
;   time   constant: 25 clocks; q0_from_RAM 7
    .macro q0_to_RAM call
    .ifeq keeps-1
    call set_q0
    .endif
    .endm
    .macro q0_from_RAM
    .ifeq keeps-1
    ldx *saved
    stx *q0
    .endif
    .endm
