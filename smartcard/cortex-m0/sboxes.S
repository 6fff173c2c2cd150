/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish with four S-boxes of 256 bytes, which end before the last q: partial keying [Twofish98,
 * 5.1.1]. The last q and MDS are in fixed tables of 4 KB. For each key 160 bytes of subkeys and 1024
 * of S-boxes, which set_key.S makes.
 */
#include "thumb.inc"

/* r4 and r5 go through the S-boxes and the fixed tables, upwards in one round and downwards in the
 * next. So a step takes a clock for both g, and no register has to be loaded again. */

/* BOXES first - r4: the first S-box, r5: the first fixed table, r6, r7: the steps between them.
 *   in     r12 points `first` bytes behind the first subkey; r0 is lost
 */
    .macro BOXES first
    mov r4, r12
    adds r4, #SUBKEYS_BYTES - (\first)
    ldr r5, =mf_twofish_mds
    movs r6, #1
    lsls r7, r6, #10
    lsls r6, #8
    .if UNROLLED                       @ else the address comes too far behind
    b 1f
    .ltorg
1:
    .endif
    .endm

/* G_BYTE x, X, i - byte i of X through the S-box and the fixed table; 7 or 8 clocks. */
    .macro G_BYTE x, X, i
    mov \x, \X
    BYTE \x, \x, \i
    ldrb \x, [r4, \x]
    lsls \x, #2
    ldr \x, [r5, \x]
    .endm

    .macro ROUND A, B, C, D, key, half, odd
    .set j, 3 * \odd
    G_BYTE r0, \A, j
    G_BYTE r1, \B, (j+3)&3
    .rept 3
    .if \odd
    subs r4, r6
    subs r5, r7
    .set j, j - 1
    .else
    adds r4, r6
    adds r5, r7
    .set j, j + 1
    .endif
    G_BYTE r2, \A, j
    eors r0, r2
    G_BYTE r2, \B, (j+3)&3
    eors r1, r2
    .endr
    adds r0, r1                        @ T0 + T1
    adds r1, r0                        @ T0 + 2 T1
    ADD_SUBKEYS r0, r1, \key, r3, r2
    \half \C, \D, r2, r1, r3
    .endm

    ENCRYPTION mf_thumb_encrypt, BOXES, ROUND
    DECRYPTION mf_thumb_decrypt, BOXES, ROUND
