/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The three calls of a card over those of twofish_thumb.h, and its RAM. MEMORY is what lies before
 * twofish_s; a kernel that keeps no S has the end of its S-boxes under that name.
 */
#include "thumb.inc"

    .macro CARD_CALL name, callee, part, second
FUNCTION \name, \part
    ldr r0, =twofish_memory
    ldr r1, =\second
    ldr r2, =\callee
    bx r2
    .ltorg
    .endm

    CARD_CALL twofish_encrypt, mf_thumb_encrypt, cipher, twofish_text
    CARD_CALL twofish_decrypt, mf_thumb_decrypt, cipher, twofish_text
    CARD_CALL twofish_set_key, mf_thumb_set_key, set_key, twofish_key

    .macro RAM name, bytes
    .global \name
    .type \name, %object
\name:
    .space \bytes
    .endm

    .section .bss.card, "aw", %nobits
    .balign 4
    RAM twofish_text, 16
    RAM twofish_key, 8 * k
    RAM twofish_memory, MEMORY
    RAM twofish_s, 4 * k
