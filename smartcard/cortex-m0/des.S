/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DES and Triple-DES [FIPS46-3] for 64 or 192 KEY_BITS, with the S-boxes and P in the C library's table
 * of 2 KB, and all subkeys made in each block.
 *
 * The halves of the text are kept rotated left by 3, as that table wants them [KarnThread]: the six
 * bits for S2, S4, S6, S8 are then the high ones of the bytes; those for S1, S3, S5, S7 are so after a
 * rotation right by 4. C and D are in the upper 28 bits of a word each; four bits more repeat the first
 * ones, so that rotations need no mask.
 *
 * Costs are clocks of Cortex-M0 without wait states. Each look-up of a table takes the same time, as
 * these cores have no cache. Nothing branches on key or text.
 */
#include "function.inc"

    .equ passes, KEY_BITS / 64

    .section .bss.des, "aw", %nobits
    .balign 4
    .global des_text, des_key
des_text:
    .space 8
des_key:
    .space 8 * passes

#define C r0
#define D r1
#define K r2
#define t r3
#define L r4
#define R r5
#define table r6
#define two_tables r7

/* BIT word, n - bit n of C or D becomes the lowest of K. 2 clocks. */
    .macro BIT word, n
    lsls t, \word, #\n
    adcs K, K
    .endm

#include "tables/des_key.inc"

/* LEFT X, s and RIGHT X, s - C or D rotated by s bits. 4 clocks. */
    .macro LEFT X, s
    lsls t, \X, #4
    lsrs t, t, #32 - \s
    lsls \X, \X, #\s
    orrs \X, t
    .endm
    .macro RIGHT X, s
    lsrs t, \X, #4
    lsls t, t, #32 - \s
    lsrs \X, \X, #\s
    orrs \X, t
    .endm

/* SP byte - L = L + P(S(x)), where x is a byte of K, 0 being the lowest; t is lost. 4 clocks, or 5. */
    .macro SP byte
    .if \byte == 0
    uxtb t, K
    .elseif \byte == 3
    lsrs t, K, #24
    .else
    lsls t, K, #24 - 8 * \byte
    lsrs t, t, #24
    .endif
    ldr t, [table, t]
    eors L, t
    .endm

/* MASKED_SUM - K = K + R, the bits that are no input cleared; r12 is the mask. 3 clocks. */
    .macro MASKED_SUM
    eors K, R
    mov t, r12
    ands K, t
    .endm

/* SWAP a, b, s, mask - exchanges the bits of a under mask << s with those of b under mask [Schneier94].
 *   takes  8 clocks; r2, r3 are lost
 */
    .macro SWAP a, b, s, mask
    ldr r3, =\mask
    lsrs r2, \a, #\s
    eors r2, \b
    ands r2, r3
    eors \b, r2
    lsls r2, r2, #\s
    eors \a, r2
    .endm

/* des_load - L, R = IP of the 8 bytes at r0, rotated left by 3; r0, r2, r3 are lost.
 *   cost   104 bytes, 51 clocks (cortex_m0_des*)
 *   time   constant
 */
FUNCTION des_load, cipher
    ldmia r0!, {L, R}
    rev L, L
    rev R, R
    SWAP L, R, 4, 0x0F0F0F0F
    SWAP L, R, 16, 0x0000FFFF
    SWAP R, L, 2, 0x33333333
    SWAP R, L, 8, 0x00FF00FF
    SWAP L, R, 1, 0x55555555
    movs t, #32 - 3
    rors L, t
    rors R, t
    bx lr
    END des_load

/* des_store - the inverse of IP, from L and R to the text; r0, r2, r3 are lost.
 *   cost   112 bytes, 53 clocks (cortex_m0_des*)
 *   time   constant
 */
FUNCTION des_store, cipher
    movs t, #3
    rors L, t
    rors R, t
    SWAP L, R, 1, 0x55555555
    SWAP R, L, 8, 0x00FF00FF
    SWAP R, L, 2, 0x33333333
    SWAP L, R, 16, 0x0000FFFF
    SWAP L, R, 4, 0x0F0F0F0F
    rev L, L
    rev R, R
    ldr r0, =des_text
    stmia r0!, {L, R}
    bx lr
    END des_store

/* des_pass - 16 rounds, after which L and R are exchanged.
 *   in     L, R; r0: C and D in memory; r1: 0 to encrypt, 1 to decrypt
 *   out    L, R; r0..r3, r6, r7, r12 are lost
 *   RAM    8 bytes of stack
 *   cost   468 bytes, 3,122 clocks (cortex_m0_des*)
 *   time   constant
 */
