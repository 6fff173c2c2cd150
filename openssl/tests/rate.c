/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Measures what is left of the C library's rate when it is called through EVP: CTR, OCB and CBC
 * decryption with buffers of 1 to 64 KB, both in alternation, the least time of many.
 *
 * Usage: rate MODULES
 */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#endif

#include "evp.h"

#include <manyfish/aead.h>
#include <manyfish/twofish.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MAX_BYTES = 65536, N_RUNS = 400 };

static unsigned char buffer[MAX_BYTES + EVP_MAX_BLOCK_LENGTH], tag[16];
static const unsigned char key[32] = {1};
static EVP_CIPHER_CTX *ctx;
static mf_twofish twofish;
static mf_ctr ctr;
static mf_ocb ocb;
static unsigned char chain[16];

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool evp_update(size_t n)
{
    return update(ctx, buffer, buffer, n) == 1;
}

static bool evp_message(size_t n)
{
    return EVP_EncryptInit_ex2(ctx, NULL, NULL, chain, NULL) == 1 &&
           update(ctx, buffer, buffer, n) == 1 && final(ctx, NULL) == 1 &&
           get_tag(ctx, tag, 16) == 1;
}

static bool c_ctr(size_t n)
{
    return mf_ctr_crypt(&ctr, buffer, buffer, n) == MF_OK;
}

static bool c_cbc(size_t n)
{
    const mf_cipher cipher = mf_twofish_cipher(&twofish);

    return mf_cbc_decrypt(&cipher, chain, buffer, buffer, n) == MF_OK;
}

static bool c_ocb(size_t n)
{
    return mf_ocb_encrypt(&ocb, chain, 12, NULL, 0, buffer, buffer, n, tag) == MF_OK;
}

static double least(double best, bool (*call)(size_t n), size_t n)
{
    const double start = now();

    if (!call(n)) {
        printf("failed\n");
    }
    const double took = now() - start;
    return took < best ? took : best;
}

static void compare(const char *algorithm, bool encrypt, bool (*by_evp)(size_t n),
                    bool (*by_c)(size_t n))
{
    for (size_t n = 1024; n <= MAX_BYTES; n *= 4) {
        double evp = 1, c = 1;

        ctx = begin(algorithm, encrypt, key, chain);
        (void)EVP_CIPHER_CTX_set_padding(ctx, 0);
        for (int i = 0; i < N_RUNS; i++) {
            evp = least(evp, by_evp, n);
            c = least(c, by_c, n);
        }
        printf("%s, %5zu bytes: C %7.1f MB/s, EVP %7.1f MB/s, %5.1f %%\n", algorithm, n,
               1e-6 * (double)n / c, 1e-6 * (double)n / evp, 100 * c / evp);
        EVP_CIPHER_CTX_free(ctx);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || !load_provider(NULL, argv[1]) ||
        mf_twofish_init(&twofish, key, sizeof key) != MF_OK) {
        return 1;
    }
    const mf_cipher cipher = mf_twofish_cipher(&twofish);
    if (mf_ctr_init(&ctr, &cipher, chain, 128) != MF_OK || mf_ocb_init(&ocb, &cipher) != MF_OK) {
        return 1;
    }
    compare("TWOFISH-256-CTR", true, evp_update, c_ctr);
    compare("TWOFISH-256-OCB", true, evp_message, c_ocb);
    compare("TWOFISH-256-CBC", false, evp_update, c_cbc);
    mf_ocb_wipe(&ocb);
    mf_ctr_wipe(&ctr);
    mf_twofish_wipe(&twofish);
    return 0;
}
