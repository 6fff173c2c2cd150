; SPDX-License-Identifier: Apache-2.0 OR MIT
; The registers by the names of [Twofish98]: word R0 is r0..r3, its lowest byte first, and so on.
; X, Y, Z are r26, r28, r30.

#define R0_0 r0
#define R0_1 r1
#define R0_2 r2
#define R0_3 r3
#define R1_0 r4
#define R1_1 r5
#define R1_2 r6
#define R1_3 r7
#define R2_0 r8
#define R2_1 r9
#define R2_2 r10
#define R2_3 r11
#define R3_0 r12
#define R3_1 r13
#define R3_2 r14
#define R3_3 r15
#define XL r26
#define XH r27
#define YL r28
#define YH r29
#define ZL r30
#define ZH r31
