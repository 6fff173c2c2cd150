; SPDX-License-Identifier: Apache-2.0 OR MIT
; For devices that an attacker can hold and measure. Everything that depends on the key or the text
; is masked: each value that the program computes is random by itself. masked_masks.S draws the
; masks anew for each block.
;
; The key and the text come in two shares, whose xor they are; so does the result. The caller
; supplies mf_avr_random, which returns a random byte in r24 and may lose what a function in C may
; lose.
;
; q is in RAM with a masked index and a masked entry, one pair of masks for all look-ups of a block.
; Bytes that have the same mask must not meet: neither in an instruction nor one after the other in
; a register, in a byte of RAM or on the bus of the RAM. So much of the order below is for that
; alone.

; Bytes from `work`. The subkeys are xored with D (whitening) or have D subtracted.
#define D 0
#define m_s 4                   /* m_in + m_out, the mask of S */
#define FA 5                    /* F0 - FR, F1 - FR */
#define FR 13
#define RANDOM 21               /* what is drawn anew, from here on */
#define Gamma 21                /* of carries: mix */
#define gamma 29                /* to_arithmetic */
#define r_y 33                  /* of the bytes that MDS takes */
#define rho 37                  /* more of the second result of g */
#define m_in 41                 /* of an index of q, and of the entry */
#define m_out 42
#define new_D 43
#define RANDOM_BYTES 26
#define delta 47                /* gamma + MB */
#define MB 51                   /* of a result of h */
#define MEMORY_BYTES 165        /* subkeys, D, m_s */

    .section .bss.twofish, "aw", @nobits
    .balign 256
    .global twofish_memory, twofish_text, twofish_s, twofish_key
masked_q0:
    .space  256
masked_q1:
    .space  256
twofish_memory:
subkeys:
    .space  160
work:
    .space  64
twofish_text:
shares:                         ; share 0, then share 1; both end in the page of the subkeys
    .space  32
; The words of S lie 8 bytes apart, as those of the key that h takes.
twofish_s:
    .space  key_bytes - 4
    .global twofish_s1, twofish_s2, twofish_s3
    .equ    twofish_s1, twofish_s + 8
    .equ    twofish_s2, twofish_s + 16
    .equ    twofish_s3, twofish_s + 24
masked_key:                     ; for set_key
    .space  key_bytes
twofish_key:                    ; share 0, then share 1
    .space  2 * key_bytes

#define z0 r16
#define z1 r20
#define z2 r19
#define z3 r18
#include "words.S"
#include "masked_tables.S"
#include "h.S"

; set_work - Y: work
.macro set_work
    ldi     YL, lo8(work)
    ldi     YH, hi8(work)
.endm

; set_half - a pointer to the words that a round changes (\at 8) or takes (\at 0); they change
; places by r9
.macro set_half low, high, at
    ldi     \low, lo8(shares + \at)
    eor     \low, r9
    ldi     \high, hi8(shares)
.endm

; subtract_mask - \a = (\z + mask) - mask, a byte of it; \operation is sub or sbc
.macro subtract_mask operation, a, z, mask
    ldd     ZL, Y + \mask
.ifnc \a, \z
    mov     \a, \z
.endif
    eor     \a, ZL
    \operation \a, ZL
.endm

; subtract_byte - \a -= a byte of masks
.macro subtract_byte operation, a, mask
    ldd     ZL, Y + \mask
    \operation \a, ZL
.endm

; subtract_masks - r4..r7 -= a word of masks
.macro subtract_masks word
    subtract_byte sub, r4, \word
    subtract_byte sbc, r5, \word + 1
    subtract_byte sbc, r6, \word + 2
    subtract_byte sbc, r7, \word + 3
.endm

; mask_y - a byte that MDS takes gets a mask of its own besides m_out
.macro mask_y y, i
    ldd     ZL, Y + r_y + \i
    eor     \y, ZL
.endm

; load_word - r0..r3 from Z
.macro load_word
.irp i, 0, 1, 2, 3
    ldd     r\i, Z + \i
.endr
.endm

; add_subkey - a += the next subkey
.macro add_subkey a0, a1, a2, a3
    ld      ZL, X+
    add     \a0, ZL
    ld      ZL, X+
    adc     \a1, ZL
    ld      ZL, X+
    adc     \a2, ZL
    ld      ZL, X+
    adc     \a3, ZL
.endm

    .section .text.twofish_cipher, "ax", @progbits
#include "masked_masks.S"
#include "masked_add.S"

; h - the levels of h below the first, and MDS
;   in     r16..r19 with the mask m_out, Y: L_0
;   out    z with the mask MB, Y: work; r17, r21, Z are lost
;   cost   198 bytes, 122 clocks (avr_masked)
h:
    q_levels r16, r17, r18, r19
    set_work
    mask_y  r16, 0
    mask_y  r17, 1
    mask_y  r18, 2
    mask_y  r19, 3
    mds     r16, r17, r18, r19, r20, r21
    ret

