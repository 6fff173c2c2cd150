/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many threads at once: all make the first use of the library, in which it asks the CPU and reads
 * the environment, and all read the same contexts. Each must find what one thread alone finds.
 * Built with the thread sanitizer (scripts/test-c, part tsan) it also shows that no two of them
 * touch the same memory unordered.
 */
#include "meet.h"
#include "test.h"

#include <manyfish/aead.h>
#include <manyfish/twofish.h>

#include <pthread.h>
#include <string.h>

enum { N_THREADS = 16, N_BLOCKS = 150, DATA = N_BLOCKS * MF_TWOFISH_BLOCK_BYTES, TAG = 16 };

static const unsigned char key[32] = {1, 2, 3};
static const unsigned char text[DATA] = {4, 5, 6};

/* The findings of a thread; checks are made by one thread only, for they count. */
typedef struct finding {
    mf_status status;
    const char *kernel; /* the default one */
    unsigned char sealed[DATA], tag[TAG], mac[TAG], encrypted[DATA], sectors[DATA];
} finding;

static finding alone, found[N_THREADS];

/* Contexts that all threads read. */
static mf_twofish shared;
static mf_cmac shared_cmac;
static mf_xts shared_xts;

static atomic_uint n_met;

/* GCM, since that chooses a GHASH too. */
static mf_status first_use(finding *f)
{
    mf_twofish ctx;
    mf_gcm gcm;

    mf_status status = mf_twofish_init(&ctx, key, sizeof key);
    f->kernel = mf_twofish_kernel_name(&ctx);
    const mf_cipher cipher = mf_twofish_cipher(&ctx);
    status = status == MF_OK ? mf_gcm_init(&gcm, &cipher) : status;
    return status == MF_OK
               ? mf_gcm_encrypt(&gcm, "nonce", 5, text, 100, f->sealed, text, DATA, f->tag, TAG)
               : status;
}

static mf_status read_shared(finding *f)
{
    mf_status status = mf_twofish_encrypt_blocks(&shared, f->encrypted, text, N_BLOCKS);

    status = status == MF_OK ? mf_cmac_compute(&shared_cmac, text, DATA, f->mac, TAG) : status;
    return status == MF_OK ? mf_xts_encrypt_sectors(&shared_xts, 7, 400, f->sectors, text, DATA)
                           : status;
}

static void make_shared(void)
{
    CHECK_STATUS(mf_twofish_init(&shared, key, sizeof key), MF_OK);
    const mf_cipher cipher = mf_twofish_cipher(&shared);
    CHECK_STATUS(mf_cmac_init(&shared_cmac, &cipher), MF_OK);
    CHECK_STATUS(mf_xts_init(&shared_xts, &cipher, &cipher), MF_OK);
}

static void *use_first(void *argument)
{
    finding *f = (finding *)argument;

    meet(&n_met, N_THREADS);
    f->status = first_use(f);
    return NULL;
}

static void *use_shared(void *argument)
{
    finding *f = (finding *)argument;

    meet(&n_met, N_THREADS);
    f->status = read_shared(f);
    return NULL;
}

static void run_threads(void *(*run)(void *))
{
    pthread_t threads[N_THREADS];

    for (size_t i = 0; i < N_THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, run, &found[i]) == 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK_STATUS(found[i].status, MF_OK);
    }
}

int main(void)
{
    test_case("%d threads use the library for the first time", (int)N_THREADS);
    run_threads(use_first);
    make_shared();
    test_case("%d threads read the same contexts", (int)N_THREADS);
    run_threads(use_shared);

    test_case("one thread finds what each of them found");
    CHECK_STATUS(first_use(&alone), MF_OK);
    CHECK_STATUS(read_shared(&alone), MF_OK);
    for (size_t i = 0; i < N_THREADS; i++) {
        CHECK(found[i].kernel == alone.kernel);
        CHECK_BYTES(found[i].sealed, alone.sealed, DATA);
        CHECK_BYTES(found[i].tag, alone.tag, TAG);
        CHECK_BYTES(found[i].encrypted, alone.encrypted, DATA);
        CHECK_BYTES(found[i].mac, alone.mac, TAG);
        CHECK_BYTES(found[i].sectors, alone.sectors, DATA);
    }
    return test_end();
}
