/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish for programs in C on a Cortex-M0, M0+ or any larger Cortex-M: one block at a time, in
 * Thumb assembly. One block is no mode of operation: it neither hides that blocks repeat nor tells
 * that they were changed.
 *
 * options.h says what can be chosen. Compile with these choices, for example for stored subkeys
 *
 *     arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -DKEEPS_SUBKEYS=1 -DKEY_BITS=128 -Ic/src ...
 *
 * subkeys.S, set_key.S and c/src/twofish/tables/tables.c, of which -fdata-sections and
 * -Wl,--gc-sections leave what is used: q0 and q1, and the MDS tables if chosen.
 *
 * Keys and texts are their bytes in their order, at addresses that 4 divides: that is why they are
 * words here. The functions cannot fail, allocate nothing, have no static memory, and may be
 * interrupted by each other on different keys and texts. There is no branch on key or text.
 * Look-ups of tables are addressed by them, except KEEPS_CONSTANT_TIME: that shows where there is
 * a cache, or memory whose time depends on the address, which these cores do not have by
 * themselves. Stack and registers below those of the functions may hold secrets afterwards.
 */
#ifndef MANYFISH_SMARTCARD_CORTEX_M0_TWOFISH_THUMB_H
#define MANYFISH_SMARTCARD_CORTEX_M0_TWOFISH_THUMB_H

#include <stdint.h>

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MF_THUMB_KEY_WORDS = KEY_BITS / 32, MF_THUMB_S_WORDS = KEY_BITS / 64 };

#if KEEPS_FLY

/* The functions work on the text in here. No subkey is stored [Twofish98, 4.3]. */
typedef struct mf_thumb_key {
    uint32_t key[MF_THUMB_KEY_WORDS];
    uint32_t S[MF_THUMB_S_WORDS];
    uint32_t text[4];
} mf_thumb_key;

/* Makes S of the key, which the caller has put there [Twofish98, 4.3]. 28 bytes of stack. */
void mf_thumb_set_key(mf_thumb_key *t);

/* Replaces the text by its encryption, or decryption [Twofish98, 4]. 28 bytes of stack, 32 without
 * MDS_TABLES. */
void mf_thumb_encrypt(mf_thumb_key *t);
void mf_thumb_decrypt(mf_thumb_key *t);

#else

/* The stored part of a key; mf_thumb_set_key writes all of it. */
typedef struct mf_thumb_key {
    uint32_t K[40];
#if KEEPS_SUBKEYS || KEEPS_CONSTANT_TIME
    uint32_t S[MF_THUMB_S_WORDS];
#elif KEEPS_SBOXES
    uint8_t s_box[4][256]; /* with MDS_TABLES without the last q */
#else
    uint32_t mds_s_box[4][256];
#endif
} mf_thumb_key;

/* Expands a key [Twofish98, 4.3], which may not overlap with *t. At most 60 bytes of stack. */
void mf_thumb_set_key(mf_thumb_key *t, const uint32_t key[MF_THUMB_KEY_WORDS]);

/* Replaces 16 bytes by their encryption, or decryption [Twofish98, 4]. 44 bytes of stack, with
 * KEEPS_CONSTANT_TIME 60. */
void mf_thumb_encrypt(const mf_thumb_key *t, uint32_t text[4]);
void mf_thumb_decrypt(const mf_thumb_key *t, uint32_t text[4]);

#endif

#ifdef __cplusplus
}
#endif

#endif
