/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The masks of a block, and what is made of them.
 */
#include "thumb.inc"
#include "masked.inc"

/* new_masks - new masks for what is kept, and those of a block
 *   in     r7
 *   out    r0..r6 and r12 are lost
 *   cost   284 bytes, 6,381 clocks (cortex_m0_masked)
 *   time   constant
 */
FUNCTION new_masks, cipher
    push {lr}
    movs r4, #RANDOM
    adds r4, r7
    movs r5, #RANDOM_WORDS
1:  bl mf_thumb_random
    stmia r4!, {r0}
    subs r5, #1
    bne 1b

    ldr r4, =mf_twofish_q              @ the tables
    ldr r5, =Q_TABLES
    adds r5, r7
    ldrb r2, [r7, #M_IN]
    ldrb r3, [r7, #M_OUT]
    movs r6, #2
2:  movs r0, #255
3:  ldrb r1, [r4, r0]
    eors r1, r3
    eors r0, r2
    strb r1, [r5, r0]
    eors r0, r2
    subs r0, #1
    bpl 3b
    adds r4, #255
    adds r4, #1
    adds r5, #255
    adds r5, #1
    subs r6, #1
    bne 2b

    ldr r0, [r7, #M_S]                @ S
    eors r2, r3
    str r2, [r7, #M_S]
    eors r2, r0
    mov r0, r7                         @ the old mask goes before the first byte comes
    movs r4, #S
    adds r4, r7
    movs r5, #S_BYTES
4:  ldrb r0, [r4]
    eors r0, r2
    strb r0, [r4]
    adds r4, #1
    subs r5, #1
    bne 4b

    ldr r0, [r7, #D]                   @ the subkeys
    ldr r1, [r7, #NEW_D]
    str r1, [r7, #D]
    mov r2, r0
    eors r2, r1
    subs r0, r1
    movs r4, #K
    adds r4, r7
    movs r5, #8
5:  ldr r1, [r4]
    eors r1, r2
    stmia r4!, {r1}
    subs r5, #1
    bne 5b
    movs r5, #32
6:  ldr r1, [r4]
    adds r1, r0
    stmia r4!, {r1}
    subs r5, #1
    bne 6b

    ldrb r3, [r7, #M_OUT]              @ the masks of results
    movs r6, #0
    .irp j, 0, 1, 2, 3
    ldrb r2, [r7, #R_Y + \j]
    eors r2, r3
    IN_PLACE r2, \j
    eors r6, r2
    .endr
    MDS r6, r0, r1, r2, r12
    str r6, [r7, #MB]
    ldr r0, [r7, #GAMMA_A]
    eors r0, r6
    str r0, [r7, #DELTA]
    ldr r1, [r7, #RHO]
    adds r1, r6                        @ MB + rho
    adds r0, r1, r6
    ldr r2, [r7, #D]
    adds r0, r2
    str r0, [r7, #FR]
    adds r0, r1
    str r0, [r7, #FR + 4]
    pop {pc}
    END new_masks
