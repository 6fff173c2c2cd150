; SPDX-License-Identifier: Apache-2.0 OR MIT
; Words of four registers, lowest byte first.

; xor_word - \a ^= \b
;   cost   8 bytes
;   time   4 clocks
.macro xor_word a0, a1, a2, a3, b0, b1, b2, b3
    eor     \a0, \b0
    eor     \a1, \b1
    eor     \a2, \b2
    eor     \a3, \b3
.endm

; add_word - \a += \b
;   cost   8 bytes
;   time   4 clocks
.macro add_word a0, a1, a2, a3, b0, b1, b2, b3
    add     \a0, \b0
    adc     \a1, \b1
    adc     \a2, \b2
    adc     \a3, \b3
.endm

; rol_word - \a rotated left by one bit, which crosses from end to end in T
;   cost   12 bytes
;   time   6 clocks
.macro rol_word a0, a1, a2, a3
    bst     \a3, 7
    lsl     \a0
    rol     \a1
    rol     \a2
    rol     \a3
    bld     \a0, 0
.endm

; ror_word - \a rotated right by one bit
;   cost   12 bytes
;   time   6 clocks
.macro ror_word a0, a1, a2, a3
    bst     \a0, 0
    lsr     \a3
    ror     \a2
    ror     \a1
    ror     \a0
    bld     \a3, 7
.endm

; swap_two - two pairs of registers: \a, \b are the lower ones
;   out    ZL and ZH are lost
;   cost   6 bytes
;   time   3 clocks
.macro swap_two a, b
    movw    ZL, \a
    movw    \a, \b
    movw    \b, ZL
.endm

; swap_halves - R0, R1 <-> R2, R3
;   out    ZL and ZH are lost
;   cost   24 bytes
;   time   12 clocks
.macro swap_halves
    swap_two R0_0, R2_0
    swap_two R0_2, R2_2
    swap_two R1_0, R3_0
    swap_two R1_2, R3_2
.endm

; mix_encrypt - R2 = ror(R2 + F0, 1), R3 = rol(R3, 1) + F1 [Twofish98, 4.1]
;   in     \c0..\c3: R2, \d0..\d3: R3; F0_0.., F1_0..: names of registers
;   cost   40 bytes
;   time   20 clocks
.macro mix_encrypt c0, c1, c2, c3, d0, d1, d2, d3
    xor_word \c0, \c1, \c2, \c3, F0_0, F0_1, F0_2, F0_3
    ror_word \c0, \c1, \c2, \c3
    rol_word \d0, \d1, \d2, \d3
    xor_word \d0, \d1, \d2, \d3, F1_0, F1_1, F1_2, F1_3
.endm

; mix_decrypt - its inverse
;   cost   40 bytes
;   time   20 clocks
.macro mix_decrypt c0, c1, c2, c3, d0, d1, d2, d3
    rol_word \c0, \c1, \c2, \c3
    xor_word \c0, \c1, \c2, \c3, F0_0, F0_1, F0_2, F0_3
    xor_word \d0, \d1, \d2, \d3, F1_0, F1_1, F1_2, F1_3
    ror_word \d0, \d1, \d2, \d3
.endm
