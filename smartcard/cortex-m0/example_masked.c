/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program that encrypts a block and gets it back: the smallest use of masked_thumb.h. */
#include <string.h>

#include "masked_thumb.h"

static mf_thumb_masked_key expanded;

uint32_t example_key[MF_THUMB_MASKED_KEY_WORDS];
uint32_t example_text[MF_THUMB_MASKED_TEXT_WORDS];
uint32_t example_encrypted[MF_THUMB_MASKED_TEXT_WORDS];
uint32_t example_decrypted[MF_THUMB_MASKED_TEXT_WORDS];

void example(void);

/* Words of both shares; those of a chip come from where they are made. */
static void copy(uint32_t *to, const uint32_t *from)
{
    memcpy(to, from, MF_THUMB_MASKED_TEXT_WORDS * sizeof *to);
}

void example(void)
{
    mf_thumb_masked_set_key(&expanded, example_key);

    copy(example_encrypted, example_text);
    mf_thumb_masked_encrypt(&expanded, example_encrypted);

    copy(example_decrypted, example_encrypted);
    mf_thumb_masked_decrypt(&expanded, example_decrypted);
}
