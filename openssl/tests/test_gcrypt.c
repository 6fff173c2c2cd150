/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The provider against libgcrypt, on random keys, IVs, associated data and texts of random lengths.
 * libgcrypt has no Twofish with 192-bit keys, and neither CFB1.
 *
 * Usage: test_gcrypt MODULES
 */
#include "evp.h"

#include <openssl/err.h>

#include <gcrypt.h>

#include <stdio.h>
#include <string.h>

enum { N_ROUNDS = 60, MAX_BYTES = 5000 };

typedef struct pair {
    const char *mode; /* of ours */
    int gcrypt_mode;
    size_t n_keys;
    size_t min_iv_bytes, max_iv_bytes;
    size_t unit;      /* the text is a multiple of it */
    size_t min_bytes; /* of the text */
    size_t tag_bytes;
} pair;

static const pair pairs[] = {
    {"ECB", GCRY_CIPHER_MODE_ECB, 1, 0, 0, 16, 0, 0},
    {"CBC", GCRY_CIPHER_MODE_CBC, 1, 16, 16, 16, 0, 0},
    {"CTR", GCRY_CIPHER_MODE_CTR, 1, 16, 16, 1, 0, 0},
    {"CFB", GCRY_CIPHER_MODE_CFB, 1, 16, 16, 1, 0, 0},
    {"CFB8", GCRY_CIPHER_MODE_CFB8, 1, 16, 16, 1, 0, 0},
    {"OFB", GCRY_CIPHER_MODE_OFB, 1, 16, 16, 1, 0, 0},
    {"XTS", GCRY_CIPHER_MODE_XTS, 2, 16, 16, 1, 16, 0},
    {"OCB", GCRY_CIPHER_MODE_OCB, 1, 8, 15, 1, 0, 16},
    {"GCM", GCRY_CIPHER_MODE_GCM, 1, 1, 64, 1, 0, 16},
    {"CCM", GCRY_CIPHER_MODE_CCM, 1, 7, 13, 1, 0, 16},
    {"SIV", GCRY_CIPHER_MODE_SIV, 2, 0, 0, 1, 1, 16},
};

static unsigned char key[64], iv[64], aad[300], text[MAX_BYTES], theirs[MAX_BYTES];
static unsigned char ours[MAX_BYTES + EVP_MAX_BLOCK_LENGTH];

/* libgcrypt wants the lengths before the data of CCM. */
static gcry_error_t their_lengths(gcry_cipher_hd_t h, const message *m)
{
    const uint64_t lengths[] = {m->text.n_bytes, m->aad[0].n_bytes, m->tag_bytes};

    return gcry_cipher_ctl(h, GCRYCTL_SET_CCM_LENGTHS, (void *)(uintptr_t)lengths, sizeof lengths);
}

static gcry_error_t their_iv(gcry_cipher_hd_t h, const pair *p, const message *m)
{
    if (m->iv.n_bytes == 0) {
        return 0;
    }
    return p->gcrypt_mode == GCRY_CIPHER_MODE_CTR ? gcry_cipher_setctr(h, iv, m->iv.n_bytes)
                                                  : gcry_cipher_setiv(h, iv, m->iv.n_bytes);
}

static gcry_error_t encrypt_by_them(const pair *p, const message *m, unsigned char *tag)
{
    const int of_16 = m->key.n_bytes / p->n_keys == 16;
    gcry_cipher_hd_t h = NULL;

    gcry_error_t error = gcry_cipher_open(&h, of_16 ? GCRY_CIPHER_TWOFISH128 : GCRY_CIPHER_TWOFISH,
                                          p->gcrypt_mode, 0);
    error = error ? error : gcry_cipher_setkey(h, key, m->key.n_bytes);
    error = error ? error : their_iv(h, p, m);
    if (p->gcrypt_mode == GCRY_CIPHER_MODE_CCM) {
        error = error ? error : their_lengths(h, m);
    }
    if (m->n_aad != 0) {
        error = error ? error : gcry_cipher_authenticate(h, aad, m->aad[0].n_bytes);
    }
    error = error ? error : gcry_cipher_final(h);
    error = error ? error : gcry_cipher_encrypt(h, theirs, m->text.n_bytes, text, m->text.n_bytes);
    if (p->tag_bytes != 0) {
        error = error ? error : gcry_cipher_gettag(h, tag, m->tag_bytes);
    }
    gcry_cipher_close(h);
    return error;
}

static message random_message(const pair *p, const char *algorithm, size_t key_bytes)
{
    const size_t most = random_below(2) == 0 ? 100 : MAX_BYTES;
    const size_t n = (p->min_bytes + random_below(most - p->min_bytes)) / p->unit * p->unit;
    const size_t n_iv = p->min_iv_bytes + random_below(p->max_iv_bytes - p->min_iv_bytes + 1);
    const size_t n_aad = p->tag_bytes == 0 ? 0 : random_below(sizeof aad);
    const message m = {.algorithm = algorithm,
                       .key = {key, key_bytes},
                       .iv = {iv, n_iv},
                       .text = {text, n},
                       .aad = {{aad, n_aad}},
                       .n_aad = n_aad != 0,
                       .encrypt = true,
                       .no_padding = true,
                       .tag_bytes = p->tag_bytes};

    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    random_bytes(aad, sizeof aad);
    random_bytes(text, sizeof text);
    return m;
}

static void check_once(const pair *p, const char *algorithm, size_t key_bytes)
{
    const way w = {.in_pieces = random_below(2) == 0, .duplicated = random_below(4) == 0};
    message m = random_message(p, algorithm, key_bytes);
    unsigned char tag[TAG_BYTES] = {0};
    size_t n = 0;

    test_case("%s, %zu bytes, IV %zu, associated data %zu", algorithm, m.text.n_bytes, m.iv.n_bytes,
              m.aad[0].n_bytes);
    if (!CHECK(run(&m, &w, ours, &n)) || !CHECK(n == m.text.n_bytes) ||
        !CHECK(encrypt_by_them(p, &m, tag) == 0)) {
        return;
    }
    (void)CHECK_BYTES(ours, theirs, n);
    (void)CHECK_BYTES(m.tag, tag, p->tag_bytes);
    m.encrypt = false;
    m.text.bytes = theirs;
    (void)(CHECK(run(&m, &w, ours, &n)) && CHECK_BYTES(ours, text, n));
}

static void check_pair(const pair *p)
{
    char algorithm[32];

    for (size_t bits = 128; bits <= 256; bits += 128) {
        (void)snprintf(algorithm, sizeof algorithm, "TWOFISH-%zu-%s", bits, p->mode);
        for (int i = 0; i < N_ROUNDS; i++) {
            check_once(p, algorithm, p->n_keys * bits / 8);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || !load_provider(NULL, argv[1])) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    printf("libgcrypt %s\n", gcry_check_version(NULL));
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        check_pair(&pairs[i]);
    }
    return test_end();
}
