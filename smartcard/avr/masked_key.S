; SPDX-License-Identifier: Apache-2.0 OR MIT
; Setting a key in two shares. Shares are never joined: RS works on each alone, h on what has other
; masks.

#include "rs_word.S"
    .section .text.twofish_set_key, "ax", @progbits

; fill - bytes at X, as many as r17, get r16
fill:
    st      X+, r16
    dec     r17
    brne    fill
    ret

; xor_share - the masked key at X ^= a share at Z
;   out    r16..r18, X, Z are lost
xor_share:
    ldi     XL, lo8(masked_key)
    ldi     XH, hi8(masked_key)
    ldi     r18, key_bytes
1:  ld      r17, Z+
    ld      r16, X
    eor     r16, r17
    st      X+, r16
    dec     r18
    brne    1b
    ret

; xor_byte - a byte at Y ^= \a
.macro xor_byte a, i
    ldd     r20, Y + \i
    eor     r20, \a
    std     Y + \i, r20
    clr     r20
.endm

; xor_rs - S ^= RS of a share that ends at X
;   out    r16..r25, X, Y are lost
xor_rs:
    ldi     YL, lo8(twofish_s)
    ldi     YH, hi8(twofish_s)
    ldi     r23, key_bytes / 8
1:  rs_word
    xor_byte r16, 0
    xor_byte r17, 1
    xor_byte r18, 2
    xor_byte r19, 3
    adiw    YL, 8
    dec     r23
    brne    1b
    ret

; set_masked_key - the key and S with the mask m_in + m_out
;   out    masked_key, twofish_s; all registers but r8 are lost
set_masked_key:
    ldi     XL, lo8(masked_key)
    ldi     XH, hi8(masked_key)
    ldd     r16, Y + m_s
    ldi     r17, key_bytes
    rcall   fill
    ldi     ZL, lo8(twofish_key)
    ldi     ZH, hi8(twofish_key)
    rcall   xor_share
    rcall   xor_share
    ldi     XL, lo8(twofish_key + key_bytes)
    ldi     XH, hi8(twofish_key + key_bytes)
    rcall   xor_rs
    ldi     XL, lo8(twofish_key + 2 * key_bytes)
    ldi     XH, hi8(twofish_key + 2 * key_bytes)
    rjmp    xor_rs

; h_of_index - h of a word of four equal bytes
;   in     r10: the byte, r8, Y: L_0
;   out    z, r10 + 1, Y: work
h_of_index:
    mov     ZL, r10
    eor     ZL, r8
    inc     r10
    enter_q_same r16, r17, r18, r19
    rjmp    h

; rotated - a byte of a rotated word: \z has the mask \from, and gets the mask \to
.macro rotated z, from, to
    ldd     ZL, Y + MB + \to
    ldd     ZH, Y + MB + \from
    eor     ZL, ZH
    eor     \z, ZL
.endm

; rotate_z - z rotated by 8, its mask not
;   in     Y: work
rotate_z:
    mov     r17, z3
    mov     z3, z2
    mov     z2, z1
    mov     z1, z0
    mov     z0, r17
    rotated z0, 3, 0
    rotated z1, 0, 1
    rotated z2, 1, 2
    rotated z3, 2, 3
    ret

; store_byte - a byte of a subkey from its shares into X, with the mask D. What was there has the
; same mask, so it goes before.
.macro store_byte to, from
    ldd     r16, Z + 16 + \from
    lds     r17, work + D + (\to & 3)
    eor     r16, r17
    ldd     r24, Z + \from
    eor     r24, r16
    st      X, r1
    st      X+, r24
.endm

; zero_shares - the words that mix adds to: 0, in shares that are D
;   out    r0..r3, Y: work, Z are lost
zero_shares:
    set_work
.irp i, 0, 1, 2, 3
    ldd     r\i, Y + D + \i
.endr
    ldi     ZL, lo8(shares + 8)
    ldi     ZH, hi8(shares)
    rcall   1f
    adiw    ZL, 16
1:  rcall   store_word
    adiw    ZL, 4
    rcall   store_word
    sbiw    ZL, 4
    ret

; two_subkeys - the next two
;   in     r8, r10: i, even; r12: where they are stored
;   out    r10 + 2, r12 + 8
;   cost   184 bytes, 1,615 clocks (avr_masked)
two_subkeys:
    rcall   zero_shares
    ldi     YL, lo8(masked_key)
    ldi     YH, hi8(masked_key)
    rcall   h_of_index
    rcall   to_arithmetic
    movw    r0, r22
    movw    r2, r24
    ldi     YL, lo8(masked_key + 4)
    ldi     YH, hi8(masked_key + 4)
    rcall   h_of_index
    rcall   rotate_z
    rcall   to_arithmetic
    movw    r4, r22
    movw    r6, r24
    ldi     XL, lo8(subkeys + 152)      ; 0 with the mask D, until the last two
    ldi     XH, hi8(subkeys)
    rcall   pht
    ldi     ZL, lo8(shares + 8)
    ldi     ZH, hi8(shares)
    rcall   mix
    ldi     ZL, lo8(shares + 12)
    rcall   rol_shares
    ldi     ZL, lo8(shares + 8)
    clr     r1
    mov     XL, r12
    ldi     XH, hi8(subkeys)
    store_byte 0, 0
    store_byte 1, 1
    store_byte 2, 2
    store_byte 3, 3
    store_byte 4, 7                     ; rotated by 8 more
    store_byte 5, 4
    store_byte 6, 5
    store_byte 7, 6
    mov     r12, XL
    ret

; load_key_byte - z = a byte of a subkey, with the mask MB in place of D
.macro load_key_byte z, i
    ldd     r17, Y + D + \i
    ldd     r21, Y + MB + \i
    eor     r17, r21
    ld      \z, X+
    eor     \z, r17
.endm

; subtract_D - a subkey whose mask D is xored has it subtracted
;   in     X: the subkey, Y: work, r4..r7: MB - D
;   out    X + 4
subtract_D:
    load_key_byte z0, 0
    load_key_byte z1, 1
    load_key_byte z2, 2
    load_key_byte z3, 3
    rcall   to_arithmetic
    add_word r22, r23, r24, r25, r4, r5, r6, r7
    sbiw    XL, 4
    clr     r1
.irp a, r22, r23, r24, r25
    st      X, r1
    st      X+, \a
.endr
    ret

; twofish_set_key - S and the subkeys
;   in     twofish_key, in two shares
;   out    twofish_s, twofish_memory; all registers are lost
;   cost   80 bytes, 45,845 clocks (avr_masked)
;   time   constant
    .global twofish_set_key
twofish_set_key:
    ldi     XL, lo8(twofish_memory)
    ldi     XH, hi8(twofish_memory)
    ldi     r16, 0
    ldi     r17, MEMORY_BYTES
    rcall   fill
    ldi     XL, lo8(twofish_s)
    ldi     XH, hi8(twofish_s)
    ldi     r17, key_bytes - 4
    rcall   fill
    rcall   new_masks
    rcall   set_masked_key
    clr     r10
    ldi     r16, lo8(subkeys)
    mov     r12, r16
1:  rcall   two_subkeys
    ldi     r16, 40
    cp      r10, r16
    brne    1b
    set_work
    ldd     r4, Y + MB
    ldd     r5, Y + MB + 1
    ldd     r6, Y + MB + 2
    ldd     r7, Y + MB + 3
    subtract_masks D
    ldi     XL, lo8(subkeys + 32)
    ldi     XH, hi8(subkeys)
2:  rcall   subtract_D
    cpi     XL, lo8(subkeys + 160)
    brne    2b
    ret
