/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CMAC in pieces is CMAC of the whole, by any kernel, by the one that is chosen for any
 * expectation, and under padded keys; SIV with strings of any number comes back, and altered it
 * does not.
 */
#include <manyfish/siv.h>
#include <manyfish/twofish_choice.h>

#include "fuzz.h"

static void cmac(const mf_cipher *cipher, fuzz_input *input)
{
    const size_t step = 1 + fuzz_below(input, 200), bit = fuzz_below(input, 64);
    const size_t tag_bytes = cipher->block_bytes;
    unsigned char tag[16], other_tag[16];
    size_t n_bytes = 0;
    unsigned char *text = fuzz_text(input, &n_bytes);
    mf_cmac whole, pieces;
    REQUIRE_OK(mf_cmac_init(&whole, cipher));
    pieces = whole;
    REQUIRE_OK(mf_cmac_compute(&whole, text, n_bytes, tag, tag_bytes));
    for (size_t i = 0; i < n_bytes; i += step)
        REQUIRE_OK(mf_cmac_update(&pieces, text + i, n_bytes - i < step ? n_bytes - i : step));
    REQUIRE_OK(mf_cmac_finish(&pieces, other_tag, tag_bytes));
    REQUIRE(memcmp(tag, other_tag, tag_bytes) == 0);
    REQUIRE_OK(mf_cmac_verify(&whole, text, n_bytes, tag, tag_bytes));
    tag[bit / 8] ^= (unsigned char)(1 << bit % 8);
    REQUIRE(mf_cmac_verify(&whole, text, n_bytes, tag, tag_bytes) == MF_ERROR_TAG);
    free(text);
}

/* The key under the kernel that is chosen; a short one is padded first. The block is that of
 * another kernel. */
static void chosen(fuzz_input *input)
{
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES + 8], padded[MF_TWOFISH_MAX_KEY_BYTES];
    unsigned char block[16] = {0}, expected[16], found[16];
    const size_t key_bytes = fuzz_below(input, sizeof key + 1);
    mf_twofish_expectation expectation = {0};
    mf_twofish reference, other;
    size_t padded_bytes = 0;
    fuzz_bytes(input, key, sizeof key);
    fuzz_bytes(input, &expectation.n_blocks, sizeof expectation.n_blocks);
    fuzz_bytes(input, &expectation.blocks_per_call, sizeof expectation.blocks_per_call);
    fuzz_bytes(input, &expectation.n_single_blocks, sizeof expectation.n_single_blocks);
    expectation.max_key_bytes = fuzz_below(input, 8192);
    expectation.leaks = (mf_leaks)fuzz_below(input, 3);
    const mf_status status = mf_twofish_pad_key(padded, &padded_bytes, key, key_bytes);
    REQUIRE(status == (key_bytes <= MF_TWOFISH_MAX_KEY_BYTES ? MF_OK : MF_ERROR_KEY_LENGTH));
    if (status != MF_OK)
        return;
    REQUIRE_OK(mf_twofish_init(&reference, padded, padded_bytes));
    const mf_status choice = mf_twofish_init_for(&other, padded, padded_bytes, &expectation);
    REQUIRE(choice == MF_OK || choice == MF_ERROR_POLICY);
    if (choice != MF_OK)
        return;
    REQUIRE_OK(mf_twofish_encrypt_blocks(&reference, expected, block, 1));
    REQUIRE_OK(mf_twofish_encrypt_blocks(&other, found, block, 1));
    REQUIRE(memcmp(found, expected, 16) == 0);
}

static void siv(fuzz_input *input)
{
    fuzz_cipher s2v, ctr;
    mf_siv siv;
    mf_siv_string strings[4];
    unsigned char aad[64], nonce[16], tag[16];
    const size_t n_aad = fuzz_below(input, 5), nonce_bytes = fuzz_below(input, 17);
    const size_t bit = fuzz_below(input, 128);
    size_t n_bytes = 0;
    fuzz_twofish(input, &s2v);
    fuzz_twofish(input, &ctr);
    fuzz_bytes(input, aad, sizeof aad);
    fuzz_bytes(input, nonce, sizeof nonce);
    for (size_t i = 0; i < 4; i++)
        strings[i] = (mf_siv_string){aad + 8 * i, fuzz_below(input, 40)};
    unsigned char *text = fuzz_text(input, &n_bytes), *sealed = fuzz_buffer(n_bytes);
    REQUIRE_OK(mf_siv_init(&siv, &s2v.cipher, &ctr.cipher));
    REQUIRE_OK(
        mf_siv_encrypt(&siv, strings, n_aad, nonce, nonce_bytes, sealed, text, n_bytes, tag));
    unsigned char *found = fuzz_buffer(n_bytes);
    REQUIRE_OK(
        mf_siv_decrypt(&siv, strings, n_aad, nonce, nonce_bytes, found, sealed, n_bytes, tag));
    REQUIRE(memcmp(found, text, n_bytes) == 0);
    tag[bit / 8] ^= (unsigned char)(1 << bit % 8);
    REQUIRE(mf_siv_decrypt(&siv, strings, n_aad, nonce, nonce_bytes, found, sealed, n_bytes, tag) ==
            MF_ERROR_TAG);
    free(text);
    free(sealed);
    free(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    fuzz_input input = {data, n_bytes};
    fuzz_cipher key;
    switch (fuzz_below(&input, 3)) {
    case 0:
        fuzz_any_cipher(&input, &key);
        cmac(&key.cipher, &input);
        break;
    case 1:
        chosen(&input);
        break;
    default:
        siv(&input);
        break;
    }
    return 0;
}
