/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Masked Twofish for programs in C on a Cortex-M0, M0+ or any larger Cortex-M, for devices that an
 * attacker can hold and measure. It protects to the first order: ../masked.md says what that means,
 * and what it does not cover.
 *
 * Keys and texts come in two shares: share 0 with all its words, then share 1. Each is random by
 * itself, and their xor is the key or the text, in their bytes' order. Make them as far from the
 * attacker as you can, with new random words each time. You supply mf_thumb_random.
 *
 * Compile with -DKEEPS_MASKED=1, -DMDS_TABLES=0 and -DKEY_BITS=... masked.S, masked_masks.S,
 * masked_set_key.S and c/src/twofish/tables/tables.c, of which -fdata-sections and
 * -Wl,--gc-sections leave q0 and q1. The functions cannot fail, have no static memory, and may be
 * interrupted by each other on different keys and texts. They take the same time whatever key and
 * text are, as long as mf_thumb_random does. Registers and memory hold masked values afterwards.
 */
#ifndef MANYFISH_SMARTCARD_CORTEX_M0_MASKED_THUMB_H
#define MANYFISH_SMARTCARD_CORTEX_M0_MASKED_THUMB_H

#include <stdint.h>

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MF_THUMB_MASKED_KEY_WORDS = 2 * KEY_BITS / 32,
    MF_THUMB_MASKED_TEXT_WORDS = 8,
    MF_THUMB_MASKED_WORDS = 197 + KEY_BITS / 32
};

/* Subkeys, S and masks of a key, tables and working memory of its blocks. */
typedef struct mf_thumb_masked_key {
    uint32_t word[MF_THUMB_MASKED_WORDS];
} mf_thumb_masked_key;

/*
 * Yours: a word that is uniform, independent of all others and unknown to the attacker. Each
 * function below calls it 8 times. The masks are worth no more than these words.
 */
uint32_t mf_thumb_random(void);

/*
 * Expands a key [Twofish98, 4.3], which may not overlap with *t. At most 60 bytes of stack, and
 * what mf_thumb_random takes.
 */
void mf_thumb_masked_set_key(mf_thumb_masked_key *t,
                             const uint32_t shares[MF_THUMB_MASKED_KEY_WORDS]);

/*
 * Replaces both shares of a text by those of its encryption, or decryption [Twofish98, 4]. They
 * change *t: new masks for each block. 44 bytes of stack.
 */
void mf_thumb_masked_encrypt(mf_thumb_masked_key *t, uint32_t shares[MF_THUMB_MASKED_TEXT_WORDS]);
void mf_thumb_masked_decrypt(mf_thumb_masked_key *t, uint32_t shares[MF_THUMB_MASKED_TEXT_WORDS]);

#ifdef __cplusplus
}
#endif

#endif
