/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Masked Twofish, for devices that an attacker can hold and measure; ../masked.md says what that
 * means. Everything that depends on the key or the text is masked: each value that the program
 * computes is random by itself, and new_masks draws the masks anew for each block.
 *
 * q is in RAM with a masked index and a masked entry, one pair of masks for all look-ups of a block.
 * Values that have the same mask must not meet: neither in an instruction nor one after the other in
 * a register, in a word of RAM, on the bus or as results. Loads of DUMMY stand between such values.
 *
 * r7 is the expanded key throughout.
 */
#include "thumb.inc"
#include "masked.inc"

/* H_BYTE j - byte j of the word with the shares r8 and r9 through the layers of h, into its place in r6.
 *   in     r0 L_0, r4 q0, r5 q1
 *   out    r1 is 0; r2, r3 are lost
 */
    .macro MASKED_Q level, j
    Q_INDEX \level, \j
    .if this_q
    ldrb r2, [r5, r2]
    .else
    ldrb r2, [r4, r2]
    .endif
    .endm

    .macro MASKED_LAYER i, j
    movs r3, #0                        @ the byte before has the same mask
    ldrb r3, [r0, #8 * \i + \j]
    eors r2, r3
    MASKED_Q \i, \j
    .endm

    .macro H_BYTE j
    mov r2, r9
    BYTE r2, r2, \j
    ldrb r3, [r7, #M_IN]
    eors r2, r3
    mov r3, r8
    CLEAR_FLAGS
    BYTE r3, r3, \j
    eors r2, r3
    MASKED_Q k, \j
    .if k >= 4
    MASKED_LAYER 3, \j
    .endif
    .if k >= 3
    MASKED_LAYER 2, \j
    .endif
    MASKED_LAYER 1, \j
    MASKED_LAYER 0, \j
    ldrb r3, [r7, #R_Y + \j]           @ a mask of its own for each byte that MDS takes
    eors r2, r3
    IN_PLACE r2, \j
    eors r6, r2
    .endm

/* masked_h - h of a word in two shares
 *   in     r8, r9 the shares, r0 L_0
 *   out    r6 = h ^ MB; r0..r5 and r12 are lost
 *   cost   284 bytes, 171 clocks (cortex_m0_masked)
 */
FUNCTION masked_h, cipher
    ldr r4, =Q_TABLES
    adds r4, r7
    movs r5, #255
    adds r5, #1
    adds r5, r4
    mov r12, r7                        @ sums of two words have one mask
    movs r6, #0
    H_BYTE 0
    H_BYTE 1
    H_BYTE 2
    H_BYTE 3
    MDS r6, r0, r1, r2, r12
    bx lr
    END masked_h

/* to_arithmetic - r0 + MB = x, where r6 = x ^ MB [Goubin01]
 *   out    r0; r1 and r6 are lost
 *   cost   22 bytes, 15 clocks
 *
 * r0 = ((r6 ^ gamma) - gamma) ^ r6 ^ ((r6 ^ delta) - delta), where delta = gamma ^ MB.
 */
FUNCTION to_arithmetic, cipher
    ldr r1, [r7, #GAMMA_A]
    mov r0, r6
    eors r0, r1
    subs r0, r1
    eors r0, r6
    ldr r1, [r7, #DELTA]
    eors r6, r1
    CLEAR_FLAGS
    subs r6, r1
    eors r0, r6
    bx lr
    END to_arithmetic

/* to_boolean - (r0 + r1) ^ r1 [Goubin01]
 *   in     r0, r1; r2 Gamma
 *   out    r5; r2..r4 and r6 are lost
 *   cost   402 bytes, 203 clocks
 *
 * It is r0 ^ u, where u are the carries of the sum, from u = 0 by u = 2 (u & (r0 ^ r1) ^ (r0 & r1)).
 * u is masked: t = u ^ 2 Gamma, and
 *     t = 2 ((t & r0) ^ (t & r1) ^ omega),
 *     omega = Gamma ^ (2 Gamma & r0) ^ (2 Gamma & r1) ^ (r0 & r1).
 */
FUNCTION to_boolean, cipher
    lsls r3, r2, #1                    @ t
    mov r4, r2                         @ omega, in an order that keeps each step masked
    eors r4, r1
    ands r4, r2
    mov r6, r3
    eors r6, r0
    mov r5, r6
    eors r6, r2
    ands r6, r1
    eors r4, r6
    mov r6, r3
    ands r6, r0
    eors r4, r6
    .rept 31
    mov r6, r3
    ands r6, r1
    eors r6, r4
    ands r3, r0
    eors r3, r6
    add r3, r3                         @ leaves the flags alone, which would join two steps
    .endr
    eors r5, r3
    bx lr
    END to_boolean

/* LOAD_SHARES word - r8, r9 = the shares of a word of the text; ROTATED likewise by 8 */
    .macro LOAD_SHARES word, rotation
    ldr r0, [r7, #TEXT_0 + 4 * \word]
    .if \rotation
    movs r2, #32 - \rotation
    rors r0, r2
    .endif
    mov r8, r0
    ldr r1, [r7, #DUMMY]
    ldr r1, [r7, #TEXT_1 + 4 * \word]
    .if \rotation
    CLEAR_FLAGS
    rors r1, r2
    .endif
    mov r9, r1
    .endm

/* G word, rotation - r0 = g - MB of a word of the text */
    .macro G word, rotation
    LOAD_SHARES \word, \rotation
    movs r0, #S
    adds r0, r7
    bl masked_h
    bl to_arithmetic
    .endm

/* XOR_F word, f, before, after - a word of the text ^= F_f, of which r0 is FA. Its shares are rotated
 * to the right by `before` bits, and by `after` bits when it is done.
 */
    .macro XOR_F word, f, before, after
    ldr r2, [r7, #GAMMA_B + 4 * \f]
    mov r1, r7                         @ FA has the mask FR
    ldr r1, [r7, #FR + 4 * \f]
    bl to_boolean
    XOR_SHARE TEXT_1 + 4 * \word, \before, \after, r1
    XOR_SHARE TEXT_0 + 4 * \word, \before, \after, r5
    .endm

    .macro XOR_SHARE at, before, after, F
    CLEAR_FLAGS
    ldr r2, [r7, #DUMMY]
    ldr r2, [r7, #\at]
    .if \before
    movs r3, #\before
    rors r2, r3
    .endif
    eors r2, \F
    .if \after
    movs r3, #\after
    rors r2, r3
    .endif
    str r2, [r7, #\at]
    .endm

/* ROUND a, c, decrypt - words a and a + 1 change c and c + 1; r11 the subkeys, which moves on */
    .macro ROUND a, c, decrypt
    G \a, 0
    mov r10, r0
    G (\a + 1), 8
    PHT
    mov r2, r11
    ldr r3, [r2]
    adds r1, r3
    ldr r3, [r7, #DUMMY]               @ the subkeys have one mask
    ldr r3, [r2, #4]
    CLEAR_FLAGS
    adds r0, r3
    adds r2, #8
    mov r11, r2
    mov r10, r0
    mov r0, r1
    .if \decrypt
    XOR_F \c, 0, 31, 0
    mov r0, r10
    XOR_F (\c + 1), 1, 0, 1
    .else
    XOR_F \c, 0, 0, 1
    mov r0, r10
    XOR_F (\c + 1), 1, 31, 0
    .endif
    .endm

/* masked_whiten - four words of shares in r6, with the subkeys at r2
 *   in     r5 the text, from share 0
 */
FUNCTION masked_whiten, cipher
    ldr r4, [r7, #D]
    movs r6, #4
1:  ldr r3, [r7, #DUMMY]
    ldr r3, [r2]
    ldr r1, [r7, #DUMMY]
    ldr r1, [r5]
    eors r1, r3
    str r1, [r5]
    ldr r1, [r7, #DUMMY]
    ldr r1, [r5, #16]
    CLEAR_FLAGS
    eors r1, r4
    str r1, [r5, #16]
    adds r2, #4
    adds r5, #4
    subs r6, #1
    bne 1b
    bx lr
    END masked_whiten

/* COPY_SHARES from, to - one share goes from the registers before the other comes */
    .macro COPY_SHARES from, to
    .rept 2
    ldmia \from!, {r2-r5}
    stmia \to!, {r2-r5}
    .irp r, r2, r3, r4, r5
    movs \r, #0
    .endr
    .endr
    .endm

/* MASKED name, first, last, begin, end, step, decrypt - a whole routine: r0 expanded key, r1 text
 *
 * The text is copied into the expanded key, share by share, and back with its halves exchanged.
 */
    .macro MASKED name, first, last, begin, end, decrypt
FUNCTION \name, cipher
    PUSH_ALL
    mov r7, r0
    push {r1}
    bl new_masks
    ldr r1, [sp]
    movs r0, #TEXT_0
    adds r0, r7
    COPY_SHARES r1, r0
    movs r2, #K
    adds r2, r7
    adds r2, #\first
    movs r5, #TEXT_0
    adds r5, r7
    bl masked_whiten
    movs r2, #K
    adds r2, #\begin
    adds r2, r7
    mov r11, r2
1:  ROUND 0, 2, \decrypt
    .if \decrypt
    mov r2, r11
    subs r2, #16
    mov r11, r2
    .endif
    ROUND 2, 0, \decrypt
    mov r2, r11
    .if \decrypt
    subs r2, #16
    mov r11, r2
    .endif
    subs r2, r7
    subs r2, #K
    cmp r2, #\end
    beq 2f
    b 1b
2:  movs r5, #TEXT_0
    adds r5, r7
    .rept 2
    ldmia r5!, {r0-r3}
    mov r8, r0
    mov r9, r1
    subs r5, #16
    stmia r5!, {r2, r3}
    mov r2, r8
    mov r3, r9
    stmia r5!, {r2, r3}
    .irp r, 0, 1, 2, 3, 8, 9
    mov r\r, r7
    .endr
    .endr
    movs r2, #K
    adds r2, r7
    adds r2, #\last
    movs r5, #TEXT_0
    adds r5, r7
    bl masked_whiten
    pop {r1}
    movs r0, #TEXT_0
    adds r0, r7
    COPY_SHARES r0, r1
    POP_ALL
    END \name
    .endm

/* mf_thumb_masked_encrypt - a block (r1, two shares) becomes its encryption (r0: expanded key)
 *   cost   532 bytes, 21,208 clocks (cortex_m0_masked)
 *   time   constant
 */
    MASKED mf_thumb_masked_encrypt, 0, 16, 32, 160, 0

/* mf_thumb_masked_decrypt - the inverse, likewise
 *   cost   542 bytes, 21,248 clocks (cortex_m0_masked)
 *   time   constant
 */
    MASKED mf_thumb_masked_decrypt, 16, 0, 152, 24, 1
