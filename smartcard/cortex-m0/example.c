/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The Thumb kernel in a program: a key is set, a block is encrypted and decrypted again. The tests
 * compile it with each choice of options.h and run it; they write the key and the text, and read
 * the results.
 */
#include "twofish_thumb.h"

#include <string.h>

uint32_t example_key[MF_THUMB_KEY_WORDS];
uint32_t example_text[4];
uint32_t example_encrypted[4];
uint32_t example_decrypted[4];

static mf_thumb_key expanded;

void example(void);

#if KEEPS_FLY

void example(void)
{
    memcpy(expanded.key, example_key, sizeof example_key);
    mf_thumb_set_key(&expanded);

    memcpy(expanded.text, example_text, sizeof example_text);
    mf_thumb_encrypt(&expanded);
    memcpy(example_encrypted, expanded.text, sizeof example_text);

    mf_thumb_decrypt(&expanded);
    memcpy(example_decrypted, expanded.text, sizeof example_text);
}

#else

void example(void)
{
    mf_thumb_set_key(&expanded, example_key);

    memcpy(example_encrypted, example_text, sizeof example_text);
    mf_thumb_encrypt(&expanded, example_encrypted);

    memcpy(example_decrypted, example_encrypted, sizeof example_text);
    mf_thumb_decrypt(&expanded, example_decrypted);
}

#endif
