/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The C library as bench/python/measure.py calls it: what the Python package can reach at best. One
 * key, one call a message. Each returns 0 when all went well.
 */
#include <manyfish/aead.h>
#include <manyfish/twofish.h>

static mf_twofish key;
static mf_ocb ocb;

int bench_key(const void *bytes, size_t n_bytes);
int bench_ocb(void *out, const void *in, size_t n_bytes);
int bench_ctr(void *out, const void *in, size_t n_bytes);
int bench_cbc_encrypt(void *out, const void *in, size_t n_bytes);
int bench_cbc_decrypt(void *out, const void *in, size_t n_bytes);

int bench_key(const void *bytes, size_t n_bytes)
{
    mf_status status = mf_twofish_init(&key, bytes, n_bytes);
    if (status != MF_OK) {
        return (int)status;
    }
    mf_cipher cipher = mf_twofish_cipher(&key);
    return (int)mf_ocb_init(&ocb, &cipher);
}

/* out has 16 bytes more, for the tag. */
int bench_ocb(void *out, const void *in, size_t n_bytes)
{
    static const unsigned char nonce[12];
    return (int)mf_ocb_encrypt(&ocb, nonce, sizeof nonce, NULL, 0, out, in, n_bytes,
                               (unsigned char *)out + n_bytes);
}

int bench_ctr(void *out, const void *in, size_t n_bytes)
{
    static const unsigned char initial[16];
    mf_ctr ctr;
    mf_cipher cipher = mf_twofish_cipher(&key);
    mf_status status = mf_ctr_init(&ctr, &cipher, initial, 128);
    if (status == MF_OK) {
        status = mf_ctr_crypt(&ctr, out, in, n_bytes);
    }
    mf_ctr_wipe(&ctr);
    return (int)status;
}

int bench_cbc_encrypt(void *out, const void *in, size_t n_bytes)
{
    unsigned char iv[16] = {0};
    mf_cipher cipher = mf_twofish_cipher(&key);
    return (int)mf_cbc_encrypt(&cipher, iv, out, in, n_bytes);
}

int bench_cbc_decrypt(void *out, const void *in, size_t n_bytes)
{
    unsigned char iv[16] = {0};
    mf_cipher cipher = mf_twofish_cipher(&key);
    return (int)mf_cbc_decrypt(&cipher, iv, out, in, n_bytes);
}
