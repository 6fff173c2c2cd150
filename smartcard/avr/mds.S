; SPDX-License-Identifier: Apache-2.0 OR MIT
; The MDS matrix [Twofish98, 4.2] without tables. Each row has one 1, and besides it EF and 5B. Since
; EF = 1 + 1/x + 1/x^2 and 5B = 1 + 1/x^2 [Twofish98, 7.3] it is
;       z = s + ((s + c)/x + a)/x
; where s is the sum of the four bytes, c the byte that has the 1 and a the sum of those that have EF:
;       z0: c = y0, a = y1            z1: c = y3, a = y1 + y2
;       z2: c = y2, a = y0 + y3       z3: c = y1, a = y0 + y2
; That makes eight divisions by x in all. But let the last table of each byte give u = y/x; then, s, c
; and a being sums of u,
;       z = (s + c)/x + a + x s
; and four divisions and one product, which all rows share, are enough.
;
; The order of the rows is one that needs few registers besides those of the four bytes.

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

; double_of - multiplies a byte by x, modulo v
;   in     \y
;   out    \y; \t is lost
;   cost   8 bytes
;   time   4 clocks
.macro double_of y, t
    lsl     \y
    sbc     \t, \t
    andi    \t, 0x69
    eor     \y, \t
.endm

; sum_of - \s = the sum of four bytes
;   cost   8 bytes
;   time   4 clocks
.macro sum_of s, y0, y1, y2, y3
    mov     \s, \y0
    eor     \s, \y1
    eor     \s, \y2
    eor     \s, \y3
.endm

; mds_row - z = s + ((s + c)/x + a + b)/x
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

; mds_of_y - MDS times y
;   in     \y0..\y3
;   out    z0 in \y0, z1 in \x, z2 in \y3, z3 in \y2; \y1, \s, ZL and ZH are lost
;   cost   108 bytes
;   time   54 clocks
.macro mds_of_y y0, y1, y2, y3, x, s
    sum_of  \s, \y0, \y1, \y2, \y3
    mds_row \x, \s, \y3, \y1, \y2, \x, ZH
    mds_row \y3, \s, \y2, \y0, \y3, ZL, ZH
    mds_row \y2, \s, \y1, \y0, \y2, ZL, ZH
    eor     \y0, \s
    half_of \y0, ZH
    eor     \y0, \y1
    half_of \y0, ZH
    eor     \y0, \s
.endm

; mds_of_u - MDS times x u
;   in     \u0..\u3
;   out    z0 in \u0, z1 in \x, z2 in \u3, z3 in \u2; \u1, \s, ZL and ZH are lost
;   cost   80 bytes
;   time   40 clocks
; x s = d is added to u0 and u1, since one of them is in each a; where that comes in through c too,
; e = s + d undoes it.
.macro mds_of_u u0, u1, u2, u3, x, s
    sum_of  \s, \u0, \u1, \u2, \u3
    mov     ZL, \s
    double_of ZL, ZH            ; d
    eor     \u0, ZL
    eor     \u1, ZL
    eor     ZL, \s              ; e
    mov     \x, \s              ; z1
    eor     \x, \u3
    half_of \x, ZH
    eor     \x, \u1
    eor     \x, \u2
    eor     \u3, \u0            ; z2
    eor     \s, \u2
    half_of \s, ZH
    eor     \u3, \s
    eor     \u2, \u0
    eor     \u0, ZL             ; z0
    half_of \u0, ZH
    eor     \u0, \u1
    eor     ZL, \u1             ; z3
    half_of ZL, ZH
    eor     \u2, ZL
.endm

; mds - of what q_levels gives
.macro mds y0, y1, y2, y3, x, s
.if u_tables
    mds_of_u \y0, \y1, \y2, \y3, \x, \s
.else
    mds_of_y \y0, \y1, \y2, \y3, \x, \s
.endif
.endm
