/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The C library as org.manyfish.benchmarks.CLibrary calls it: what Java can reach at best. One key
 * that is set before, one call a message, memory of C's own. A call of Java that hands over nothing
 * takes some ten nanoseconds.
 */
#include "org_manyfish_benchmarks_CLibrary.h"

#include <manyfish/aead.h>
#include <manyfish/modes.h>
#include <manyfish/twofish.h>

#include <string.h>

enum { MAX_BYTES = 1 << 20, TAG_BYTES = 16 };

static unsigned char in[MAX_BYTES], out[MAX_BYTES], sealed[MAX_BYTES];
static unsigned char ocb_tag[TAG_BYTES], iv[16];
static const unsigned char key[32], nonce[12];
static mf_twofish twofish;
static mf_cipher cipher;
static mf_ocb ocb;
static mf_gcm gcm;

static mf_status ctr(size_t n_bytes)
{
    mf_ctr stream;
    mf_status status = mf_ctr_init(&stream, &cipher, iv, 128);

    if (status == MF_OK) {
        status = mf_ctr_crypt(&stream, out, in, n_bytes);
    }
    mf_ctr_wipe(&stream);
    return status;
}

static mf_status cbc_encrypt(size_t n_bytes)
{
    return mf_cbc_encrypt(&cipher, iv, out, in, n_bytes);
}

static mf_status cbc_decrypt(size_t n_bytes)
{
    return mf_cbc_decrypt(&cipher, iv, out, in, n_bytes);
}

static mf_status ocb_encrypt(size_t n_bytes)
{
    unsigned char tag[TAG_BYTES];

    return mf_ocb_encrypt(&ocb, nonce, sizeof nonce, NULL, 0, out, in, n_bytes, tag);
}

static mf_status ocb_decrypt(size_t n_bytes)
{
    return mf_ocb_decrypt(&ocb, nonce, sizeof nonce, NULL, 0, out, sealed, n_bytes, ocb_tag);
}

static mf_status gcm_encrypt(size_t n_bytes)
{
    unsigned char tag[TAG_BYTES];

    return mf_gcm_encrypt(&gcm, nonce, sizeof nonce, NULL, 0, out, in, n_bytes, tag, sizeof tag);
}

/* In the order of Operation.java. */
static mf_status (*const operations[])(size_t n_bytes) = {
    ctr, ocb_encrypt, ocb_decrypt, gcm_encrypt, cbc_encrypt, cbc_decrypt,
};

JNIEXPORT jint JNICALL Java_org_manyfish_benchmarks_CLibrary_open(JNIEnv *env, jclass class,
                                                                  jint n_bytes)
{
    (void)env;
    (void)class;
    mf_status status = mf_twofish_init(&twofish, key, sizeof key);
    cipher = mf_twofish_cipher(&twofish);
    if (status == MF_OK) {
        status = mf_ocb_init(&ocb, &cipher);
    }
    if (status == MF_OK) {
        status = mf_gcm_init(&gcm, &cipher);
    }
    if (status == MF_OK) {
        status = mf_ocb_encrypt(&ocb, nonce, sizeof nonce, NULL, 0, sealed, in, (size_t)n_bytes,
                                ocb_tag);
    }
    return (jint)status;
}

JNIEXPORT jint JNICALL Java_org_manyfish_benchmarks_CLibrary_run(JNIEnv *env, jclass class,
                                                                 jint operation, jint n_bytes)
{
    (void)env;
    (void)class;
    return (jint)operations[operation]((size_t)n_bytes);
}
