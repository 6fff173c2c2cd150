/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The variants for study: the model's vectors, the cipher itself as one of them, every number of
 * rounds forwards and back, and bad input. Argument: the folder of the vector files.
 */
#include "rsp.h"
#include "support.h"

#include <manyfish/modes.h>
#include <manyfish/study/variant.h>

#include <string.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, TWOFISH_ROUNDS = 16 };

static mf_twofish_variant variant;

/* --- The model's vectors ---------------------------------------------------------------------- */

static void check_case(const rsp_case *v)
{
    const mf_twofish_variation variation = {
        v->rounds, v->whitening == 0, v->family_key.n_bytes == 0 ? NULL : v->family_key.bytes};
    unsigned char padded[MF_TWOFISH_VARIANT_MAX_KEY_BYTES] = {0}, out[BLOCK];
    const size_t padded_bytes = (v->key.n_bytes + 7) / 8 * 8;

    CHECK(padded_bytes >= 16 && padded_bytes <= sizeof padded);
    memcpy(padded, v->key.bytes, v->key.n_bytes);
    CHECK(v->family_key.present && v->whitening <= 1);
    CHECK(v->pt.n_bytes == BLOCK && v->ct.n_bytes == BLOCK);
    CHECK_STATUS(mf_twofish_variant_init(&variant, &variation, padded, padded_bytes), MF_OK);
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, out, v->pt.bytes, 1), MF_OK);
    CHECK_BYTES(out, v->ct.bytes, BLOCK);
    CHECK_STATUS(mf_twofish_variant_decrypt_blocks(&variant, out, v->ct.bytes, 1), MF_OK);
    CHECK_BYTES(out, v->pt.bytes, BLOCK);
}

static void test_vectors(const char *folder)
{
    static const char name[] = "twofish_variants.rsp";
    static rsp_case v;
    rsp_file file;
    unsigned n_cases = 0;

    if (!rsp_open(&file, folder, name)) {
        test_skip("no file %s in %s", name, folder);
        return;
    }
    while (rsp_next(&file, &v)) {
        test_case("%s, line %u", name, v.line);
        check_case(&v);
        n_cases++;
    }
    test_case("%s, read to its end, line %u", name, file.line);
    CHECK(n_cases > 0 && !file.malformed);
    rsp_close(&file);
}

/* --- Against the cipher, and against itself --------------------------------------------------- */

static void test_twofish_is_one(size_t key_bytes)
{
    const mf_twofish_variation none = {TWOFISH_ROUNDS, false, NULL};
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES], text[9 * BLOCK], expected[sizeof text],
        found[sizeof text];
    mf_twofish twofish;

    test_case("no variation is Twofish, %zu bytes of key", key_bytes);
    for (int i = 0; i < 20; i++) {
        random_bytes(key, sizeof key);
        random_bytes(text, sizeof text);
        CHECK_STATUS(mf_twofish_init(&twofish, key, key_bytes), MF_OK);
        CHECK_STATUS(mf_twofish_encrypt_blocks(&twofish, expected, text, 9), MF_OK);
        CHECK_STATUS(mf_twofish_variant_init(&variant, &none, key, key_bytes), MF_OK);
        CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, found, text, 9), MF_OK);
        CHECK_BYTES(found, expected, sizeof text);
        CHECK_STATUS(mf_twofish_variant_decrypt_blocks(&variant, found, found, 9), MF_OK);
        CHECK_BYTES(found, text, sizeof text);
    }
    mf_twofish_wipe(&twofish);
}

/* Each variation must give another ciphertext than the one before, and a way back. */
static void test_all_rounds(const unsigned char *family_key, bool no_whitening)
{
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES], text[BLOCK], out[BLOCK], before[BLOCK] = {0};

    test_case("all numbers of rounds, %s family key, %s whitening", family_key ? "a" : "no",
              no_whitening ? "no" : "with");
    random_bytes(key, sizeof key);
    random_bytes(text, sizeof text);
    for (unsigned rounds = 1; rounds <= MF_TWOFISH_VARIANT_MAX_ROUNDS; rounds++) {
        const mf_twofish_variation variation = {rounds, no_whitening, family_key};

        CHECK_STATUS(mf_twofish_variant_init(&variant, &variation, key, 24), MF_OK);
        CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, out, text, 1), MF_OK);
        CHECK(memcmp(out, before, BLOCK) != 0);
        memcpy(before, out, BLOCK);
        CHECK_STATUS(mf_twofish_variant_decrypt_blocks(&variant, out, out, 1), MF_OK);
        if (!CHECK_BYTES(out, text, BLOCK)) {
            return;
        }
    }
}

