; SPDX-License-Identifier: Apache-2.0 OR MIT
; Look-ups in the masked tables in RAM, in place of those of tables.S: entry x + m_in of q is q(x) +
; m_out.

.purgem page
.purgem look
.purgem look_both
.purgem q_key

; page - look-ups go to this table from here on
;   cost   2 bytes
;   time   1 clock
.macro page table
    ldi     ZH, hi8(masked_\table)
.endm

; look - \y = q of a byte of the text, with its mask m_out
;   in     \y: share 1 of the byte, + m_in; Y + \byte: share 0
;   out    ZL is lost
;   cost   8 bytes (avr_masked*)
;   time   6 clocks
.macro look y, byte
    ldd     ZL, Y + \byte
    eor     ZL, \y
    clr     \y
    ld      \y, Z
.endm

; look_both - \a = p[ZL], \b = q[ZL]
;   out    the page is that of q
;   cost   8 bytes (avr_masked*)
;   time   6 clocks
.macro look_both a, p, b, q
    page    \p
    ld      \a, Z
    page    \q
    ld      \b, Z
.endm

; q_key - \y = q(\y + byte of L), with its mask m_out; L has m_in + m_out. What \y had before has
; the same mask, so it goes before the new value comes.
;   in     Y: L_0
;   out    ZL is lost
;   cost   8 bytes (avr_masked*)
;   time   6 clocks
.macro q_key y, word, byte
    ldd     ZL, Y + 8 * \word + \byte
    eor     ZL, \y
    clr     \y
    ld      \y, Z
.endm
