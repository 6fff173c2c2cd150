/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish with stored subkeys and no address from key or text, for chips with a cache before their
 * flash, and others whose memory shows what is read. q is computed: all 4-bit permutations of a
 * word are evaluated at once as polynomials over bits [Twofish98, 4.3.5], whose coefficients are read
 * one after the other. For each key 160 bytes of subkeys and the words S.
 */
#include "thumb.inc"

/* SPREAD xi, x, i, ones, t - bit i of each half byte of x, in all four bits of it; ones = 11111111.
 *   takes  4 clocks
 */
    .macro SPREAD xi, x, i, ones, t
    .if \i
    lsrs \xi, \x, #\i
    ands \xi, \ones
    .else
    movs \xi, \ones
    ands \xi, \x
    .endif
    lsls \t, \xi, #4
    subs \xi, \t, \xi
    .endm

/* CUBIC f, t - f = c0 + c1 x0 + (c2 + c3 x0) x1, with the next coefficients c3, c2, c1, c0 at r7.
 *   in     x0 in r1, x1 in r2
 *   takes  13 clocks
 */
    .macro CUBIC f, t
    ldmia r7!, {\f, \t}
    ands \f, r1
    eors \f, \t
    ands \f, r2
    ldmia r7!, {\t}
    ands \t, r1
    eors \f, \t
    ldmia r7!, {\t}
    eors \f, \t
    .endm

/* POLYNOMIALS - the 4-bit permutations of r0, in r0; their coefficients at r7, which moves on.
 *   in     r0
 *   out    r0; r1..r6 are lost
 *   takes  74 clocks
 *   time   constant
 *
 * f + x2 f2 + x3 (f3 + x2 f23), where f, f2, f3, f23 are sums over x0 and x1; the last has no term
 * with both, since the permutations are not of degree 4.
 */
    .macro POLYNOMIALS
    ldr r5, =0x11111111
    SPREAD r1, r0, 0, r5, r6
    SPREAD r2, r0, 1, r5, r6
    SPREAD r3, r0, 2, r5, r6
    SPREAD r4, r0, 3, r5, r6
    ldmia r7!, {r0, r5}
    ands r0, r2
    ands r5, r1
    eors r0, r5
    ldmia r7!, {r5}
    eors r0, r5                        @ f23
    ands r0, r3
    CUBIC r5, r6                       @ f3
    eors r0, r5
    ands r0, r4
    CUBIC r5, r6                       @ f2
    ands r5, r3
    eors r0, r5
    CUBIC r5, r6                       @ f
    eors r0, r5
    .endm

/* mf_thumb_h - h [Twofish98, 4.3.2]
 *   in     r0 X, r1 the address of the word of key that comes first, r2 the way to the next one
 *   out    r0; r1..r7 are lost
 *   RAM    12 bytes of stack
 *   cost   416 bytes, 615 clocks (cortex_m0_constant_time)
 *   time   constant
 */
FUNCTION mf_thumb_h, cipher
    push {r1, r2, lr}
    ldr r7, =q_forms
1:  ldr r4, =0xF0F0F0F0
    lsls r1, r0, #4                    @ the half bytes (a, b) become a ^ b,
    eors r1, r0
    ands r1, r4
    lsrs r2, r0, #4                    @ and a ^ ROR4(b, 1) ^ 8a
    lsrs r3, r0, #1
    eors r2, r3
    bics r2, r4
    eors r1, r2
    lsls r0, #3
    ldr r4, =0x08080808
    ands r0, r4
    eors r0, r1
    POLYNOMIALS
    ldr r4, =0xF0F0F0F0
    lsrs r1, r0, #4                    @ the same on (b, a)
    bics r1, r4
    lsls r2, r0, #3
    ands r2, r4
    eors r1, r2
    eors r1, r0
    lsls r0, #7
    ldr r4, =0x80808080
    ands r0, r4
    eors r0, r1
    POLYNOMIALS
    ldr r1, =q_forms_end
    cmp r7, r1
    beq 2f
    ldr r1, [sp]
    ldr r2, [r1]
    eors r0, r2
    ldr r2, [sp, #4]
    adds r1, r2
    str r1, [sp]
    b 1b
2:  rev16 r0, r0
    MDS r0, r1, r2, r3, r7
    pop {r1, r2, pc}
    END mf_thumb_h

    .section .rodata.q_forms, "a", %progbits
    .balign 4
q_forms:
#include "tables/q_forms.inc"
q_forms_end:

/* mf_thumb_subkeys - K_2i and K_2i+1 of the key [Twofish98, 4.3.4]
 *   in     r0 2i, r1 key
 *   out    r0, r1; r2..r7 are lost
 *   RAM    28 bytes of stack
 *   cost   56 bytes, 1,271 clocks (cortex_m0_constant_time)
 *   time   constant
 */
FUNCTION mf_thumb_subkeys, set_key
    lsls r2, r0, #8
    orrs r0, r2
    lsls r2, r0, #16
    orrs r0, r2                        @ 2i in each byte
    adds r1, #8 * (k - 1)
    movs r2, #8
    rsbs r2, r2, #0
    push {r0-r2, lr}
    bl mf_thumb_h
    mov r12, r0                        @ A
    pop {r0-r2}
    ldr r3, =0x01010101
    adds r0, r3
    adds r1, #4
    bl mf_thumb_h
    movs r2, #32 - 8
    rors r0, r2                        @ B
    mov r1, r0
    add r0, r12                        @ A + B
    adds r1, r0                        @ A + 2 B
    movs r2, #32 - 9
    rors r1, r2
    pop {pc}
    END mf_thumb_subkeys

/* S_FROM_END first - `s_offset`: where the first word of S that h takes is, from the loop's end. */
    .macro S_FROM_END first
    .if \first == ROUND_SUBKEYS
    .set s_offset, 4 * (k - 1)
    .else
    .set s_offset, 4 * (k - 1) + SUBKEYS_BYTES - (ROUND_SUBKEYS - 2 * ROUND_BYTES)
    .endif
    .endm

/* G depth - h of r0 with S, [sp + depth] being the loop's end. */
    .macro G depth
    ldr r1, [sp, #\depth]
    adds r1, #s_offset
    movs r2, #4
    rsbs r2, r2, #0
    bl mf_thumb_h
    .endm

    .macro ROUND A, B, C, D, key, half, odd
    mov r0, \A
    G 0
    push {r0}
    mov r0, \B
    movs r1, #32 - 8
    rors r0, r1
    G 4
    pop {r1}
    adds r1, r0                        @ T0 + T1
    adds r0, r1                        @ T0 + 2 T1
    ADD_SUBKEYS r1, r0, \key, r3, r2
    \half \C, \D, r2, r0, r3
    .endm

/* mf_thumb_encrypt - replaces a block (r1) by its encryption (r0: expanded key)
 *   RAM    60 bytes of stack
 *   cost   244 bytes, 20,566 clocks (cortex_m0_constant_time)
 *   time   constant
 */
    ENCRYPTION mf_thumb_encrypt, S_FROM_END, ROUND

/* mf_thumb_decrypt - the inverse, likewise
 *   RAM    60 bytes of stack
 *   cost   246 bytes, 20,567 clocks (cortex_m0_constant_time)
 *   time   constant
 */
    DECRYPTION mf_thumb_decrypt, S_FROM_END, ROUND
