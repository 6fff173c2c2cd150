/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish with four S-boxes of 256 bytes: partial keying [Twofish98, 5.1.1]. With MDS_TABLES the
 * last q and MDS are in fixed tables of 4 KB, else MDS is computed. For each key 160 bytes of subkeys
 * and 1024 of S-boxes, which set_key.S makes.
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
    movs r6, #1
    lsls r6, #8
    .if MDS_TABLES
    ldr r5, =mf_twofish_mds
    lsls r7, r6, #2
    .endif
    .endm

/* G_BYTE x, X, i, j - byte i of X through S-box j and the fixed table; 7 or 8 clocks. */
    .macro G_BYTE x, X, i, j
    mov \x, \X
    BYTE \x, \x, \i
    ldrb \x, [r4, \x]
    .if MDS_TABLES
    lsls \x, #2
    ldr \x, [r5, \x]
    .else
    IN_PLACE \x, \j
    .endif
    .endm

/* STEP op - to the next S-box and fixed table, op being adds, or to the last one: subs. */
    .macro STEP op
    \op r4, r6
    .if MDS_TABLES
    \op r5, r7
    .endif
    .endm

    .macro ROUND A, B, C, D, key, half, odd
    .set j, 3 * \odd
    G_BYTE r0, \A, j, j
    G_BYTE r1, \B, (j+3)&3, j
    .rept 3
    .if \odd
    STEP subs
    .set j, j - 1
    .else
    STEP adds
    .set j, j + 1
    .endif
    G_BYTE r2, \A, j, j
    eors r0, r2
    G_BYTE r2, \B, (j+3)&3, j
    eors r1, r2
    .endr
    MATRIX r0, r2, r3, r7, lr
    MATRIX r1, r2, r3, r7, lr
    adds r0, r1                        @ T0 + T1
    adds r1, r0                        @ T0 + 2 T1
    ADD_SUBKEYS r0, r1, \key, r3, r2
    \half \C, \D, r2, r1, r3
    .endm

/* mf_thumb_encrypt - replaces a block (r1) by its encryption (r0: expanded key)
 *   RAM    44 bytes of stack
 *   cost   412 bytes, 1,629 clocks (cortex_m0_sboxes)
 *   cost   688 bytes, 2,730 clocks (cortex_m0_sboxes_0tables*)
 *   time   constant
 */
    ENCRYPTION mf_thumb_encrypt, BOXES, ROUND

/* mf_thumb_decrypt - the inverse, likewise
 *   RAM    44 bytes of stack
 *   cost   416 bytes, 1,630 clocks (cortex_m0_sboxes)
 *   cost   692 bytes, 2,731 clocks (cortex_m0_sboxes_0tables*)
 *   time   constant
 */
    DECRYPTION mf_thumb_decrypt, BOXES, ROUND
