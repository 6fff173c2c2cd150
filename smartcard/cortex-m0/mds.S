/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish with S-boxes and MDS in four tables of 256 words: full keying [Twofish98, 5.1.1].
 * For each key 160 bytes of subkeys and 4096 of tables, which set_key.S makes.
 */
#include "thumb.inc"

/* BOXES first - where the tables are, in r4..r7, and in r3 the mask of a byte times 4.
 *   in     r12 points `first` bytes behind the first subkey; r0 is lost
 */
    .macro BOXES first
    movs r3, #0xFF
    lsls r3, #2
    mov r4, r12
    adds r4, #SUBKEYS_BYTES - (\first)
    adds r0, r3, #4                    @ 1024
    adds r5, r4, r0
    adds r6, r5, r0
    adds r7, r6, r0
    .endm

/* G X, T, b0, b1, b2, b3 - T = g(X), byte i of X through the table at b_i.
 *   in     X; T a low register that is not r0 or r2, which are lost
 *   takes  20 clocks
 *   time   constant
 */
    .macro G X, T, b0, b1, b2, b3
    mov r0, \X
    lsls \T, r0, #2
    ands \T, r3
    ldr \T, [\b0, \T]
    lsrs r2, r0, #8 - 2
    ands r2, r3
    ldr r2, [\b1, r2]
    eors \T, r2
    lsrs r2, r0, #16 - 2
    ands r2, r3
    ldr r2, [\b2, r2]
    eors \T, r2
    lsrs r0, r0, #24 - 2
    ands r0, r3
    ldr r0, [\b3, r0]
    eors \T, r0
    .endm

/* ROUND A, B, C, D, key, half - one round; ROL(B, 8) is B with the tables one further.
 *   takes  60 clocks
 */
    .macro ROUND A, B, C, D, key, half, odd
    G \A, r1, r4, r5, r6, r7
    mov lr, r1
    G \B, r1, r5, r6, r7, r4
    add lr, r1                         @ T0 + T1
    add r1, lr                         @ T0 + 2 T1
    ADD_SUBKEYS lr, r1, \key, r0, r2
    \half \C, \D, r2, r1, r0
    .endm

/* mf_thumb_encrypt - replaces a block (r1) by its encryption (r0: expanded key)
 *   RAM    44 bytes of stack
 *   cost   320 bytes, 1,134 clocks (cortex_m0_mds)
 *   cost   1706 bytes, 1,055 clocks (cortex_m0_mds_unrolled)
 *   time   constant
 */
    ENCRYPTION mf_thumb_encrypt, BOXES, ROUND

/* mf_thumb_decrypt - the inverse, likewise
 *   RAM    44 bytes of stack
 *   cost   322 bytes, 1,135 clocks (cortex_m0_mds)
 *   cost   1708 bytes, 1,056 clocks (cortex_m0_mds_unrolled)
 *   time   constant
 */
    DECRYPTION mf_thumb_decrypt, BOXES, ROUND
