/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every vector file through every kernel, both directions: what is decrypted is the text of the
 * file, not what was just made. Modes go whole and in pieces.
 * Argument: the folder of the vector files. The Monte Carlo sets are in test_monte_carlo.c.
 */
#include "vectors.h"

#include <manyfish/aead.h>

#include <string.h>

static unsigned char out[RSP_MAX_BYTES];

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- One case ------------------------------------------------------------------------------- */

static void check_ecb(const mf_cipher *cipher, const rsp_case *v)
{
    if (CHECK(v->pt.present && v->ct.present && v->pt.n_bytes == v->ct.n_bytes)) {
        CHECK_STATUS(mf_ecb_encrypt(cipher, out, v->pt.bytes, v->pt.n_bytes), MF_OK);
        CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
        CHECK_STATUS(mf_ecb_decrypt(cipher, out, v->ct.bytes, v->ct.n_bytes), MF_OK);
        CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
    }
}

/* The first `first` bytes without padding, the rest with it. */
static void check_padded_from(const mf_cipher *cipher, const rsp_case *v, size_t first)
{
    unsigned char iv[MF_MAX_BLOCK_BYTES];
    size_t out_bytes = 0;

    memcpy(iv, v->iv.bytes, cipher->block_bytes);
    CHECK_STATUS(mf_cbc_encrypt(cipher, iv, out, v->pt.bytes, first), MF_OK);
    CHECK_STATUS(mf_cbc_encrypt_padded(cipher, iv, out + first, sizeof out - first, &out_bytes,
                                       v->pt.bytes + first, v->pt.n_bytes - first),
                 MF_OK);
    CHECK(first + out_bytes == v->ct.n_bytes);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);

    memcpy(iv, v->iv.bytes, cipher->block_bytes);
    CHECK_STATUS(mf_cbc_decrypt(cipher, iv, out, v->ct.bytes, first), MF_OK);
    CHECK_STATUS(mf_cbc_decrypt_padded(cipher, iv, out + first, sizeof out - first, &out_bytes,
                                       v->ct.bytes + first, v->ct.n_bytes - first),
                 MF_OK);
    CHECK(first + out_bytes == v->pt.n_bytes);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

/* In pieces of `piece` bytes, encrypting and decrypting side by side. */
static void check_cbc_pieces(const mf_cipher *cipher, const rsp_case *v, size_t piece)
{
    static unsigned char back[RSP_MAX_BYTES];
    unsigned char encrypt_iv[MF_MAX_BLOCK_BYTES], decrypt_iv[MF_MAX_BLOCK_BYTES];

    memcpy(encrypt_iv, v->iv.bytes, cipher->block_bytes);
    memcpy(decrypt_iv, v->iv.bytes, cipher->block_bytes);
    for (size_t i = 0; i < v->pt.n_bytes; i += piece) {
        const size_t n = smaller(piece, v->pt.n_bytes - i);

        CHECK_STATUS(mf_cbc_encrypt(cipher, encrypt_iv, out + i, v->pt.bytes + i, n), MF_OK);
        CHECK_STATUS(mf_cbc_decrypt(cipher, decrypt_iv, back + i, v->ct.bytes + i, n), MF_OK);
    }
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(back, v->pt.bytes, v->pt.n_bytes);
}

static void check_cbc(const mf_cipher *cipher, const rsp_case *v)
{
    if (!CHECK(v->iv.n_bytes == cipher->block_bytes && v->pt.present && v->ct.present)) {
        return;
    }
    if (strcmp(v->padding, "pkcs7") == 0) {
        for (size_t first = 0; first <= v->pt.n_bytes; first += cipher->block_bytes) {
            check_padded_from(cipher, v, first);
        }
    } else if (CHECK(strcmp(v->padding, "none") == 0 && v->pt.n_bytes == v->ct.n_bytes)) {
        check_cbc_pieces(cipher, v, RSP_MAX_BYTES);
        for (size_t piece = cipher->block_bytes; piece <= 5 * cipher->block_bytes;
             piece += (test_quick() ? 3 : 1) * cipher->block_bytes) {
            check_cbc_pieces(cipher, v, piece);
        }
    }
}

