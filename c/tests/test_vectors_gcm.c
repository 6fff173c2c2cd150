/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector file of GCM through every kernel, both directions, whole and in pieces. Argument: the
 * folder of the vector files.
 */
#include "vectors.h"

#include <manyfish/aead.h>

static unsigned char out[RSP_MAX_BYTES];

static void check_whole(mf_gcm *gcm, const rsp_case *v)
{
    unsigned char tag[MF_GCM_MAX_TAG_BYTES];

    CHECK_STATUS(mf_gcm_encrypt(gcm, v->iv.bytes, v->iv.n_bytes, v->aad.bytes, v->aad.n_bytes, out,
                                v->pt.bytes, v->pt.n_bytes, tag, v->tag.n_bytes),
                 MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes);
    CHECK_STATUS(mf_gcm_decrypt(gcm, v->iv.bytes, v->iv.n_bytes, v->aad.bytes, v->aad.n_bytes, out,
                                v->ct.bytes, v->ct.n_bytes, v->tag.bytes, v->tag.n_bytes),
                 MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

/* All but the last piece go through update. */
static void check_pieces(mf_gcm *gcm, const rsp_case *v, size_t piece)
{
    unsigned char tag[MF_GCM_MAX_TAG_BYTES];
    size_t i;

    CHECK_STATUS(mf_gcm_start(gcm, v->iv.bytes, v->iv.n_bytes), MF_OK);
    CHECK_STATUS(mf_gcm_aad(gcm, v->aad.bytes, v->aad.n_bytes), MF_OK);
    for (i = 0; i + piece < v->pt.n_bytes; i += piece) {
        CHECK_STATUS(mf_gcm_encrypt_update(gcm, out + i, v->pt.bytes + i, piece), MF_OK);
    }
    CHECK_STATUS(mf_gcm_encrypt_finish(gcm, out + i, v->pt.bytes + i, v->pt.n_bytes - i, tag,
                                       v->tag.n_bytes),
                 MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes);

    CHECK_STATUS(mf_gcm_start(gcm, v->iv.bytes, v->iv.n_bytes), MF_OK);
    CHECK_STATUS(mf_gcm_aad(gcm, v->aad.bytes, v->aad.n_bytes), MF_OK);
    for (i = 0; i + piece < v->ct.n_bytes; i += piece) {
        CHECK_STATUS(mf_gcm_decrypt_update(gcm, out + i, v->ct.bytes + i, piece), MF_OK);
    }
    CHECK_STATUS(mf_gcm_decrypt_finish(gcm, out + i, v->ct.bytes + i, v->ct.n_bytes - i,
                                       v->tag.bytes, v->tag.n_bytes),
                 MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

static void check_gcm(const mf_cipher *cipher, const rsp_case *v)
{
    mf_gcm gcm;

    if (CHECK(v->iv.present && v->aad.present && v->pt.present && v->ct.n_bytes == v->pt.n_bytes &&
              v->tag.n_bytes >= 4 && v->tag.n_bytes <= MF_GCM_MAX_TAG_BYTES)) {
        CHECK_STATUS(mf_gcm_init(&gcm, cipher), MF_OK);
        check_whole(&gcm, v);
        check_pieces(&gcm, v, 1 + v->pt.n_bytes % 40);
        check_pieces(&gcm, v, 16);
        check_pieces(&gcm, v, 1024 + 16);
        mf_gcm_wipe(&gcm);
    }
}

static const vector_file vector_files[] = {
    {"twofish_gcm.rsp", check_gcm, &twofish_subject},
};

int main(int argc, char **argv)
{
    return test_vector_files(argc, argv, vector_files,
                             sizeof vector_files / sizeof vector_files[0]);
}
