; SPDX-License-Identifier: Apache-2.0 OR MIT
; q0 and q1 by the permutations t0..t3 of 4 bits [Twofish98, 4.3.5], in place of tables of 256 bytes.

t0_to_t3:
    .include "tables/nibbles.inc"

; page - look-ups go to this q from here on: T is 0 for q0, 1 for q1
;   cost   2 bytes
;   time   1 clock
.macro page table
.ifc \table, q0
    clt
.else
    set
.endif
.endm

; look - \out = q(\in)
;   out    ZL and ZH are lost
;   cost   6 bytes (avr_nibbles*)
.macro look out, in
    mov     ZL, \in
    rcall   q
    mov     \out, ZL
.endm

; look_both - \a = p(ZL), \b = q(ZL)
;   out    T is that of q; Z is lost
;   cost   18 bytes (avr_nibbles*)
.macro look_both a, p, b, q
    mov     \b, ZL
    page    \p
    look    \a, \b
    page    \q
    look    \b, \b
.endm

; q_key - \y = q(\y + byte of L)
;   in     Y: L_0
;   out    ZL and ZH are lost
;   cost   8 bytes (avr_nibbles*)
.macro q_key y, word, byte
    ldd     ZL, Y + 8 * \word + \byte
    eor     ZL, \y
    rcall   q
    mov     \y, ZL
.endm

    .section .text.twofish_cipher

; q - q0 or q1 of a byte, its halves a, b in two steps [Twofish98, 4.3.5]
;   in     ZL, T: 0 for q0, 1 for q1
;   out    ZL; ZH is lost
;   cost   68 bytes, 75 clocks
;   time   constant
q:
    push    r16
    push    r17
    push    r18
    ldi     ZH, hi8(t0_to_t3)
    ldi     r18, 0              ; where t0, t1 of this q are; in the second step t2, t3
    bld     r18, 4
1:  mov     r16, ZL
    swap    r16
    mov     r17, r16
    eor     r16, ZL             ; a + b
    lsr     ZL                  ; its lower half b/2 + 8a, the carry the lowest bit of b
    eor     r17, ZL
    sbc     ZL, ZL
    andi    ZL, 8
    eor     r17, ZL             ; a + ror4(b, 1) + 8a
    mov     ZL, r17
    andi    ZL, 0x0F
    or      ZL, r18
    lpm     r17, Z              ; t1 or t3, the lower half
    mov     ZL, r16
    andi    ZL, 0x0F
    or      ZL, r18
    lpm     ZL, Z               ; t0 or t2, the upper half
    andi    r17, 0x0F
    andi    ZL, 0xF0
    or      ZL, r17
    subi    r18, -32
    sbrs    r18, 6
    rjmp    1b
    swap    ZL
    pop     r18
    pop     r17
    pop     r16
    ret
