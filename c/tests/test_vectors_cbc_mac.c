/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector files of CMAC, EAX, CCM and SIV through every kernel, both directions, whole and in
 * pieces where there are pieces. Argument: the folder of the vector files.
 */
#include "vectors.h"

#include <manyfish/aead.h>
#include <manyfish/mac.h>

static unsigned char out[RSP_MAX_BYTES];

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- CMAC ------------------------------------------------------------------------------------- */

static void check_cmac_pieces(mf_cmac *cmac, const rsp_case *v, size_t piece)
{
    unsigned char tag[MF_MAX_BLOCK_BYTES];

    for (int verifying = 0; verifying < 2; verifying++) {
        for (size_t i = 0; i < v->msg.n_bytes; i += piece) {
            const size_t n = smaller(piece, v->msg.n_bytes - i);

            CHECK_STATUS(mf_cmac_update(cmac, v->msg.bytes + i, n), MF_OK);
        }
        if (verifying) {
            CHECK_STATUS(mf_cmac_finish_verify(cmac, v->tag.bytes, v->tag.n_bytes), MF_OK);
        } else {
            CHECK_STATUS(mf_cmac_finish(cmac, tag, v->tag.n_bytes), MF_OK);
            CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes);
        }
    }
}

static void check_cmac(const mf_cipher *cipher, const rsp_case *v)
{
    unsigned char tag[MF_MAX_BLOCK_BYTES];
    mf_cmac cmac;

    if (!CHECK(v->msg.present && v->tag.n_bytes >= 1 && v->tag.n_bytes <= sizeof tag)) {
        return;
    }
    CHECK_STATUS(mf_cmac_init(&cmac, cipher), MF_OK);
    CHECK_STATUS(mf_cmac_compute(&cmac, v->msg.bytes, v->msg.n_bytes, tag, v->tag.n_bytes), MF_OK);
    CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes);
    CHECK_STATUS(mf_cmac_verify(&cmac, v->msg.bytes, v->msg.n_bytes, v->tag.bytes, v->tag.n_bytes),
                 MF_OK);
    for (size_t piece = 1; piece <= 40; piece += test_quick() ? 18 : 3) {
        check_cmac_pieces(&cmac, v, piece);
    }
    mf_cmac_wipe(&cmac);
}

/* --- EAX -------------------------------------------------------------------------------------- */

static bool is_aead_case(const rsp_case *v)
{
    return CHECK(v->nonce.present && v->aad.present && v->pt.present &&
                 v->ct.n_bytes == v->pt.n_bytes && v->tag.n_bytes >= 2 && v->tag.n_bytes <= 16);
}

