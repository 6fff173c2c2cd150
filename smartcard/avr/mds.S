; SPDX-License-Identifier: Apache-2.0 OR MIT
; The MDS matrix [Twofish98, 4.2] without its products. Since EF = 1 + 1/x + 1/x^2 and
; 5B = 1 + 1/x^2 [Twofish98, 7.3], and since each row has one 1 and one or two EF, each row is
;       z = s + half(half(s + c) + a)
; where half divides by x, s is the sum of all four bytes, c the byte that has the coefficient 1 and
; a the sum of those that have EF:
;       z0: c = y0, a = y1            z1: c = y3, a = y1 + y2
;       z2: c = y2, a = y0 + y3       z3: c = y1, a = y0 + y2

; half_of - divides a byte by x, modulo v: its lowest bit becomes 169/x = B4
;   in     \y
;   out    \y; \t is lost
;   cost   8 bytes
;   time   4 clocks
.macro half_of y, t
    lsr     \y
    sbc     \t, \t
    andi    \t, 0xB4
    eor     \y, \t
.endm

; mds_row - z = s + half(half(s + c) + a + b), by shifts
;   in     \s, \c, \a, \b; \z is \b or \w
;   out    \z; \w and \t are lost
;   cost   26 bytes
;   time   13 clocks
.macro mds_row z, s, c, a, b, w, t
    mov     \w, \s
    eor     \w, \c
    half_of \w, \t
    eor     \w, \a
.ifc \z, \b
    eor     \z, \w
.else                           ; \z is \w
    eor     \w, \b
.endif
    half_of \z, \t
    eor     \z, \s
.endm

; look_half - \z = half[ZL]; ZH is the page
;   cost   2 bytes
;   time   3 clocks in flash, 2 in RAM
.macro look_half z
.if half_table == 2
    ld      \z, Z
.else
    lpm     \z, Z
.endif
.endm

; mds_row_look - the same with the table; ZH is its page
;   cost   14 bytes
;   time   11 clocks, 9 in RAM
.macro mds_row_look z, s, c, a, b
    mov     ZL, \s
    eor     ZL, \c
    look_half ZL
    eor     ZL, \a
    eor     ZL, \b
    look_half \z
    eor     \z, \s
.endm

; mds - MDS times y, nearly in place
;   in     \y0, \y1, \y2, \y3
;   out    z0 in \y0, z1 in \x, z2 in \y3, z3 in \y2; \y1, \s, ZL and ZH are lost
;   cost   108 bytes (avr_*_small, avr_nibbles)
;   cost   64 bytes (avr_fly, avr_stored, avr_sboxes, avr_sboxes_half)
;   time   54 clocks; 48 with a table in flash, 40 in RAM
; The order of the rows is the one that needs only one byte besides s: y3 is in rows 1 and 2 alone.
.macro mds y0, y1, y2, y3, x, s
    mov     \s, \y0
    eor     \s, \y1
    eor     \s, \y2
    eor     \s, \y3
.if half_table
    ldi     ZH, hi8(half)
    mds_row_look \x, \s, \y3, \y1, \y2
    mds_row_look \y3, \s, \y2, \y0, \y3
    mds_row_look \y2, \s, \y1, \y0, \y2
    eor     \y0, \s
    mov     ZL, \y0
    look_half ZL
    eor     ZL, \y1
    look_half \y0
.else
    mds_row \x, \s, \y3, \y1, \y2, \x, ZH
    mds_row \y3, \s, \y2, \y0, \y3, ZL, ZH
    mds_row \y2, \s, \y1, \y0, \y2, ZL, ZH
    eor     \y0, \s
    half_of \y0, ZH
    eor     \y0, \y1
    half_of \y0, ZH
.endif
    eor     \y0, \s
.endm
