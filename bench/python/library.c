/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The C library as bench/python/measure.py calls it: what the Python package can reach at best,
 * with one key. Each returns 0 when all went well.
 */
#include <manyfish/aead.h>
#include <manyfish/many.h>
#include <manyfish/twofish.h>

static mf_twofish key;
static mf_ocb ocb;

int bench_key(const void *bytes, size_t n_bytes);
int bench_ocb(void *out, const void *in, size_t n_bytes);
int bench_ctr(void *out, const void *in, size_t n_bytes);
int bench_cbc_encrypt(void *out, const void *in, size_t n_bytes);
int bench_cbc_decrypt(void *out, const void *in, size_t n_bytes);
int bench_records_many(void *texts, const void *ivs, size_t n);
int bench_records_each(void *texts, const void *ivs, size_t n);

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

/* Records move from CBC to OCB in place. Each has 64 bytes and an IV of 16, of which the first 12
 * are its nonce. */
enum { BATCH = 1024, RECORD = 64, IV = 16, NONCE = 12 };

static mf_message record(unsigned char *text, const unsigned char *iv, size_t nonce_bytes,
                         unsigned char *tag)
{
    return (mf_message){.nonce = iv,
                        .nonce_bytes = nonce_bytes,
                        .out = text,
                        .in = text,
                        .n_bytes = RECORD,
                        .tag = tag,
                        .tag_bytes = MF_OCB_TAG_BYTES};
}

static mf_status move_batch(unsigned char *texts, const unsigned char *ivs, size_t n)
{
    static mf_message m[BATCH];
    static unsigned char tags[BATCH][MF_OCB_TAG_BYTES];
    const mf_cipher cipher = mf_twofish_cipher(&key);
    for (size_t i = 0; i < n; i++) {
        m[i] = record(texts + i * RECORD, ivs + i * IV, IV, NULL);
    }
    const mf_status status = mf_cbc_decrypt_many(&cipher, m, n);
    for (size_t i = 0; i < n; i++) {
        m[i] = record(texts + i * RECORD, ivs + i * IV, NONCE, tags[i]);
    }
    return status == MF_OK ? mf_ocb_encrypt_many(&ocb, m, n) : status;
}

int bench_records_many(void *texts, const void *ivs, size_t n)
{
    mf_status status = MF_OK;
    for (size_t i = 0; i < n && status == MF_OK; i += BATCH) {
        status = move_batch((unsigned char *)texts + i * RECORD,
                            (const unsigned char *)ivs + i * IV, n - i < BATCH ? n - i : BATCH);
    }
    return (int)status;
}

int bench_records_each(void *texts, const void *ivs, size_t n)
{
    const mf_cipher cipher = mf_twofish_cipher(&key);
    unsigned char *text = texts;
    const unsigned char *iv = ivs;
    mf_status status = MF_OK;
    for (size_t i = 0; i < n && status == MF_OK; i++, text += RECORD, iv += IV) {
        unsigned char chain[IV], tag[MF_OCB_TAG_BYTES];
        for (size_t j = 0; j < IV; j++) {
            chain[j] = iv[j];
        }
        status = mf_cbc_decrypt(&cipher, chain, text, text, RECORD);
        if (status == MF_OK) {
            status = mf_ocb_encrypt(&ocb, iv, NONCE, NULL, 0, text, text, RECORD, tag);
        }
    }
    return (int)status;
}
