/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The three calls of a program over those of twofish_thumb.h, and its RAM. MEMORY is what lies before
 * twofish_s; a kernel that keeps no S has the end of its S-boxes under that name.
 */
#include "thumb.inc"

    .macro PROGRAM_CALL name, callee, part, first, second
FUNCTION \name, \part
    ldr r0, =\first
    .ifnb \second
    ldr r1, =\second
    .endif
    ldr r2, =\callee
    bx r2
    END \name
    .endm

    .macro RAM name, bytes
    .global \name
    .type \name, %object
\name:
    .space \bytes
    .endm

#if KEEPS_FLY
    PROGRAM_CALL twofish_encrypt, mf_thumb_encrypt, cipher, twofish_key
    PROGRAM_CALL twofish_decrypt, mf_thumb_decrypt, cipher, twofish_key
    PROGRAM_CALL twofish_set_key, mf_thumb_set_key, set_key, twofish_key

    .section .bss.program, "aw", %nobits
    .balign 4
    RAM twofish_key, 8 * k
    RAM twofish_s, 4 * k
    RAM twofish_text, 16
#elif KEEPS_MASKED
#include "masked.inc"
    PROGRAM_CALL twofish_encrypt, mf_thumb_masked_encrypt, cipher, masked_program, twofish_text
    PROGRAM_CALL twofish_decrypt, mf_thumb_masked_decrypt, cipher, masked_program, twofish_text
    PROGRAM_CALL twofish_set_key, mf_thumb_masked_set_key, set_key, masked_program, twofish_key

    .section .bss.program, "aw", %nobits
    .balign 4
    RAM twofish_text, 2 * 16
    RAM twofish_key, 2 * 8 * k
    RAM masked_program, MASKED_BYTES
    .global twofish_memory, twofish_s, twofish_s1, twofish_s2, twofish_s3
    .equ twofish_memory, masked_program + M_S
    .equ twofish_s, masked_program + S
    .equ twofish_s1, twofish_s + 8
    .equ twofish_s2, twofish_s + 16
    .equ twofish_s3, twofish_s + 24
#else
    PROGRAM_CALL twofish_encrypt, mf_thumb_encrypt, cipher, twofish_memory, twofish_text
    PROGRAM_CALL twofish_decrypt, mf_thumb_decrypt, cipher, twofish_memory, twofish_text
    PROGRAM_CALL twofish_set_key, mf_thumb_set_key, set_key, twofish_memory, twofish_key

    .section .bss.program, "aw", %nobits
    .balign 4
    RAM twofish_text, 16
    RAM twofish_key, 8 * k
    RAM twofish_memory, MEMORY
    RAM twofish_s, 4 * k
#endif