; g_of_text - g of a word of the text
;   in     \b0..\b3: its bytes from the half that r9 says, r8
;   out    r22..r25: g - MB, Y: work
.macro g_of_text b0, b1, b2, b3
    set_half YL, YH, 0
    ldd     r16, Y + 16 + \b0
    ldd     r17, Y + 16 + \b1
    ldd     r18, Y + 16 + \b2
    ldd     r19, Y + 16 + \b3
    xor_word r16, r17, r18, r19, r8, r8, r8, r8
    enter_q r16, r17, r18, r19, \b0, \b1, \b2, \b3
    ldi     YL, lo8(twofish_s)
    ldi     YH, hi8(twofish_s)
    rcall   h
    rcall   to_arithmetic
.endm

; F - [Twofish98, 4.1]
;   in     r8, r9, X: the subkeys
;   out    FA, X + 8, Y: work
;   cost   140 bytes, 514 clocks (avr_masked)
F:
    g_of_text 0, 1, 2, 3
    movw    r0, r22
    movw    r2, r24
    g_of_text 7, 4, 5, 6                ; rotated by 8
    movw    r4, r22
    movw    r6, r24
; pht - FA = (a + b, a + 2b) and two subkeys
;   in     r0..r3: a - MB, r4..r7: b - MB, X: the subkeys, Y: work
;   out    FA, X + 8
pht:
    subtract_masks rho
    add_word r0, r1, r2, r3, r4, r5, r6, r7
    add_word r4, r5, r6, r7, r0, r1, r2, r3
    add_subkey r0, r1, r2, r3
    add_subkey r4, r5, r6, r7
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
    std     Y + FA + \i, r\i
.endr
    ret

; rol_shares, ror_shares - a word at Z rotated by one bit, in both shares
;   out    r0..r3 are lost
rol_shares:
    adiw    ZL, 16
    rcall   1f
    sbiw    ZL, 16
1:  load_word
    rol_word r0, r1, r2, r3
    rjmp    store_word
ror_shares:
    adiw    ZL, 16
    rcall   1f
    sbiw    ZL, 16
1:  load_word
    ror_word r0, r1, r2, r3
store_word:
    clt                                 ; which had a bit of one share
.irp i, 0, 1, 2, 3
    std     Z + \i, r\i
.endr
    ret

; whiten - the text with four subkeys
;   in     XL: the first, Y: work
whiten:
    ldi     XH, hi8(subkeys)
    ldi     ZL, lo8(shares)
    ldi     ZH, hi8(shares)
    ldi     r17, 16
1:  ld      r0, X+
    ld      r16, Z
    eor     r16, r0
    st      Z+, r16
    dec     r17
    brne    1b
.irp i, 0, 1, 2, 3
    ldd     r\i, Y + D + \i
.endr
    ldi     r17, 4
2:
.irp i, 0, 1, 2, 3
    ld      r16, Z
    eor     r16, r\i
    st      Z+, r16
.endr
    dec     r17
    brne    2b
    ret

; swap - R0, R1 <-> R2, R3
swap:
    ldi     ZL, lo8(shares)
    ldi     ZH, hi8(shares)
    rcall   1f
    adiw    ZL, 8
1:  ldi     r17, 8
2:  ld      r0, Z
    ldd     r16, Z + 8
    st      Z, r16
    std     Z + 8, r0
    adiw    ZL, 1
    dec     r17
    brne    2b
    ret

; twofish_encrypt - one block
;   in     twofish_text in two shares, twofish_memory, twofish_s
;   out    twofish_text in two shares; all registers are lost
;   cost   52 bytes, 32,243 clocks (avr_masked)
;   time   constant
    .global twofish_encrypt
twofish_encrypt:
    rcall   new_masks
    ldi     XL, lo8(subkeys)
    rcall   whiten
    ldi     XL, lo8(subkeys + 32)
    clr     r9
1:  rcall   F
    set_half ZL, ZH, 12
    rcall   rol_shares
    set_half ZL, ZH, 8
    rcall   mix
    set_half ZL, ZH, 8
    rcall   ror_shares
    rcall   next_half
    cpi     XL, lo8(subkeys + 160)
    brne    1b
    ldi     XL, lo8(subkeys + 16)
last:
    rcall   swap
    set_work
    rjmp    whiten

; next_half - the halves change places
next_half:
    ldi     ZL, 8
    eor     r9, ZL
    ret

.if decrypt
; twofish_decrypt - one block
;   in     twofish_text in two shares, twofish_memory, twofish_s
;   out    twofish_text in two shares; all registers are lost
;   cost   48 bytes, 32,277 clocks (avr_masked)
;   time   constant
    .global twofish_decrypt
twofish_decrypt:
    rcall   new_masks
    ldi     XL, lo8(subkeys + 16)
    rcall   whiten
    ldi     XL, lo8(subkeys + 152)
    clr     r9
1:  rcall   F
    set_half ZL, ZH, 8
    rcall   rol_shares
    set_half ZL, ZH, 8
    rcall   mix
    set_half ZL, ZH, 12
    rcall   ror_shares
    rcall   next_half
    sbiw    XL, 16
    cpi     XL, lo8(subkeys + 24)
    brne    1b
    ldi     XL, lo8(subkeys)
    rjmp    last
.endif

#include "masked_key.S"
