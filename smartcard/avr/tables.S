; SPDX-License-Identifier: Apache-2.0 OR MIT
; The tables in flash, each in a page of its own: ZH chooses the table, ZL the entry.

    .section .progmem.twofish_tables, "a", @progbits
    .balign 256
q0:
    .include "tables/q0.inc"
q1:
    .include "tables/q1.inc"
.if half_table
half:
    .include "tables/half.inc"
.endif

; page - look-ups go to this table from here on
.macro page table
    ldi     ZH, hi8(\table)
.endm

; look - \out = table[\in]
;   cost   4 bytes, 4 clocks
.macro look out, in
    mov     ZL, \in
    lpm     \out, Z
.endm
