/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish with subkeys on the fly: for each key the key itself and S, and nothing is prepared but
 * S. Key, S and text lie in this order, so that one register reaches all of them.
 */
#include "thumb.inc"

    .equ S, 8 * k                      @ behind the key
    .equ TEXT, 4 * k                   @ behind S

/* On the stack: the address of the key, 2i of the subkeys at work, and one subkey where MDS needs
 * the register. */
    .equ KEY, 0
    .equ I, 4
    .equ K_ODD, 8

/* The registers of the frame; what C expects to be kept [AAPCS32, 6.1.1] may be left out where
 * nobody expects it, for 16 bytes of RAM less. */
#if MDS_TABLES
#define FRAME r0, r1
#else
#define FRAME r0-r2
#endif
#if SAVES_REGISTERS
#define KEPT FRAME, r4-r7
#else
#define KEPT FRAME
#endif

    .macro FLY_ENTER
    push {KEPT, lr}
    LOAD_Q
    .endm

    .macro FLY_LEAVE
    pop {KEPT, pc}
    .endm

/* TWO_SUBKEYS - r0, r1 = K_2i, K_2i+1 where r0 is 2i, which goes to the stack; r6 = S. */
    .macro TWO_SUBKEYS
    str r0, [sp, #I]
    ldr r1, [sp, #KEY]
    bl mf_thumb_subkeys
    ldr r6, [sp, #KEY]
    adds r6, #S
    .endm

/* WHITEN first - XORs four subkeys into the text; first is 0 or 4. */
    .macro WHITEN first
    movs r0, #\first
1:  TWO_SUBKEYS
    ldr r2, [sp, #I]
    lsls r3, r2, #30
    lsrs r3, #28                       @ 0, then 8
    adds r6, r3
    ldr r3, [r6, #TEXT]
    eors r3, r0
    str r3, [r6, #TEXT]
    ldr r3, [r6, #TEXT + 4]
    eors r3, r1
    str r3, [r6, #TEXT + 4]
    adds r0, r2, #2
    lsls r2, r0, #30
    bne 1b
    .endm

/* FLY_BYTES x, y, j - what byte j adds to g(R0) and to g(ROL(R1, 8)). */
    .macro FLY_BYTES x, y, j
    ldrb \x, [r6, #TEXT + \j]
    ldrb \y, [r6, #TEXT + 4 + ((\j+3)&3)]
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

/* FLY_F - F0, F1 in r0, r1 from R0, R1 in the text and the subkeys of the round in r0, r1. */
    .macro FLY_F
    mov r12, r0
    .if MDS_TABLES
    mov lr, r1
    .else
    str r1, [sp, #K_ODD]
    .endif
    FLY_BYTES r0, r1, 0
    .irp j, 1, 2, 3
    FLY_BYTES r2, r3, \j
    eors r0, r2
    eors r1, r3
    .endr
    MATRIX r0, r2, r3, r7, lr
    MATRIX r1, r2, r3, r7, lr
    adds r0, r1                        @ T0 + T1
    adds r1, r0                        @ T0 + 2 T1
    add r0, r12
    .if MDS_TABLES
    add r1, lr
    .else
    ldr r2, [sp, #K_ODD]
    adds r1, r2
    .endif
    .endm

    .macro FLY_ENCRYPT_HALF
    ldr r2, [r6, #TEXT + 8]
    eors r0, r2
    movs r2, #1
    rors r0, r2
    ldr r2, [r6, #TEXT + 12]
    movs r3, #31
    rors r2, r3
    eors r1, r2
    .endm

    .macro FLY_DECRYPT_HALF
    ldr r2, [r6, #TEXT + 8]
    movs r3, #31
    rors r2, r3
    eors r0, r2
    ldr r2, [r6, #TEXT + 12]
    eors r1, r2
    movs r2, #1
    rors r1, r2
    .endm

/* FLY_CIPHER name, before, first, end, step, half, after - a whole routine: whitens with subkeys
 * `before`, does rounds with subkeys `first` up to `end`, going by 2 with `step`, whitens with `after`.
 */
    .macro FLY_CIPHER name, before, first, end, step, half, after
FUNCTION \name, cipher
    FLY_ENTER
    WHITEN \before
    movs r0, #\first
2:  TWO_SUBKEYS
    FLY_F
    \half
    ldr r2, [r6, #TEXT]
    ldr r3, [r6, #TEXT + 4]
    adds r6, #TEXT
    stmia r6!, {r0-r3}                 @ with the swap of the halves
    ldr r0, [sp, #I]
    \step r0, #2
    cmp r0, #\end
    beq 3f
    b 2b
3:  subs r6, #16
    ldmia r6!, {r0-r3}
    subs r6, #16
    str r2, [r6]                       @ undoes the swap of the last round
    str r3, [r6, #4]
    str r0, [r6, #8]
    str r1, [r6, #12]
    WHITEN \after
    FLY_LEAVE
    END \name
    .endm

/* mf_thumb_encrypt - replaces the text behind S (r0: the key) by its encryption
 *   RAM    28 bytes of stack, 32 without MDS_TABLES; 12 if registers are not saved
 *   cost   336 bytes, 5,489 clocks (cortex_m0_fly)
 *   cost   480 bytes, 8,419 clocks (cortex_m0_fly_0tables)
 *   cost   336 bytes, 5,481 clocks (cortex_m0_fly_bare)
 *   cost   376 bytes, 6,801 clocks (cortex_m0_fly_192)
 *   cost   416 bytes, 8,113 clocks (cortex_m0_fly_256)
 *   time   constant
 */
    FLY_CIPHER mf_thumb_encrypt, 0, 8, 40, adds, FLY_ENCRYPT_HALF, 4

/* mf_thumb_decrypt - the inverse, likewise
 *   RAM    28 bytes of stack, 32 without MDS_TABLES; 12 if registers are not saved
 *   cost   336 bytes, 5,489 clocks (cortex_m0_fly)
 *   cost   480 bytes, 8,419 clocks (cortex_m0_fly_0tables)
 *   cost   336 bytes, 5,481 clocks (cortex_m0_fly_bare)
 *   cost   376 bytes, 6,801 clocks (cortex_m0_fly_192)
 *   cost   416 bytes, 8,113 clocks (cortex_m0_fly_256)
 *   time   constant
 */
    FLY_CIPHER mf_thumb_decrypt, 4, 38, 6, subs, FLY_DECRYPT_HALF, 0