static void check_eax_whole(mf_eax *eax, const rsp_case *v)
{
    unsigned char tag[MF_EAX_MAX_TAG_BYTES];

    CHECK_STATUS(mf_eax_encrypt(eax, v->nonce.bytes, v->nonce.n_bytes, v->aad.bytes, v->aad.n_bytes,
                                out, v->pt.bytes, v->pt.n_bytes, tag, v->tag.n_bytes),
                 MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes);
    CHECK_STATUS(mf_eax_decrypt(eax, v->nonce.bytes, v->nonce.n_bytes, v->aad.bytes, v->aad.n_bytes,
                                out, v->ct.bytes, v->ct.n_bytes, v->tag.bytes, v->tag.n_bytes),
                 MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

typedef mf_status crypt_update(mf_eax *eax, void *to, const void *from, size_t n_bytes);

/* Text and associated data by turns, except the last bytes of the text; returns where they
 * begin. */
static size_t feed_eax(mf_eax *eax, crypt_update *update, const rsp_case *v, const rsp_bytes *text,
                       size_t piece)
{
    size_t t = 0, a = 0;

    CHECK_STATUS(mf_eax_start(eax, v->nonce.bytes, v->nonce.n_bytes), MF_OK);
    while (t + piece < text->n_bytes || a < v->aad.n_bytes) {
        const size_t n_aad = smaller(piece, v->aad.n_bytes - a);

        if (t + piece < text->n_bytes) {
            CHECK_STATUS(update(eax, out + t, text->bytes + t, piece), MF_OK);
            t += piece;
        }
        CHECK_STATUS(mf_eax_aad(eax, v->aad.bytes + a, n_aad), MF_OK);
        a += n_aad;
    }
    return t;
}

static void check_eax_pieces(mf_eax *eax, const rsp_case *v, size_t piece)
{
    unsigned char tag[MF_EAX_MAX_TAG_BYTES];
    size_t i = feed_eax(eax, mf_eax_encrypt_update, v, &v->pt, piece);

    CHECK_STATUS(mf_eax_encrypt_finish(eax, out + i, v->pt.bytes + i, v->pt.n_bytes - i, tag,
                                       v->tag.n_bytes),
                 MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes);
    i = feed_eax(eax, mf_eax_decrypt_update, v, &v->ct, piece);
    CHECK_STATUS(mf_eax_decrypt_finish(eax, out + i, v->ct.bytes + i, v->ct.n_bytes - i,
                                       v->tag.bytes, v->tag.n_bytes),
                 MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

static void check_eax(const mf_cipher *cipher, const rsp_case *v)
{
    mf_eax eax;

    if (is_aead_case(v)) {
        CHECK_STATUS(mf_eax_init(&eax, cipher), MF_OK);
        check_eax_whole(&eax, v);
        for (size_t piece = 1; piece <= 50; piece += test_quick() ? 24 : 7) {
            check_eax_pieces(&eax, v, piece);
        }
        mf_eax_wipe(&eax);
    }
}

/* --- CCM -------------------------------------------------------------------------------------- */

typedef mf_status crypt_ccm(mf_ccm *ccm, void *to, const void *from, size_t n_bytes);

static void feed_ccm(mf_ccm *ccm, const mf_cipher *cipher, crypt_ccm *update, const rsp_case *v,
                     const rsp_bytes *text, size_t piece)
{
    CHECK_STATUS(mf_ccm_start(ccm, cipher, v->nonce.bytes, v->nonce.n_bytes, v->aad.n_bytes,
                              text->n_bytes, v->tag.n_bytes),
                 MF_OK);
    for (size_t i = 0; i < v->aad.n_bytes; i += piece) {
        CHECK_STATUS(mf_ccm_aad(ccm, v->aad.bytes + i, smaller(piece, v->aad.n_bytes - i)), MF_OK);
    }
    for (size_t i = 0; i < text->n_bytes; i += piece) {
        CHECK_STATUS(update(ccm, out + i, text->bytes + i, smaller(piece, text->n_bytes - i)),
                     MF_OK);
    }
}

static void check_ccm_pieces(const mf_cipher *cipher, const rsp_case *v, size_t piece)
{
    unsigned char tag[16];
    mf_ccm ccm;

    feed_ccm(&ccm, cipher, mf_ccm_encrypt_update, v, &v->pt, piece);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, NULL, NULL, 0, tag, v->tag.n_bytes), MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes);
    feed_ccm(&ccm, cipher, mf_ccm_decrypt_update, v, &v->ct, piece);
    CHECK_STATUS(mf_ccm_decrypt_finish(&ccm, NULL, NULL, 0, v->tag.bytes, v->tag.n_bytes), MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

static void check_ccm(const mf_cipher *cipher, const rsp_case *v)
{
    unsigned char tag[16];

    if (is_aead_case(v)) {
        CHECK_STATUS(mf_ccm_encrypt(cipher, v->nonce.bytes, v->nonce.n_bytes, v->aad.bytes,
                                    v->aad.n_bytes, out, v->pt.bytes, v->pt.n_bytes, tag,
                                    v->tag.n_bytes),
                     MF_OK);
        CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
        CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes);
        CHECK_STATUS(mf_ccm_decrypt(cipher, v->nonce.bytes, v->nonce.n_bytes, v->aad.bytes,
                                    v->aad.n_bytes, out, v->ct.bytes, v->ct.n_bytes, v->tag.bytes,
                                    v->tag.n_bytes),
                     MF_OK);
        CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
        for (size_t piece = 1; piece <= 50; piece += test_quick() ? 24 : 7) {
            check_ccm_pieces(cipher, v, piece);
        }
    }
}

/* --- SIV -------------------------------------------------------------------------------------- */

/* With n_aad strings and this nonce, which may be one that is empty: none. */
static void check_siv_strings(const mf_siv *siv, const rsp_case *v, size_t n_aad,
                              const rsp_bytes *nonce)
{
    mf_siv_string aad[RSP_MAX_STRINGS];
    unsigned char tag[MF_SIV_TAG_BYTES];

    for (size_t i = 0; i < n_aad; i++) {
        aad[i].data = v->aad_strings[i].bytes;
        aad[i].n_bytes = v->aad_strings[i].n_bytes;
    }
    CHECK_STATUS(mf_siv_encrypt(siv, aad, n_aad, nonce->bytes, nonce->n_bytes, out, v->pt.bytes,
                                v->pt.n_bytes, tag),
                 MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(tag, v->tag.bytes, sizeof tag);
    CHECK_STATUS(mf_siv_decrypt(siv, aad, n_aad, nonce->bytes, nonce->n_bytes, out, v->ct.bytes,
                                v->ct.n_bytes, v->tag.bytes),
                 MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

static void check_siv(const mf_cipher *cipher, const rsp_case *v)
{
    static const rsp_bytes no_nonce;
    any_key ctx;
    mf_siv siv;

    if (CHECK(v->key_2.present && v->pt.present && v->ct.n_bytes == v->pt.n_bytes &&
              v->tag.n_bytes == MF_SIV_TAG_BYTES && v->n_aad <= RSP_MAX_STRINGS)) {
        const mf_cipher ctr = vector_cipher(&ctx, &v->key_2);

        CHECK_STATUS(mf_siv_init(&siv, cipher, &ctr), MF_OK);
        check_siv_strings(&siv, v, v->n_aad, &no_nonce);
        if (v->n_aad > 0 && v->aad_strings[v->n_aad - 1].n_bytes > 0) {
            check_siv_strings(&siv, v, v->n_aad - 1, &v->aad_strings[v->n_aad - 1]);
        }
        mf_siv_wipe(&siv);
        mf_twofish_wipe(&ctx.twofish);
    }
}

static const vector_file vector_files[] = {
    {"twofish_cmac.rsp", check_cmac, &twofish_subject},
    {"des_cmac.rsp", check_cmac, &des_subject},
    {"twofish_eax.rsp", check_eax, &twofish_subject},
    {"des_eax.rsp", check_eax, &des_subject},
    {"twofish_ccm.rsp", check_ccm, &twofish_subject},
    {"twofish_siv.rsp", check_siv, &twofish_subject},
};

int main(int argc, char **argv)
{
    return test_vector_files(argc, argv, vector_files,
                             sizeof vector_files / sizeof vector_files[0]);
}
