/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * ECB, CBC, CFB of each segment, OFB and CTR: a text in pieces is the same as a whole and comes
 * back; CBC with padding comes back, and takes any ciphertext without harm.
 */
#include <manyfish/modes.h>

#include "fuzz.h"

typedef enum block_mode { ECB, CBC, CFB1, CFB8, CFB_BLOCK, OFB, CTR, MODES } block_mode;

enum { CFB1_BYTES = 32 }; /* each takes eight blocks */

/* The state that a mode carries from piece to piece. */
typedef struct chain {
    const mf_cipher *cipher;
    unsigned char iv[16];
    mf_cfb cfb;
    mf_ofb ofb;
    mf_ctr ctr;
} chain;

static void start(chain *c, block_mode mode, const mf_cipher *cipher, const unsigned char *iv)
{
    const unsigned block_bits = (unsigned)cipher->block_bytes * 8;
    const unsigned segment = mode == CFB1 ? 1 : mode == CFB8 ? 8 : block_bits;
    c->cipher = cipher;
    memcpy(c->iv, iv, sizeof c->iv);
    REQUIRE_OK(mf_cfb_init(&c->cfb, cipher, iv, segment));
    REQUIRE_OK(mf_ofb_init(&c->ofb, cipher, iv));
    REQUIRE_OK(mf_ctr_init(&c->ctr, cipher, iv, block_bits));
}

static mf_status crypt(chain *c, block_mode mode, bool decrypt, void *out, const void *in,
                       size_t n_bytes)
{
    switch (mode) {
    case ECB:
        return (decrypt ? mf_ecb_decrypt : mf_ecb_encrypt)(c->cipher, out, in, n_bytes);
    case CBC:
        return (decrypt ? mf_cbc_decrypt : mf_cbc_encrypt)(c->cipher, c->iv, out, in, n_bytes);
    case OFB:
        return mf_ofb_crypt(&c->ofb, out, in, n_bytes);
    case CTR:
        return mf_ctr_crypt(&c->ctr, out, in, n_bytes);
    default:
        return (decrypt ? mf_cfb_decrypt : mf_cfb_encrypt)(&c->cfb, out, in, n_bytes);
    }
}

static void in_pieces(chain *c, block_mode mode, bool decrypt, unsigned char *text, size_t n_bytes,
                      size_t step)
{
    for (size_t i = 0; i < n_bytes; i += step)
        REQUIRE_OK(
            crypt(c, mode, decrypt, text + i, text + i, n_bytes - i < step ? n_bytes - i : step));
}

static void compare(fuzz_input *input, block_mode mode, const mf_cipher *cipher,
                    const unsigned char *iv)
{
    const size_t unit = mode == ECB || mode == CBC ? cipher->block_bytes : 1;
    const size_t step = unit * (1 + fuzz_below(input, 40));
    size_t n_bytes = 0;
    chain c;
    unsigned char *text = fuzz_text(input, &n_bytes);
    unsigned char *whole = fuzz_buffer(n_bytes), *pieces = fuzz_buffer(n_bytes);
    if (mode == CFB1 && n_bytes > CFB1_BYTES)
        n_bytes = CFB1_BYTES;
    if (n_bytes % unit != 0) {
        start(&c, mode, cipher, iv);
        REQUIRE(crypt(&c, mode, false, whole, text, n_bytes) == MF_ERROR_LENGTH);
        n_bytes -= n_bytes % unit;
    }
    memcpy(pieces, text, n_bytes);
    start(&c, mode, cipher, iv);
    REQUIRE_OK(crypt(&c, mode, false, whole, text, n_bytes));
    start(&c, mode, cipher, iv);
    in_pieces(&c, mode, false, pieces, n_bytes, step);
    REQUIRE(memcmp(pieces, whole, n_bytes) == 0);
    start(&c, mode, cipher, iv);
    in_pieces(&c, mode, true, pieces, n_bytes, step);
    REQUIRE(memcmp(pieces, text, n_bytes) == 0);
    free(text);
    free(whole);
    free(pieces);
}

typedef mf_status padded_crypt(const mf_cipher *, void *, void *, size_t, size_t *, const void *,
                               size_t);

static void padding(fuzz_input *input, const mf_cipher *cipher, const unsigned char *first_iv,
                    padded_crypt *encrypt, padded_crypt *decrypt)
{
    const size_t block = cipher->block_bytes;
    size_t n_bytes = 0, n_out = 0;
    unsigned char iv[16];
    unsigned char *text = fuzz_text(input, &n_bytes);
    const size_t padded = (n_bytes / block + 1) * block;
    unsigned char *sealed = fuzz_buffer(padded), *found = fuzz_buffer(padded);
    memcpy(iv, first_iv, sizeof iv);
    REQUIRE_OK(encrypt(cipher, iv, sealed, padded, &n_out, text, n_bytes));
    REQUIRE(n_out == padded);
    memcpy(iv, first_iv, sizeof iv);
    REQUIRE_OK(decrypt(cipher, iv, found, padded, &n_out, sealed, padded));
    REQUIRE(n_out == n_bytes && memcmp(found, text, n_bytes) == 0);

    /* The text as a ciphertext. */
    const mf_status status = decrypt(cipher, iv, found, padded, &n_out, text, n_bytes);
    const bool whole_blocks = n_bytes > 0 && n_bytes % block == 0;
    REQUIRE(whole_blocks ? status == MF_OK || status == MF_ERROR_PADDING
                         : status == MF_ERROR_LENGTH);
    REQUIRE(status == MF_OK ? n_out < n_bytes && n_out + block >= n_bytes : n_out == 0);
    free(text);
    free(sealed);
    free(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    fuzz_input input = {data, n_bytes};
    fuzz_cipher key;
    unsigned char iv[16];
    const size_t mode = fuzz_below(&input, MODES + 2);
    fuzz_any_cipher(&input, &key);
    fuzz_bytes(&input, iv, sizeof iv);
    if (mode == MODES)
        padding(&input, &key.cipher, iv, mf_cbc_encrypt_padded, mf_cbc_decrypt_padded);
    else if (mode == MODES + 1)
        padding(&input, &key.cipher, iv, mf_cbc_encrypt_iso_padded, mf_cbc_decrypt_iso_padded);
    else
        compare(&input, (block_mode)mode, &key.cipher, iv);
    return 0;
}
