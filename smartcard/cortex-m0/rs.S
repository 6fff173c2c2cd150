/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * RS, for the files that set a key.
 */
/* mf_thumb_rs - RS times 8 bytes of the key, as the remainder of a division [Twofish98, 4.3]
 *   in     r1 the 8 bytes, at an address that 4 divides
 *   out    r0; r1 behind them; r2..r7 are lost
 *   RAM    no stack
 *   cost   76 bytes, 215 clocks
 *   time   constant
 *
 * The generator is x^4 + (a + 1/a) x^3 + a x^2 + (a + 1/a) x + 1. A step takes the highest byte off.
 */
FUNCTION mf_thumb_rs, set_key
    movs r5, #0xA6                     @ w(x) = 14D, over x
    adds r6, r5, r5
    adds r6, #1                        @ w(x)
    ldr r0, [r1, #4]
    mov r12, r1
    movs r7, #2
1:  movs r1, #4
2:  lsrs r2, r0, #24                   @ top
    lsls r0, #8
    eors r0, r2
    lsls r3, r2, #1                    @ a top
    lsrs r4, r2, #7
    rsbs r4, r4, #0
    ands r4, r6
    eors r3, r4
    lsls r4, r2, #31                   @ top / a
    asrs r4, r4, #31
    ands r4, r5
    lsrs r2, #1
    eors r2, r4
    eors r2, r3                        @ (a + 1/a) top
    lsls r3, #16
    eors r0, r3
    lsls r3, r2, #8
    eors r0, r3
    lsls r2, #24
    eors r0, r2
    subs r1, #1
    bne 2b
    subs r7, #1
    beq 3f
    mov r1, r12
    ldr r1, [r1]
    eors r0, r1
    b 1b
3:  mov r1, r12
    adds r1, #8
    bx lr
    END mf_thumb_rs