FUNCTION des_pass, cipher
    push {r1, lr}
    ldr r2, =(double_shifts << 16) + 0x8000    @ the round's bit on top, and a 1 behind the last one
    cmp r1, #0
    beq 1f
    ldr r2, =(double_shifts_backwards << 16) + 0x8000
1:  mov lr, r2
    ldr r2, =0xFCFCFCFC
    mov r12, r2
    ldr table, =mf_des_sp + 7 * 256
    movs two_tables, #2
    lsls two_tables, two_tables, #8
    ldmia r0!, {r2, r3}
    mov C, r2
    mov D, r3
one_round:
    ldr t, [sp]
    cmp t, #0
    bne f
    mov t, lr
    lsls t, t, #1
    mov lr, t
    bcs 2f
    LEFT C, 1
    LEFT D, 1
    b f
2:  LEFT C, 2
    LEFT D, 2
f:
    key_even
    MASKED_SUM
    SP 0                        @ S8
    subs table, two_tables
    SP 1
    subs table, two_tables
    SP 2
    subs table, two_tables
    SP 3
    subs table, #255
    subs table, #1
    key_odd
    movs t, #4
    rors R, t
    MASKED_SUM
    movs t, #28
    rors R, t
    SP 3                        @ S1
    adds table, two_tables
    SP 2
    adds table, two_tables
    SP 1
    adds table, two_tables
    SP 0
    adds table, #255
    adds table, #1
    mov t, L
    mov L, R
    mov R, t
    ldr t, [sp]
    cmp t, #0
    beq 4f
    mov t, lr
    lsls t, t, #1
    mov lr, t
    bcs 3f
    RIGHT C, 1
    RIGHT D, 1
    b 4f
3:  RIGHT C, 2
    RIGHT D, 2
4:  mov t, lr
    lsls t, t, #1
    beq 5f
    b one_round
5:  mov t, L
    mov L, R
    mov R, t
    pop {r1, pc}
    END des_pass

/* BLOCK name, first, step, direction - one block, with the keys in an order: a pass under the first one,
 * then the other direction under the next.
 */
    .macro BLOCK name, first, step, direction
FUNCTION \name, cipher
    push {r4-r7, lr}
    ldr r0, =des_text
    bl des_load
    .set pass, 0
    .rept passes
    ldr r0, =des_key + 8 * (\first + \step * pass)
    movs r1, #\direction ^ (pass & 1)
    bl des_pass
    .set pass, pass + 1
    .endr
    bl des_store
    pop {r4-r7, pc}
    END \name
    .endm

/* des_encrypt, des_decrypt - one block of des_text under des_key as des_set_key leaves it.
 *   RAM    28 bytes of stack
 *   cost   32 bytes, 3,258 clocks (cortex_m0_des)
 *   cost   56 bytes, 9,516 clocks (cortex_m0_des_triple)
 *   time   constant
 */
    BLOCK des_encrypt, 0, 1, 0
    BLOCK des_decrypt, passes - 1, -1, 1

/* des_set_key - PC-1 [FIPS46-3, KS]: C and D in place of the key.
 *   RAM    20 bytes of stack
 *   cost   92 bytes, 112 clocks (cortex_m0_des)
 *   cost   92 bytes, 304 clocks (cortex_m0_des_triple)
 *   time   constant
 *
 * IP puts bits 1, 3, 5, 7 of the bytes, the last byte first, into R, and bits 2, 4, 6, 8 into L. Bits 1 to 3
 * and half of bits 4 are C; bits 7, 6, 5 and the other half are D.
 */
FUNCTION des_set_key, set_key
    push {r4-r7, lr}
    ldr r6, =des_key
    movs r7, #passes
1:  mov r0, r6
    bl des_load
    movs t, #3
    rors L, t
    rors R, t
    lsrs r0, R, #24
    lsls r0, r0, #24
    lsrs r2, L, #24
    lsls r2, r2, #16
    orrs r0, r2
    lsrs r2, R, #16
    uxtb r2, r2
    lsls r2, r2, #8
    orrs r0, r2
    lsls r3, L, #8
    lsrs r3, r3, #24            @ bits 4
    lsrs r2, r3, #4
    lsls r2, r2, #4
    orrs r0, r2
    lsrs r2, r0, #28
    orrs r0, r2
    lsls r1, R, #24
    lsrs r2, L, #8
    uxtb r2, r2
    lsls r2, r2, #16
    orrs r1, r2
    lsrs r2, R, #8
    uxtb r2, r2
    lsls r2, r2, #8
    orrs r1, r2
    lsls r3, r3, #28
    lsrs r3, r3, #24
    orrs r1, r3
    lsrs r2, r1, #28
    orrs r1, r2
    stmia r6!, {r0, r1}
    subs r7, #1
    bne 1b
    pop {r4-r7, pc}
    END des_set_key