/* --- Bad input -------------------------------------------------------------------------------- */

/* A refused call leaves no key behind. */
static void check_refused(const mf_twofish_variation *variation, const void *key, size_t key_bytes,
                          mf_status expected)
{
    const mf_twofish_variation good = {TWOFISH_ROUNDS, false, NULL};
    const unsigned char some_key[16] = {1};

    CHECK_STATUS(mf_twofish_variant_init(&variant, &good, some_key, sizeof some_key), MF_OK);
    CHECK_STATUS(mf_twofish_variant_init(&variant, variation, key, key_bytes), expected);
    CHECK(all_bytes_are(&variant, sizeof variant, 0));
}

static void test_bad_keys(void)
{
    const unsigned char key[MF_TWOFISH_VARIANT_MAX_KEY_BYTES + 8] = {1, 2, 3};
    const unsigned char family_key[MF_TWOFISH_FAMILY_KEY_BYTES] = {4};
    const mf_twofish_variation good = {TWOFISH_ROUNDS, false, NULL};
    const unsigned bad_rounds[] = {0, MF_TWOFISH_VARIANT_MAX_ROUNDS + 1, 256, (unsigned)-1};
    const mf_twofish_variation in_family = {TWOFISH_ROUNDS, false, family_key};
    const size_t bad_lengths[] = {0, 1, 8, 15, 17, 31, 33, 511, sizeof key};

    test_case("wrong numbers of rounds");
    for (size_t i = 0; i < sizeof bad_rounds / sizeof bad_rounds[0]; i++) {
        const mf_twofish_variation bad = {bad_rounds[i], false, NULL};
        check_refused(&bad, key, 16, MF_ERROR_ROUNDS);
    }
    test_case("wrong lengths of keys");
    for (size_t i = 0; i < sizeof bad_lengths / sizeof bad_lengths[0]; i++) {
        check_refused(&good, key, bad_lengths[i], MF_ERROR_KEY_LENGTH);
    }
    check_refused(&in_family, key, 40, MF_ERROR_KEY_LENGTH);
    test_case("NULL");
    check_refused(NULL, key, 16, MF_ERROR_NULL);
    check_refused(&good, NULL, 16, MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_variant_init(NULL, &good, key, 16), MF_ERROR_NULL);
    mf_twofish_variant_wipe(NULL);
}

static void test_overlapping_keys(void)
{
    static union {
        mf_twofish_variant variant;
        mf_twofish_variation variation;
    } both;
    unsigned char key[16] = {1};
    const void *inside = &variant.box[1][3];
    const mf_twofish_variation good = {TWOFISH_ROUNDS, false, NULL};
    const mf_twofish_variation family_inside = {TWOFISH_ROUNDS, false, inside};

    test_case("keys in the context");
    check_refused(&good, inside, 16, MF_ERROR_OVERLAP);
    check_refused(&family_inside, key, 16, MF_ERROR_OVERLAP);
    test_case("the variation in the context");
    both.variation = good;
    CHECK_STATUS(mf_twofish_variant_init(&both.variant, &both.variation, key, 16),
                 MF_ERROR_OVERLAP);
    CHECK(all_bytes_are(&both, sizeof both, 0));
}

/* A key for fewer rounds has fewer subkeys. */
static void test_shorter_key(void)
{
    const mf_twofish_variation most = {MF_TWOFISH_VARIANT_MAX_ROUNDS, false, NULL};
    const mf_twofish_variation least = {1, false, NULL};
    const unsigned char key[16] = {1};

    test_case("of an earlier key with more rounds nothing is left");
    CHECK_STATUS(mf_twofish_variant_init(&variant, &most, key, sizeof key), MF_OK);
    CHECK_STATUS(mf_twofish_variant_init(&variant, &least, key, sizeof key), MF_OK);
    CHECK(all_bytes_are(&variant.K[8 + 2], sizeof variant.K - (8 + 2) * sizeof variant.K[0], 0));
}

