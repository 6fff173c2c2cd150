/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Setting a key in two shares. Shares are never joined: RS works on each alone, h on what has other
 * masks.
 */
#include "thumb.inc"
#include "masked.inc"
#include "rs.S"

/* xor_share - bytes at r0 ^= those at r1, as many as r2
 *   out    r1 behind them; r2..r5 are lost
 */
FUNCTION xor_share, set_key
    mov r5, r0
1:  ldrb r3, [r1]
    ldrb r4, [r5]
    eors r4, r3
    strb r4, [r5]
    adds r1, #1
    adds r5, #1
    subs r2, #1
    bne 1b
    bx lr
    END xor_share

/* xor_rs - S ^= RS of a share
 *   in     r0 the share
 *   out    r0..r6, r8..r10 and r12 are lost
 */
FUNCTION xor_rs, set_key
    push {r7, lr}
    mov r8, r7
    mov r1, r0
    movs r0, #S + 8 * (k - 1)
    add r0, r8
    mov r9, r0
    movs r0, #k
    mov r10, r0
1:  bl mf_thumb_rs
    mov r2, r9
    movs r4, #4
2:  ldrb r3, [r2]
    uxtb r5, r0
    eors r3, r5
    strb r3, [r2]
    lsrs r0, #8
    adds r2, #1
    subs r4, #1
    bne 2b
    subs r2, #12
    mov r9, r2
    mov r3, r10
    subs r3, #1
    mov r10, r3
    bne 1b
    pop {r7, pc}
    END xor_rs

/* h_of_index - r6 = h ^ MB of a word of four equal bytes
 *   in     r0 L_0, r11 the byte
 *   out    r11 + 1; r0..r5, r8, r9 and r12 are lost
 */
FUNCTION h_of_index, set_key
    ldr r1, =0x01010101
    mov r2, r11
    muls r1, r2
    mov r8, r1
    adds r2, #1
    mov r11, r2
    movs r1, #0
    mov r9, r1
    ldr r1, =masked_h
    bx r1
    END h_of_index

/* MASK_F f - r1 = the mask of F_f without D */
    .macro MASK_F f
    CLEAR_FLAGS
    ldr r1, [r7, #FR + 4 * \f]
    ldr r2, [r7, #D]
    subs r1, r2
    ldr r2, [r7, #GAMMA_B + 4 * \f]
    .endm

/* STORE_SUBKEY at - r5 ^ r1, with the mask D, to [r6]. What was there has the same mask, so it goes
 * before.
 */
    .macro STORE_SUBKEY at
    ldr r2, [r7, #D]
    eors r1, r2
    movs r2, #0
    str r2, [r6, #\at]
    eors r5, r1
    str r5, [r6, #\at]
    .endm

/* two_subkeys - the next two, all with the mask D xored
 *   in     r11 i, even; [sp] where they are stored
 *   out    r11 + 2; r0..r6, r8..r10 and r12 are lost
 *   cost   140 bytes, 906 clocks (cortex_m0_masked)
 */
FUNCTION two_subkeys, set_key
    push {lr}
    mov r10, r7                        @ the sum before has bits of the same mask
    ldr r0, =MASKED_KEY
    adds r0, r7
    bl h_of_index
    bl to_arithmetic
    mov r10, r0
    ldr r0, =MASKED_KEY + 4
    adds r0, r7
    bl h_of_index
    movs r2, #24
    rors r6, r2                        @ rotated by 8, its mask not
    CLEAR_FLAGS
    ldr r1, [r7, #MB]
    mov r3, r1
    rors r1, r2
    eors r1, r3
    eors r6, r1
    bl to_arithmetic
    PHT
    mov r10, r0
    mov r0, r1
    MASK_F 0
    bl to_boolean
    ldr r6, [sp, #4]
    STORE_SUBKEY 0
    mov r0, r10
    MASK_F 1
    bl to_boolean
    movs r2, #23
    rors r5, r2
    ldr r6, [sp, #4]
    CLEAR_FLAGS
    rors r1, r2
    STORE_SUBKEY 4
    pop {pc}
    END two_subkeys

/* mf_thumb_masked_set_key - expands a key (r1, two shares) into r0
 *   cost   160 bytes, 28,168 clocks (cortex_m0_masked)
 *   time   constant
 */
FUNCTION mf_thumb_masked_set_key, set_key
    PUSH_ALL
    mov r7, r0
    push {r1}
    movs r0, #0
    movs r1, #Q_TABLES / 4
    lsls r1, #2
1:  subs r1, #4
    str r0, [r7, r1]
    bne 1b
    bl new_masks
    ldr r0, =MASKED_KEY
    adds r0, r7
    ldr r1, [r7, #M_S]
    movs r2, #8 * k
2:  subs r2, #1
    strb r1, [r0, r2]
    bne 2b
    ldr r1, [sp]
    movs r2, #8 * k
    bl xor_share
    movs r2, #8 * k
    bl xor_share
    ldr r0, [sp]
    bl xor_rs
    ldr r0, [sp]
    adds r0, #8 * k
    bl xor_rs
    movs r0, #0
    mov r11, r0
    movs r0, #K
    adds r0, r7
    str r0, [sp]
3:  bl two_subkeys
    ldr r0, [sp]
    adds r0, #8
    str r0, [sp]
    mov r0, r11
    cmp r0, #40
    bne 3b
    movs r4, #K + 32
    adds r4, r7
    movs r5, #32
    ldr r3, [r7, #MB]
    ldr r2, [r7, #D]
    subs r3, r2                        @ MB - D
4:  ldr r1, [r7, #DUMMY]
    ldr r1, [r7, #D]                   @ r6 gets the mask MB in place of D
    ldr r2, [r7, #MB]
    eors r1, r2
    ldr r6, [r4]
    eors r6, r1
    bl to_arithmetic
    adds r0, r3
    movs r1, #0
    str r1, [r4]
    stmia r4!, {r0}
    subs r5, #1
    bne 4b
    add sp, #4
    POP_ALL
    END mf_thumb_masked_set_key
