/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The parts of Twofish for study: each against a slow version of its definition, all of them
 * together as the cipher that they make up, the authors' intermediate values, and bad input.
 * Argument: the folder of the vector files.
 */
#include "rsp.h"
#include "support.h"

#include <manyfish/study/parts.h>
#include <manyfish/study/variant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, ROUNDS = 16, SUBKEYS = 8 + 2 * ROUNDS };

static uint32_t random_word(void)
{
    uint32_t word;
    random_bytes(&word, sizeof word);
    return word;
}

static uint32_t rotl(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static uint32_t load(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* --- Each part against its definition --------------------------------------------------------- */

/* The product of two bytes modulo a polynomial of degree 8. */
static unsigned field_product(unsigned a, unsigned b, unsigned polynomial)
{
    unsigned product = 0;

    for (; b != 0; b >>= 1) {
        product ^= (b & 1) != 0 ? a : 0;
        a <<= 1;
        a ^= (a & 0x100) != 0 ? polynomial : 0;
    }
    return product;
}

/* A matrix with four rows times a column. */
static uint32_t matrix_product(const unsigned char *matrix, size_t columns, unsigned polynomial,
                               uint64_t y)
{
    uint32_t result = 0;

    for (size_t i = 0; i < 4; i++) {
        unsigned row = 0;
        for (size_t j = 0; j < columns; j++) {
            row ^= field_product(matrix[columns * i + j], y >> (8 * j) & 0xFF, polynomial);
        }
        result |= (uint32_t)row << (8 * i);
    }
    return result;
}

/* [Twofish98, 4.2, 4.3] */
static void test_matrices(void)
{
    static const unsigned char MDS[4 * 4] = {0x01, 0xEF, 0x5B, 0x5B, 0x5B, 0xEF, 0xEF, 0x01,
                                             0xEF, 0x5B, 0x01, 0xEF, 0xEF, 0x01, 0xEF, 0x5B};
    static const unsigned char RS[4 * 8] = {0x01, 0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E,
                                            0xA4, 0x56, 0x82, 0xF3, 0x1E, 0xC6, 0x68, 0xE5,
                                            0x02, 0xA1, 0xFC, 0xC1, 0x47, 0xAE, 0x3D, 0x19,
                                            0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E, 0x03};

    test_case("MDS");
    for (unsigned j = 0; j < 4; j++) {
        for (uint32_t x = 0; x < 256; x++) {
            CHECK(mf_twofish_parts_mds(x << 8 * j) == matrix_product(MDS, 4, 0x169, x << 8 * j));
        }
    }
    test_case("RS");
    for (unsigned j = 0; j < 8; j++) {
        for (uint64_t x = 0; x < 256; x++) {
            CHECK(mf_twofish_parts_rs(x << 8 * j) == matrix_product(RS, 8, 0x14D, x << 8 * j));
        }
    }
    test_case("sums of columns");
    for (int i = 0; i < 1000; i++) {
        const uint64_t m = (uint64_t)random_word() << 32 | random_word();
        CHECK(mf_twofish_parts_mds((uint32_t)m) == matrix_product(MDS, 4, 0x169, (uint32_t)m));
        CHECK(mf_twofish_parts_rs(m) == matrix_product(RS, 8, 0x14D, m));
    }
}

/* Entry n of a table of 4 bits, written as digit n. */
static unsigned nibble(const char *digits, unsigned n)
{
    const char digit[2] = {digits[n], '\0'};
    return (unsigned)strtoul(digit, NULL, 16);
}

/* [Twofish98, 4.3.5] */
static unsigned slow_q(unsigned which, unsigned x)
{
    static const char *const t[2][4] = {
        {"817D6F320B59ECA4", "ECB81235F4A6709D", "BA5E6D90C8F32471", "D7F4126E9B3085CA"},
        {"28BDF76E31940AC5", "1E2B4C376DA5F908", "4C75169A0ED82B3F", "B951C3DE647F208A"}};
    unsigned a = x >> 4;
    unsigned b = x & 15;

    for (unsigned half = 0; half < 4; half += 2) {
        const unsigned mixed_a = a ^ b;
        const unsigned mixed_b = a ^ (b >> 1 | (b & 1) << 3) ^ (8 * a & 15);
        a = nibble(t[which][half], mixed_a);
        b = nibble(t[which][half + 1], mixed_b);
    }
    return 16 * b + a;
}

static void test_q(void)
{
    uint8_t q[2][256];

    test_case("q0 and q1");
    CHECK_STATUS(mf_twofish_parts_q(q), MF_OK);
    for (unsigned x = 0; x < 256; x++) {
        CHECK(q[0][x] == slow_q(0, x) && q[1][x] == slow_q(1, x));
    }
    CHECK_STATUS(mf_twofish_parts_q(NULL), MF_ERROR_NULL);
}

/* Which q stands at which level of byte j of h, the outermost first [Twofish98, 4.3.2]. */
static uint8_t slow_box(unsigned j, uint8_t x, const uint32_t *L, unsigned k)
{
    static const unsigned order[5][4] = {
        {1, 0, 1, 0}, {0, 0, 1, 1}, {0, 1, 0, 1}, {1, 1, 0, 0}, {1, 0, 0, 1}};

    for (unsigned level = k; level > 0; level--) {
        x = (uint8_t)(slow_q(order[level][j], x) ^ (L[level - 1] >> (8 * j) & 0xFF));
    }
    return (uint8_t)slow_q(order[0][j], x);
}

static void test_lists(unsigned k)
{
    uint32_t L[4] = {random_word(), random_word(), random_word(), random_word()};
    uint32_t X[33], found[33];
    uint8_t box[4][256];

    test_case("S-boxes and h of %u words", k);
    CHECK_STATUS(mf_twofish_parts_boxes(box, L, k), MF_OK);
    for (unsigned i = 0; i < 4 * 256; i++) {
        CHECK(box[i / 256][i % 256] == slow_box(i / 256, (uint8_t)i, L, k));
    }
    random_bytes(X, sizeof X);
    found[32] = X[32];
    CHECK_STATUS(mf_twofish_parts_h(found, X, 32, L, k), MF_OK);
    for (size_t i = 0; i < 32; i++) {
        uint32_t y = 0;
        for (unsigned j = 0; j < 4; j++) {
            y |= (uint32_t)box[j][X[i] >> (8 * j) & 0xFF] << (8 * j);
        }
        CHECK(found[i] == mf_twofish_parts_mds(y));
    }
    CHECK(found[32] == X[32]);
    CHECK_STATUS(mf_twofish_parts_h(X, X, 32, L, k), MF_OK); /* in place */
    CHECK_BYTES(X, found, sizeof X);
}

/* --- All together ----------------------------------------------------------------------------- */

/* Encrypts a block as the paper says it [Twofish98, 4.1, 4.2], of nothing but the parts. */
static void encrypt(unsigned char *out, const unsigned char *in, const unsigned char *key,
                    size_t key_bytes)
{
    const unsigned k = (unsigned)(key_bytes / 8);
    uint32_t K[SUBKEYS], S[4], R[4];

    CHECK_STATUS(mf_twofish_parts_subkeys(K, 0, SUBKEYS, key, key_bytes), MF_OK);
    CHECK_STATUS(mf_twofish_parts_sbox_key(S, key, key_bytes), MF_OK);
    for (size_t i = 0; i < 4; i++) {
        R[i] = load(in + 4 * i) ^ K[i];
    }
    for (size_t r = 0; r < ROUNDS; r++) {
        const uint32_t before[2] = {R[0], R[1]};
        uint32_t T[2] = {R[0], rotl(R[1], 8)};
        CHECK_STATUS(mf_twofish_parts_h(T, T, 2, S, k), MF_OK);
        R[0] = rotl(R[2] ^ (T[0] + T[1] + K[2 * r + 8]), 31);
        R[1] = rotl(R[3], 1) ^ (T[0] + 2 * T[1] + K[2 * r + 9]);
        R[2] = before[0];
        R[3] = before[1];
    }
    for (size_t i = 0; i < BLOCK; i++) {
        out[i] = (unsigned char)((R[(i / 4 + 2) % 4] ^ K[4 + i / 4]) >> (8 * (i % 4)));
    }
}

static void test_cipher(size_t key_bytes)
{
    unsigned char key[1 + MF_TWOFISH_MAX_KEY_BYTES], text[BLOCK], expected[BLOCK], found[BLOCK];
    mf_twofish twofish;

    test_case("the cipher from its parts, %zu bytes of key", key_bytes);
    for (int i = 0; i < 50; i++) {
        random_bytes(key, sizeof key);
        random_bytes(text, sizeof text);
        CHECK_STATUS(mf_twofish_init(&twofish, key + 1, key_bytes), MF_OK);
        CHECK_STATUS(mf_twofish_encrypt_blocks(&twofish, expected, text, 1), MF_OK);
        encrypt(found, text, key + 1, key_bytes);
        CHECK_BYTES(found, expected, BLOCK);
    }
    mf_twofish_wipe(&twofish);
}

/* All 256 subkeys are those of a variant with the most rounds, and a part of them is a part. */
static void test_subkeys(size_t key_bytes)
{
    static const mf_twofish_variation most = {MF_TWOFISH_VARIANT_MAX_ROUNDS, false, NULL};
    static mf_twofish_variant variant;
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
    uint32_t part[MF_TWOFISH_PARTS_SUBKEYS + 1];

    test_case("256 subkeys and parts of them, %zu bytes of key", key_bytes);
    random_bytes(key, sizeof key);
    CHECK_STATUS(mf_twofish_variant_init(&variant, &most, key, key_bytes), MF_OK);
    for (int i = 0; i < 100; i++) {
        const size_t first = 2 * random_below(MF_TWOFISH_PARTS_SUBKEYS / 2 + 1);
        const size_t n = i == 0 ? 256 - first : 2 * random_below((256 - first) / 2 + 1);
        memset(part, 0xA5, sizeof part);
        CHECK_STATUS(mf_twofish_parts_subkeys(part, first, n, key, key_bytes), MF_OK);
        CHECK_BYTES(part, variant.K + first, n * sizeof part[0]);
        CHECK(all_bytes_are(part + n, sizeof part - n * sizeof part[0], 0xA5));
    }
    mf_twofish_variant_wipe(&variant);
}

/* --- The authors' intermediate values --------------------------------------------------------- */

typedef struct values {
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
    size_t key_bytes;
    uint32_t K[SUBKEYS], S[4], R[4]; /* R of the last round read */
    unsigned n_words;                /* of K and S, compared so far */
} values;

/* Words in hexadecimal, separated by spaces; returns how many there are, at most 4. */
static unsigned read_words(uint32_t words[4], const char *text)
{
    unsigned n = 0;
    char *end;

    for (; n < 4; n++, text = end) {
        words[n] = (uint32_t)strtoul(text, &end, 16);
        if (end == text) {
            break;
        }
    }
    return n;
}

static void take_key(values *v, const char *text)
{
    const char *end;

    v->key_bytes = rsp_hex(v->key, sizeof v->key, text, &end);
    CHECK_STATUS(mf_twofish_parts_subkeys(v->K, 0, SUBKEYS, v->key, v->key_bytes), MF_OK);
    CHECK_STATUS(mf_twofish_parts_sbox_key(v->S, v->key, v->key_bytes), MF_OK);
}

static void check_words(values *v, const uint32_t *found, const uint32_t *expected, unsigned n)
{
    CHECK_BYTES(found, expected, n * sizeof *found);
    v->n_words += n;
}

/* Both g of a round, of the words with which it began. */
static void check_g(values *v, const uint32_t T[2])
{
    uint32_t found[2] = {v->R[0], rotl(v->R[1], 8)};

    CHECK_STATUS(mf_twofish_parts_h(found, found, 2, v->S, (unsigned)(v->key_bytes / 8)), MF_OK);
    check_words(v, found, T, 2);
}

static void check_line(values *v, const char *name, const char *text)
{
    uint32_t words[4] = {0};
    unsigned round = 0;
    const unsigned n = read_words(words, text);

    if (strcmp(name, "KEY") == 0) {
        take_key(v, text);
    } else if (strcmp(name, "S") == 0) {
        CHECK(n == v->key_bytes / 8);
        check_words(v, v->S, words, n);
    } else if (strcmp(name, "INPUT_WHITENING") == 0) {
        check_words(v, v->K, words, n);
    } else if (strcmp(name, "OUTPUT_WHITENING") == 0) {
        check_words(v, v->K + 4, words, n);
    } else if (sscanf(name, "KEYS_%u", &round) == 1 && round < ROUNDS) {
        check_words(v, v->K + 8 + 2 * round, words, n);
    } else if (sscanf(name, "R_%u", &round) == 1) {
        memcpy(v->R, words, sizeof words);
    } else if (sscanf(name, "T_%u", &round) == 1) {
        check_g(v, words);
    }
}

static void test_intermediate_values(const char *folder)
{
    static const char file_name[] = "twofish_ecb_ival.rsp";
    char line[256], name[32], text[128], path[1024];
    static values v;

    test_case("%s", file_name);
    CHECK(snprintf(path, sizeof path, "%s/%s", folder, file_name) < (int)sizeof path);
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        test_skip("no file %s in %s", file_name, folder);
        return;
    }
    while (fgets(line, sizeof line, stream) != NULL) {
        if (sscanf(line, "%31[A-Z0-9_] = %127[0-9A-F ]", name, text) == 2) {
            check_line(&v, name, text);
        }
    }
    (void)fclose(stream);
    /* Three keys, each with 40 subkeys, the words T of 16 rounds, and 2, 3 or 4 words of S. */
    CHECK(v.n_words == 3 * (SUBKEYS + 2 * ROUNDS) + 2 + 3 + 4);
}

/* --- Bad input -------------------------------------------------------------------------------- */

static void test_bad_lists(void)
{
    static union {
        uint8_t box[4][256];
        uint32_t L[256];
    } both;
    const uint32_t L[4] = {1, 2, 3, 4};
    uint32_t words[8] = {0};

    test_case("lists");
    CHECK_STATUS(mf_twofish_parts_boxes(NULL, L, 2), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_boxes(both.box, NULL, 2), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_boxes(both.box, L, 1), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_parts_boxes(both.box, L, 5), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_parts_boxes(both.box, both.L + 255, 2), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_parts_h(words, NULL, 2, L, 2), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_h(NULL, words, 2, L, 2), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_h(words, words, 2, NULL, 2), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_h(words, words, 2, L, 0), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_parts_h(words, words, 2, L, 5), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_parts_h(words + 1, words, 2, L, 2), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_parts_h(words, words, 2, words + 1, 2), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_parts_h(words, words, SIZE_MAX / 4 + 1, L, 2), MF_ERROR_LENGTH);
    CHECK(all_bytes_are(&both, sizeof both, 0) && all_bytes_are(words, sizeof words, 0));
    CHECK_STATUS(mf_twofish_parts_h(NULL, NULL, 0, L, 2), MF_OK);
}

static void test_bad_keys(void)
{
    const unsigned char key[MF_TWOFISH_MAX_KEY_BYTES] = {1};
    uint32_t words[12] = {0};

    test_case("keys");
    CHECK_STATUS(mf_twofish_parts_sbox_key(NULL, key, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_sbox_key(words, NULL, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_sbox_key(words, key, 20), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_parts_sbox_key(words, words + 3, 16), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_parts_subkeys(NULL, 0, 2, key, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_subkeys(words, 0, 2, NULL, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_parts_subkeys(words, 0, 2, key, 0), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_parts_subkeys(words, 1, 2, key, 16), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_twofish_parts_subkeys(words, 0, 1, key, 16), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_twofish_parts_subkeys(words, 250, 8, key, 16), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_twofish_parts_subkeys(words, 258, 0, key, 16), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_twofish_parts_subkeys(words, 2, SIZE_MAX - 1, key, 16), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_twofish_parts_subkeys(words, 0, 4, words + 3, 16), MF_ERROR_OVERLAP);
    CHECK(all_bytes_are(words, sizeof words, 0));
    CHECK_STATUS(mf_twofish_parts_subkeys(NULL, 256, 0, key, 16), MF_OK);
}

int main(int argc, char **argv)
{
    test_q();
    test_matrices();
    for (unsigned k = 2; k <= 4; k++) {
        test_lists(k);
    }
    for (const size_t *n = key_sizes; *n != 0; n++) {
        test_cipher(*n);
        test_subkeys(*n);
    }
    test_intermediate_values(argc > 1 ? argv[1] : "../vectors");
    test_bad_lists();
    test_bad_keys();
    return test_end();
}
