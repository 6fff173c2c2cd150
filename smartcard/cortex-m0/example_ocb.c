/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A mode of the C library over the Thumb kernel: OCB on a message in place. The tests compile it
 * and run it; they write the key and the text, and read what comes out.
 */
#include "twofish_thumb.h"

#include <manyfish/ocb.h>

#include <string.h>

uint32_t example_key[MF_THUMB_KEY_WORDS];
unsigned char example_nonce[12];
unsigned char example_text[40];
unsigned char example_tag[MF_OCB_TAG_BYTES];
mf_status example_status;

static mf_thumb_key expanded;
static mf_ocb ocb;

void example_seal(void);
void example_open(void);

static bool has_key(const void *key)
{
    return key != NULL;
}

/* The mode gives bytes anywhere, the kernel wants words. */
static void encrypt_blocks(const void *key, unsigned char *out, const unsigned char *in, size_t n)
{
    uint32_t text[4];

    for (; n > 0; n--, in += sizeof text, out += sizeof text) {
        memcpy(text, in, sizeof text);
        mf_thumb_encrypt(key, text);
        memcpy(out, text, sizeof text);
    }
}

static void decrypt_blocks(const void *key, unsigned char *out, const unsigned char *in, size_t n)
{
    uint32_t text[4];

    for (; n > 0; n--, in += sizeof text, out += sizeof text) {
        memcpy(text, in, sizeof text);
        mf_thumb_decrypt(key, text);
        memcpy(out, text, sizeof text);
    }
}

static mf_status begin(void)
{
    const mf_cipher cipher = {16, &expanded, has_key, encrypt_blocks, decrypt_blocks};

    mf_thumb_set_key(&expanded, example_key);
    return mf_ocb_init(&ocb, &cipher);
}

void example_seal(void)
{
    example_status = begin();
    if (example_status == MF_OK) {
        example_status =
            mf_ocb_encrypt(&ocb, example_nonce, sizeof example_nonce, NULL, 0, example_text,
                           example_text, sizeof example_text, example_tag);
    }
}

void example_open(void)
{
    example_status = begin();
    if (example_status == MF_OK) {
        example_status =
            mf_ocb_decrypt(&ocb, example_nonce, sizeof example_nonce, NULL, 0, example_text,
                           example_text, sizeof example_text, example_tag);
    }
}
