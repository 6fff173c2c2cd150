/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish with stored subkeys: zero keying [Twofish98, 5.1.1]. For each key 160 bytes of subkeys and
 * the words S. Fixed tables are q0 and q1 and, with MDS_TABLES, 4 KB of MDS with the last q in it.
 */
#include "thumb.inc"

/* TABLES first - r4: q0, r5: q1, r6: S.
 *   in     r12 points `first` bytes behind the first subkey
 */
    .macro TABLES first
    LOAD_Q
    mov r6, r12
    adds r6, #SUBKEYS_BYTES - (\first)
    .endm

/* G_BYTES x, y, A, B, j - what byte j adds to g(A) and to g(ROL(B, 8)). Both share the bytes of S. */
    .macro G_BYTES x, y, A, B, j
    mov \x, \A
    BYTE \x, \x, \j
    mov \y, \B
    BYTE \y, \y, (\j+3)&3
    .if k >= 4
    G_LAYER \x, \y, 3, \j
    .endif
    .if k >= 3
    G_LAYER \x, \y, 2, \j
    .endif
    G_LAYER \x, \y, 1, \j
    G_LAYER \x, \y, 0, \j
    COLUMNS \x, \y, \j, r7
    .endm

/* ROUND A, B, C, D, key, half - one round.
 *   takes  141 clocks, 227 without MDS_TABLES; 32 more for each further 64 bits of key
 *   time   constant
 */
    .macro ROUND A, B, C, D, key, half, odd
    G_BYTES r0, r1, \A, \B, 0
    .irp j, 1, 2, 3
    G_BYTES r2, r3, \A, \B, \j
    eors r0, r2
    eors r1, r3
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
 *   cost   548 bytes, 2,429 clocks (cortex_m0_subkeys)
 *   cost   844 bytes, 3,709 clocks (cortex_m0_subkeys_0tables)
 *   cost   628 bytes, 2,941 clocks (cortex_m0_subkeys_192)
 *   cost   708 bytes, 3,453 clocks (cortex_m0_subkeys_256)
 *   time   constant
 */
    ENCRYPTION mf_thumb_encrypt, TABLES, ROUND

/* mf_thumb_decrypt - the inverse, likewise
 *   RAM    44 bytes of stack
 *   cost   552 bytes, 2,430 clocks (cortex_m0_subkeys)
 *   cost   848 bytes, 3,710 clocks (cortex_m0_subkeys_0tables)
 *   cost   632 bytes, 2,942 clocks (cortex_m0_subkeys_192)
 *   cost   712 bytes, 3,454 clocks (cortex_m0_subkeys_256)
 *   time   constant
 */
    DECRYPTION mf_thumb_decrypt, TABLES, ROUND
