; SPDX-License-Identifier: Apache-2.0 OR MIT
; The tables in flash. Each begins a page, so that ZH chooses the table and ZL the entry; a table of q
; is a page, and where q is computed from its 4-bit permutations these are 64 bytes (nibbles.S).

    .section .progmem.twofish_tables, "a", @progbits
    .balign 256
tables:
.if nibbles
#include "nibbles.S"
.else
q0:
    .include "tables/q0.inc"
q1:
    .include "tables/q1.inc"

; page - look-ups go to this table from here on
;   cost   2 bytes
;   time   1 clock
.macro page table
    ldi     ZH, hi8(\table)
.endm

; look - \out = table[\in]
;   out    ZL is lost
;   cost   4 bytes (avr_f*, avr_s*)
;   time   4 clocks
.macro look out, in
    mov     ZL, \in
    lpm     \out, Z
.endm

; look_both - \a = p[ZL], \b = q[ZL]
;   out    the page is that of q; Z is lost
;   cost   8 bytes (avr_f*, avr_s*)
;   time   8 clocks
.macro look_both a, p, b, q
    page    \p
    lpm     \a, Z
    page    \q
    lpm     \b, Z
.endm

; q_key - \y = q(\y + byte of L)
;   in     Y: L_0
;   out    ZL is lost
;   cost   6 bytes (avr_f*, avr_s*)
;   time   6 clocks
.macro q_key y, word, byte
    ldd     ZL, Y + 8 * \word + \byte
    eor     ZL, \y
    lpm     \y, Z
.endm
.endif

    .section .progmem.twofish_tables
.if u_tables
    .balign 256
u0:
    .include "tables/u0.inc"
u1:
    .include "tables/u1.inc"
.endif
tables_end:                     ; the section itself ends where the next page begins
