; SPDX-License-Identifier: Apache-2.0 OR MIT
; Between masks that are xored and masks that are added [Goubin01]: sums mod 2^32 are taken with the
; latter, all else with the former.

; to_arithmetic - a + MB = x, where z = x ^ MB
;   in     z, Y: work
;   out    r22..r25: a; z, ZL are lost
;   cost   82 bytes, 52 clocks
;   time   constant
; a = ((z ^ gamma) - gamma) ^ z ^ ((z ^ delta) - delta), where delta = gamma ^ MB.
to_arithmetic:
.irp a, r22, r23, r24, r25
    clr     \a
.endr
    subtract_mask sub, r22, z0, gamma
    subtract_mask sbc, r23, z1, gamma + 1
    subtract_mask sbc, r24, z2, gamma + 2
    subtract_mask sbc, r25, z3, gamma + 3
    xor_word r22, r23, r24, r25, z0, z1, z2, z3
    subtract_mask sub, z0, z0, delta
    subtract_mask sbc, z1, z1, delta + 1
    subtract_mask sbc, z2, z2, delta + 2
    subtract_mask sbc, z3, z3, delta + 3
    xor_word r22, r23, r24, r25, z0, z1, z2, z3
    ret

; carries - one step of t, without the carry from the byte below
.macro carries
    mov     r20, r19
    and     r20, r17
    eor     r20, r21
    and     r19, r16
    eor     r19, r20
    lsl     r19
.endm

; mix - the words at Z and Z + 4 ^= F0, F1, in two shares each
;   in     Y: work, with FA and FR: F0 = FA + FR, F1 likewise
;   out    Y + 8, Z + 8, FA is overwritten; r14, r16..r25 are lost
;   cost   2 bytes, 839 clocks
;   time   constant
; F ^ FR = FA ^ u, where u are the carries of FA + FR, from u = 0 by
;       u = 2 (u & (FA ^ FR) ^ (FA & FR)).
; Each carry comes from the one below, so eight times are enough for a byte. u is masked: t = u ^ 2
; Gamma, and
;       t = 2 ((t & FA) ^ (t & FR) ^ omega),
;       omega = Gamma ^ (2 Gamma & FA) ^ (2 Gamma & FR) ^ (FA & FR).
mix:
    rcall   mix_word
; mix_word - the same for one word
;   cost   192 bytes, 418 clocks
mix_word:
    clr     r22                 ; the carry from the byte below, masked by r23
    clr     r23                 ; the bit of Gamma from there
    ldi     r25, 4
1:  ldd     r16, Y + FA
    ldd     r18, Y + Gamma
    ldd     r17, Y + FR
    std     Y + FA, r18         ; the next FA has the same mask
    mov     r19, r18
    lsl     r19
    mov     r20, r19
    or      r20, r23            ; 2 Gamma
    clr     r23
    rol     r23
    mov     r14, r20            ; omega, in an order that keeps each step masked
    and     r14, r16
    mov     r21, r18
    eor     r21, r17
    and     r21, r18
    or      r19, r22            ; t
    eor     r20, r16
    mov     r24, r20
    eor     r20, r18
    and     r20, r17
    eor     r21, r20
    eor     r21, r14
.rept 7
    carries
    add     r19, r22            ; as or, but flags go: the next ones have the same mask
.endr
    carries
    or      r19, r22
    clr     r22
    rol     r22
    eor     r24, r19            ; F ^ FR
    ldd     r20, Z + 16
    eor     r20, r17
    std     Z + 16, r20
    adiw    YL, 1               ; and the flags of one share go before those of the other come
    ld      r20, Z
    eor     r20, r24
    st      Z, r20
    adiw    ZL, 1
    dec     r25
    breq    2f
    rjmp    1b
2:  ret
