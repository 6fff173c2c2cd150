; SPDX-License-Identifier: Apache-2.0 OR MIT
; Whether q0 is at FF: programs that have no q need none of this.

    .ifeq keeps-1
    .include "q0_at_FF.asm"

; set_q0 - puts the first entry of q0 into RAM at FF
;   in     none
;   out    saved; X is lost
;   RAM    FF, saved
;   cost   9 bytes, 19 clocks (subkeys_2tables)
;   time   constant
set_q0:
    q0_to_FF
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
    q0_from_FF
    .endif
    .endm
