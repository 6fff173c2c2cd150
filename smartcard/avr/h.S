; SPDX-License-Identifier: Apache-2.0 OR MIT
; h of [Twofish98, 4.3.2], of which g is the case that L is S. The words of L lie 8 bytes apart: of
; the key these are M0, M2, .. or M1, M3, .., and S is laid out in the same way.

; enter_q - the first level, where x meets q before any key byte
;   in     \x0..\x3
;   out    \y0..\y3; ZL and ZH are lost
;   cost   20 bytes (avr_f*, avr_s*)
;   time   18 clocks with tables of q
.macro enter_q y0, y1, y2, y3, x0, x1, x2, x3
.if key_bits == 128
    page    q0
    look    \y0, \x0
    look    \y2, \x2
    page    q1
    look    \y1, \x1
    look    \y3, \x3
.elseif key_bits == 192
    page    q1
    look    \y0, \x0
    look    \y1, \x1
    page    q0
    look    \y2, \x2
    look    \y3, \x3
.else
    page    q1
    look    \y0, \x0
    look    \y3, \x3
    page    q0
    look    \y1, \x1
    look    \y2, \x2
.endif
.endm

; q_levels - all further levels; those with the same q stand together. With u_tables the last one gives
; u = y/x, which mds wants
;   in     \y0..\y3 and ZH from enter_q, Y: L_0
;   out    \y0..\y3; ZL and ZH are lost
;   cost   52 bytes (avr_fly_small, avr_stored_small, avr_sboxes)
;   cost   54 bytes (avr_fly, avr_stored, avr_sboxes_tables)
;   cost   78 bytes (avr_fly_small_192, avr_sboxes_192)
;   cost   106 bytes (avr_fly_small_256, avr_sboxes_256)
;   time   50, 76 or 103 clocks with tables of q; 1 more with u_tables
.macro q_levels y0, y1, y2, y3
.if key_bits == 256
    q_key   \y2, 3, 2
    q_key   \y3, 3, 3
    q_key   \y2, 2, 2
    page    q1
    q_key   \y0, 3, 0
    q_key   \y1, 3, 1
    q_key   \y1, 2, 1
    q_key   \y3, 2, 3
    page    q0
    q_key   \y0, 2, 0
    page    q1
.elseif key_bits == 192
    q_key   \y0, 2, 0
    q_key   \y2, 2, 2
    page    q1
    q_key   \y1, 2, 1
    q_key   \y3, 2, 3
.endif
    q_key   \y2, 1, 2
    q_key   \y3, 1, 3
    page    q0
    q_key   \y0, 1, 0
    q_key   \y1, 1, 1
.if u_tables
    page    u0
.endif
    q_key   \y1, 0, 1
    q_key   \y3, 0, 3
.if u_tables
    page    u1
.else
    page    q1
.endif
    q_key   \y0, 0, 0
    q_key   \y2, 0, 2
.endm

; enter_q_same - enter_q of a word of four equal bytes, as the index of a subkey is
;   in     ZL: the byte
;   out    \y0..\y3, of which \y0:\y1 and \y2:\y3 are pairs; Z is lost
;   cost   10 bytes (avr_fly, avr_stored, avr_sboxes)
;   cost   12 bytes (avr_*_192, avr_*_256)
;   time   9 clocks with tables of q, 10 with longer keys
.macro enter_q_same y0, y1, y2, y3
.if key_bits == 128
    look_both \y0, q0, \y1, q1
    movw    \y2, \y0
.elseif key_bits == 192
    look_both \y0, q1, \y2, q0
    mov     \y1, \y0
    mov     \y3, \y2
.else
    look_both \y0, q1, \y2, q0
    mov     \y1, \y2
    mov     \y3, \y0
.endif
.endm
