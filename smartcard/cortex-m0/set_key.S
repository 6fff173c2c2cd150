/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Key set-up: S, the subkeys, and what the kernel keeps besides: S or S-boxes, see
 * twofish_thumb.h.
 */
#include "thumb.inc"
#include "rs.S"

#if !KEEPS_CONSTANT_TIME
/* mf_thumb_subkeys - K_2i and K_2i+1 of the key [Twofish98, 4.3.4]
 *   in     r0 2i, r1 key, r4 q0, r5 q1
 *   out    r0, r1; r2, r3, r6, r7 and r12 are lost
 *   RAM    no stack
 *   cost   196 bytes, 136 clocks (cortex_m0_fly, cortex_m0_fly_bare, cortex_m0_subkeys, cortex_m0_sboxes, cortex_m0_mds*)
 *   cost   340 bytes, 216 clocks (cortex_m0_fly_0tables, cortex_m0_subkeys_0tables, cortex_m0_sboxes_0tables)
 *   cost   244 bytes, 176 clocks (cortex_m0_*_192)
 *   cost   292 bytes, 216 clocks (cortex_m0_fly_256, cortex_m0_subkeys_256)
 *   cost   436 bytes, 296 clocks (cortex_m0_sboxes_0tables_256)
 *   time   constant
 *
 * Both h at once: all bytes of the one argument are 2i, of the other 2i + 1, and both take the same
 * fixed tables.
 */
    .macro SUBKEY_LAYER x, y, i, j
    KEYED \x, \i+1, \j, r1, 8*\i+\j, r7
    KEYED \y, \i+1, \j, r1, 8*\i+\j+4, r7
    .endm

    .macro SUBKEY_BYTES x, y, j
    mov \x, r12
    adds \y, \x, #1
    .if k >= 4
    SUBKEY_LAYER \x, \y, 3, \j
    .endif
    .if k >= 3
    SUBKEY_LAYER \x, \y, 2, \j
    .endif
    SUBKEY_LAYER \x, \y, 1, \j
    SUBKEY_LAYER \x, \y, 0, \j
    COLUMNS \x, \y, \j, r7
    .endm

#if KEEPS_FLY
FUNCTION mf_thumb_subkeys, cipher
#else
FUNCTION mf_thumb_subkeys, set_key
#endif
    mov r12, r0
    SUBKEY_BYTES r0, r6, 0
    .irp j, 1, 2, 3
    SUBKEY_BYTES r2, r3, \j
    eors r0, r2
    eors r6, r3
    .endr
    MATRIX r0, r2, r3, r7, r12
    MATRIX r6, r2, r3, r7, r12
    movs r2, #32 - 8
    rors r6, r2                        @ B
    adds r0, r6                        @ A + B
    adds r1, r0, r6                    @ A + 2 B
    movs r2, #32 - 9
    rors r1, r2
    bx lr
    END mf_thumb_subkeys
#endif