static void check_ctr_pieces(const mf_cipher *cipher, const rsp_case *v, size_t piece)
{
    const rsp_bytes *texts[] = {&v->pt, &v->ct};

    for (size_t from = 0; from < 2; from++) {
        mf_ctr ctr;

        CHECK_STATUS(mf_ctr_init(&ctr, cipher, v->iv.bytes, v->counter_bits), MF_OK);
        for (size_t i = 0; i < v->pt.n_bytes; i += piece) {
            const size_t n = smaller(piece, v->pt.n_bytes - i);

            CHECK_STATUS(mf_ctr_crypt(&ctr, out + i, texts[from]->bytes + i, n), MF_OK);
        }
        CHECK_BYTES(out, texts[1 - from]->bytes, v->pt.n_bytes);
        mf_ctr_wipe(&ctr);
    }
}

static void check_ctr(const mf_cipher *cipher, const rsp_case *v)
{
    if (CHECK(v->iv.n_bytes == cipher->block_bytes && v->pt.present &&
              v->ct.n_bytes == v->pt.n_bytes)) {
        check_ctr_pieces(cipher, v, RSP_MAX_BYTES);
        for (size_t piece = 1; piece <= 40; piece += test_quick() ? 18 : 3) {
            check_ctr_pieces(cipher, v, piece);
        }
    }
}