/* Any address of key, family key and text; in place too. */
static void test_alignment(void)
{
    unsigned char key[1 + 32], family_key[1 + MF_TWOFISH_FAMILY_KEY_BYTES];
    unsigned char text[3 * BLOCK], expected[sizeof text], odd[1 + sizeof text];
    const mf_twofish_variation even = {5, false, family_key};
    const mf_twofish_variation uneven = {5, false, family_key + 1};

    test_case("odd addresses");
    random_bytes(key, sizeof key);
    random_bytes(family_key, sizeof family_key);
    random_bytes(text, sizeof text);
    CHECK_STATUS(mf_twofish_variant_init(&variant, &uneven, key + 1, 32), MF_OK);
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, odd + 1, text, 3), MF_OK);
    memmove(key, key + 1, 32);
    memmove(family_key, family_key + 1, MF_TWOFISH_FAMILY_KEY_BYTES);
    CHECK_STATUS(mf_twofish_variant_init(&variant, &even, key, 32), MF_OK);
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, expected, text, 3), MF_OK);
    CHECK_BYTES(odd + 1, expected, sizeof expected);
    CHECK_STATUS(mf_twofish_variant_decrypt_blocks(&variant, odd + 1, odd + 1, 3), MF_OK);
    CHECK_BYTES(odd + 1, text, sizeof text);
}

/* In a chain, where each block depends on the one before. */
static void test_modes(void)
{
    const mf_twofish_variation variation = {124, false, NULL};
    unsigned char key[MF_TWOFISH_VARIANT_MAX_KEY_BYTES], text[3 * BLOCK], out[sizeof text],
        expected[sizeof text], iv[BLOCK] = {0};

    test_case("a mode takes a variant");
    random_bytes(key, sizeof key);
    random_bytes(text, sizeof text);
    CHECK_STATUS(mf_twofish_variant_init(&variant, &variation, key, sizeof key), MF_OK);
    const mf_cipher cipher = mf_twofish_variant_cipher(&variant);
    CHECK_STATUS(mf_cbc_encrypt(&cipher, iv, out, text, sizeof text), MF_OK);
    memcpy(expected, text, sizeof text);
    for (size_t i = 0; i < sizeof text; i++) {
        expected[i] ^= i < BLOCK ? 0 : expected[i - BLOCK];
        if (i % BLOCK == BLOCK - 1) {
            unsigned char *block = expected + i + 1 - BLOCK;
            CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, block, block, 1), MF_OK);
        }
    }
    CHECK_BYTES(out, expected, sizeof out);
    memset(iv, 0, sizeof iv);
    CHECK_STATUS(mf_cbc_decrypt(&cipher, iv, out, out, sizeof text), MF_OK);
    CHECK_BYTES(out, text, sizeof out);
    mf_twofish_variant_wipe(&variant);
    CHECK_STATUS(mf_cbc_encrypt(&cipher, iv, out, text, sizeof text), MF_ERROR_NO_KEY);
}

static void test_bad_blocks(void)
{
    const mf_twofish_variation good = {3, false, NULL};
    const unsigned char key[16] = {1};
    unsigned char data[4 * BLOCK] = {5, 6};
    unsigned char before[sizeof data];

    memcpy(before, data, sizeof data);
    CHECK_STATUS(mf_twofish_variant_init(&variant, &good, key, sizeof key), MF_OK);
    test_case("blocks that overlap, overflow or are missing");
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, data + 1, data, 2), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_variant_decrypt_blocks(&variant, data, data + BLOCK, 2),
                 MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, data, data, SIZE_MAX / BLOCK + 1),
                 MF_ERROR_LENGTH);
    CHECK_STATUS(mf_twofish_variant_decrypt_blocks(&variant, NULL, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, data, NULL, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(NULL, data, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, NULL, NULL, 0), MF_OK);
    test_case("no key");
    mf_twofish_variant_wipe(&variant);
    CHECK_STATUS(mf_twofish_variant_encrypt_blocks(&variant, data, data, 1), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_twofish_variant_decrypt_blocks(&variant, data, data, 1), MF_ERROR_NO_KEY);
    CHECK_BYTES(data, before, sizeof data);
}

int main(int argc, char **argv)
{
    const unsigned char family_key[MF_TWOFISH_FAMILY_KEY_BYTES] = {9, 8, 7};

    test_vectors(argc > 1 ? argv[1] : "../vectors");
    for (const size_t *n = key_sizes; *n != 0; n++) {
        test_twofish_is_one(*n);
    }
    test_all_rounds(NULL, false);
    test_all_rounds(NULL, true);
    test_all_rounds(family_key, false);
    test_bad_keys();
    test_overlapping_keys();
    test_shorter_key();
    test_alignment();
    test_modes();
    test_bad_blocks();
    mf_twofish_variant_wipe(&variant);
    return test_end();
}