/* S_WORDS - S[i] = RS times bytes 8(k-1-i) and on of the key [Twofish98, 4.3]
 *   in     r0 where, r1 key
 *   out    r0 where; r1..r7 and r12 are lost
 *   RAM    8 bytes of stack
 */
    .macro S_WORDS
    push {r0, r1}
    .set i, k
    .rept k
    .set i, i - 1
    bl mf_thumb_rs
    ldr r2, [sp]
    str r0, [r2, #4 * i]
    .endr
    pop {r0, r1}
    .endm

#if KEEPS_FLY
/* mf_thumb_set_key - makes S of the key in front of it: r0 key; as C calls it, see twofish_thumb.h
 *   RAM    28 bytes of stack
 *   cost   28 bytes, 469 clocks (cortex_m0_fly, cortex_m0_fly_0tables, cortex_m0_fly_bare)
 *   cost   36 bytes, 692 clocks (cortex_m0_fly_192)
 *   cost   44 bytes, 915 clocks (cortex_m0_fly_256)
 *   time   constant
 */
FUNCTION mf_thumb_set_key, set_key
    push {r4-r7, lr}
    movs r1, r0
    adds r0, #8 * k
    S_WORDS
    pop {r4-r7, pc}
    END mf_thumb_set_key
#else
/* FILL bytes - the S-boxes, `bytes` an entry: 1, with the last q if no MDS_TABLES have it, or 4 with
 * it and MDS.
 *   in     r1 S, r4 q0, r5 q1, r7 the boxes
 *   out    r0, r2, r3, r6 and r7 are lost
 */
    .macro FILL bytes
    movs r0, #0
    movs r3, #\bytes
    lsls r3, #8
1:  .irp j, 0, 1, 2, 3
    movs r2, r0
    .if k >= 4
    KEYED r2, 4, \j, r1, 12+\j, r6
    .endif
    .if k >= 3
    KEYED r2, 3, \j, r1, 8+\j, r6
    .endif
    KEYED r2, 2, \j, r1, 4+\j, r6
    KEYED r2, 1, \j, r1, \j, r6
    .if \bytes == 1
    .if !MDS_TABLES
    Q r2, 0, \j
    .endif
    strb r2, [r7]
    .else
    ldr r6, =mf_twofish_mds + 1024 * \j
    lsls r2, #2
    ldr r2, [r6, r2]
    str r2, [r7]
    .endif
    adds r7, r3
    .endr
    lsls r2, r3, #2
    subs r7, r2
    adds r7, #\bytes
    adds r0, #1
    lsrs r2, r0, #8
    beq 1b
    .endm

/* mf_thumb_set_key - expands a key: r0 where, r1 key; as C calls it, see twofish_thumb.h
 *   RAM    36 bytes of stack, 4k more if S is not kept, 24 more with KEEPS_CONSTANT_TIME
 *   cost   64 bytes, 3,639 clocks (cortex_m0_subkeys)
 *   cost   64 bytes, 5,239 clocks (cortex_m0_subkeys_0tables)
 *   cost   52 bytes, 26,334 clocks (cortex_m0_constant_time)
 *   cost   72 bytes, 4,662 clocks (cortex_m0_subkeys_192)
 *   cost   80 bytes, 5,685 clocks (cortex_m0_subkeys_256)
 *   cost   180 bytes, 20,040 clocks (cortex_m0_sboxes)
 *   cost   188 bytes, 23,688 clocks (cortex_m0_sboxes_0tables)
 *   cost   256 bytes, 35,978 clocks (cortex_m0_sboxes_0tables_256)
 *   cost   220 bytes, 25,160 clocks (cortex_m0_mds*)
 *   time   constant
 */
FUNCTION mf_thumb_set_key, set_key
    push {r0, r1, r4-r7, lr}
#if !KEEPS_CONSTANT_TIME
    LOAD_Q
#endif
    movs r0, #0
1:  push {r0}
    ldr r1, [sp, #8]
    bl mf_thumb_subkeys
    ldr r2, [sp, #4]
    stmia r2!, {r0, r1}
    str r2, [sp, #4]
    pop {r0}
    adds r0, #2
    cmp r0, #SUBKEYS_BYTES / 4
    bne 1b
    ldr r0, [sp]
    ldr r1, [sp, #4]
#if KEEPS_SUBKEYS || KEEPS_CONSTANT_TIME
    S_WORDS
#else
    sub sp, #4 * k
    mov r0, sp
    S_WORDS
    movs r1, r0
    ldr r7, [sp, #4 * k]
    LOAD_Q
    FILL 1 + 3 * KEEPS_MDS
    movs r0, #0
    .set i, 0
    .rept k
    str r0, [sp, #4 * i]
    .set i, i + 1
    .endr
    add sp, #4 * k
#endif
    pop {r0, r1, r4-r7, pc}
    END mf_thumb_set_key
#endif