static void check_ocb_whole(mf_ocb *ocb, const rsp_case *v)
{
    unsigned char tag[MF_OCB_TAG_BYTES];

    CHECK_STATUS(mf_ocb_encrypt(ocb, v->nonce.bytes, v->nonce.n_bytes, v->aad.bytes, v->aad.n_bytes,
                                out, v->pt.bytes, v->pt.n_bytes, tag),
                 MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(tag, v->tag.bytes, sizeof tag);
    CHECK_STATUS(mf_ocb_decrypt(ocb, v->nonce.bytes, v->nonce.n_bytes, v->aad.bytes, v->aad.n_bytes,
                                out, v->ct.bytes, v->ct.n_bytes, v->tag.bytes),
                 MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

typedef mf_status crypt_ocb(mf_ocb *ocb, void *to, size_t capacity, size_t *n, const void *from,
                            size_t n_bytes);

/* All text in pieces; returns the bytes that have come out. */
static size_t feed_ocb(mf_ocb *ocb, crypt_ocb *update, const rsp_bytes *text, size_t piece)
{
    size_t done = 0, n;

    for (size_t i = 0; i < text->n_bytes; i += piece) {
        const size_t n_bytes = piece < text->n_bytes - i ? piece : text->n_bytes - i;

        CHECK_STATUS(update(ocb, out + done, sizeof out - done, &n, text->bytes + i, n_bytes),
                     MF_OK);
        done += n;
    }
    return done;
}

static void check_ocb_pieces(mf_ocb *ocb, const rsp_case *v, size_t piece)
{
    unsigned char tag[MF_OCB_TAG_BYTES];
    size_t done, n;

    CHECK_STATUS(mf_ocb_start(ocb, v->nonce.bytes, v->nonce.n_bytes), MF_OK);
    done = feed_ocb(ocb, mf_ocb_encrypt_update, &v->pt, piece);
    CHECK_STATUS(mf_ocb_aad(ocb, v->aad.bytes, v->aad.n_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_finish(ocb, out + done, sizeof out - done, &n, NULL, 0, tag),
                 MF_OK);
    CHECK(done + n == v->ct.n_bytes);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(tag, v->tag.bytes, sizeof tag);

    CHECK_STATUS(mf_ocb_start(ocb, v->nonce.bytes, v->nonce.n_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_aad(ocb, v->aad.bytes, v->aad.n_bytes), MF_OK);
    done = feed_ocb(ocb, mf_ocb_decrypt_update, &v->ct, piece);
    CHECK_STATUS(
        mf_ocb_decrypt_finish(ocb, out + done, sizeof out - done, &n, NULL, 0, v->tag.bytes),
        MF_OK);
    CHECK(done + n == v->pt.n_bytes);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

static void check_ocb(const mf_cipher *cipher, const rsp_case *v)
{
    mf_ocb ocb;

    if (CHECK(v->nonce.present && v->pt.present && v->ct.n_bytes == v->pt.n_bytes &&
              v->tag.n_bytes == MF_OCB_TAG_BYTES)) {
        CHECK_STATUS(mf_ocb_init(&ocb, cipher), MF_OK);
        check_ocb_whole(&ocb, v);
        for (size_t piece = 1; piece <= 80; piece += 26) {
            check_ocb_pieces(&ocb, v, piece);
        }
        mf_ocb_wipe(&ocb);
    }
}

/* Each result is the next input, but with CBC encryption that input is the result before the last.
 * Both CBC functions leave in IV what the next step needs. */
static void check_monte_carlo(const mf_cipher *cipher, const rsp_case *v)
{
    const bool encrypts = v->set[4] == 'e', is_cbc = strncmp(v->set, "cbc", 3) == 0;
    const rsp_bytes *first = encrypts ? &v->pt : &v->ct;
    const rsp_bytes *last = encrypts ? &v->ct : &v->pt;
    unsigned char iv[MF_MAX_BLOCK_BYTES] = {0}, before[MF_MAX_BLOCK_BYTES], input[8], result[8];
    mf_status status = MF_OK;

    CHECK(first->n_bytes == sizeof input && last->n_bytes == sizeof result && v->iterations > 0);
    if (test_quick() && v->iterations > 100) {
        return;
    }
    memcpy(iv, v->iv.bytes, v->iv.n_bytes);
    memcpy(input, first->bytes, sizeof input);
    for (unsigned i = 0; i < v->iterations && status == MF_OK; i++) {
        memcpy(before, iv, sizeof before);
        if (is_cbc) {
            status = encrypts ? mf_cbc_encrypt(cipher, iv, result, input, sizeof input)
                              : mf_cbc_decrypt(cipher, iv, result, input, sizeof input);
        } else {
            status = encrypts ? mf_ecb_encrypt(cipher, result, input, sizeof input)
                              : mf_ecb_decrypt(cipher, result, input, sizeof input);
        }
        memcpy(input, is_cbc && encrypts ? before : result, sizeof input);
    }
    CHECK_STATUS(status, MF_OK);
    CHECK_BYTES(result, last->bytes, sizeof result);
}

/* --- All files ------------------------------------------------------------------------------ */

static const vector_file vector_files[] = {
    {"twofish_ecb_ival.rsp", check_ecb, &twofish_subject},
    {"twofish_ecb_tbl.rsp", check_ecb, &twofish_subject},
    {"twofish_ecb_vk.rsp", check_ecb, &twofish_subject},
    {"twofish_ecb_vt.rsp", check_ecb, &twofish_subject},
    {"twofish_ecb_short_keys.rsp", check_ecb, &twofish_subject},
    {"twofish_cbc.rsp", check_cbc, &twofish_subject},
    {"twofish_ctr.rsp", check_ctr, &twofish_subject},
    {"twofish_ocb.rsp", check_ocb, &twofish_subject},
    {"des_ecb.rsp", check_ecb, &des_subject},
    {"des_weak_keys.rsp", check_ecb, &des_subject},
    {"des_cbc.rsp", check_cbc, &des_subject},
    {"des_ctr.rsp", check_ctr, &des_subject},
    {"des_mct.rsp", check_monte_carlo, &des_subject},
    {"tdes_ecb.rsp", check_ecb, &des_subject},
    {"tdes_cbc.rsp", check_cbc, &des_subject},
};

int main(int argc, char **argv)
{
    return test_vector_files(argc, argv, vector_files,
                             sizeof vector_files / sizeof vector_files[0]);
}
