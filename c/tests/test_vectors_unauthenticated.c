/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector files of CFB, OFB, CBC with ciphertext stealing and XTS through every kernel, both
 * directions, whole and in pieces where there are pieces. Argument: the folder of the vector files.
 */
#include "vectors.h"

#include <stdint.h>
#include <string.h>

static unsigned char out[RSP_MAX_BYTES];

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool has_texts(const rsp_case *v)
{
    return v->pt.present && v->ct.present && v->pt.n_bytes == v->ct.n_bytes;
}

/* --- CFB -------------------------------------------------------------------------------------- */

static void check_cfb_pieces(const mf_cipher *cipher, const rsp_case *v, size_t piece)
{
    mf_cfb cfb;

    CHECK_STATUS(mf_cfb_init(&cfb, cipher, v->iv.bytes, v->segment_bits), MF_OK);
    for (size_t i = 0; i < v->pt.n_bytes; i += piece) {
        const size_t n = smaller(piece, v->pt.n_bytes - i);

        CHECK_STATUS(mf_cfb_encrypt(&cfb, out + i, v->pt.bytes + i, n), MF_OK);
    }
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);

    CHECK_STATUS(mf_cfb_init(&cfb, cipher, v->iv.bytes, v->segment_bits), MF_OK);
    for (size_t i = 0; i < v->ct.n_bytes; i += piece) {
        const size_t n = smaller(piece, v->ct.n_bytes - i);

        CHECK_STATUS(mf_cfb_decrypt(&cfb, out + i, v->ct.bytes + i, n), MF_OK);
    }
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
    mf_cfb_wipe(&cfb);
}

static void check_cfb(const mf_cipher *cipher, const rsp_case *v)
{
    if (CHECK(v->iv.n_bytes == cipher->block_bytes && has_texts(v))) {
        check_cfb_pieces(cipher, v, RSP_MAX_BYTES);
        for (size_t piece = 1; piece <= 40; piece += test_quick() ? 18 : 13) {
            check_cfb_pieces(cipher, v, piece);
        }
    }
}

/* --- OFB -------------------------------------------------------------------------------------- */

static void check_ofb_pieces(const mf_cipher *cipher, const rsp_case *v, size_t piece)
{
    const rsp_bytes *texts[] = {&v->pt, &v->ct};

    for (size_t from = 0; from < 2; from++) {
        mf_ofb ofb;

        CHECK_STATUS(mf_ofb_init(&ofb, cipher, v->iv.bytes), MF_OK);
        for (size_t i = 0; i < v->pt.n_bytes; i += piece) {
            const size_t n = smaller(piece, v->pt.n_bytes - i);

            CHECK_STATUS(mf_ofb_crypt(&ofb, out + i, texts[from]->bytes + i, n), MF_OK);
        }
        CHECK_BYTES(out, texts[1 - from]->bytes, v->pt.n_bytes);
        mf_ofb_wipe(&ofb);
    }
}

static void check_ofb(const mf_cipher *cipher, const rsp_case *v)
{
    if (CHECK(v->iv.n_bytes == cipher->block_bytes && has_texts(v))) {
        check_ofb_pieces(cipher, v, RSP_MAX_BYTES);
        for (size_t piece = 1; piece <= 40; piece += test_quick() ? 18 : 13) {
            check_ofb_pieces(cipher, v, piece);
        }
    }
}

/* --- CBC with ciphertext stealing ------------------------------------------------------------- */

static bool read_variant(mf_cts *variant, const char *name)
{
    static const struct {
        const char *name;
        mf_cts variant;
    } variants[] = {{"cs1", MF_CTS_CS1}, {"cs2", MF_CTS_CS2}, {"cs3", MF_CTS_CS3}};

    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        if (strcmp(variants[i].name, name) == 0) {
            *variant = variants[i].variant;
            return true;
        }
    }
    return false;
}

static void check_cbc_cts(const mf_cipher *cipher, const rsp_case *v)
{
    const size_t n = v->pt.n_bytes;
    mf_cts variant = MF_CTS_CS1;

    if (CHECK(v->iv.n_bytes == cipher->block_bytes && has_texts(v) &&
              read_variant(&variant, v->variant))) {
        CHECK_STATUS(mf_cts_encrypt(cipher, variant, v->iv.bytes, out, v->pt.bytes, n), MF_OK);
        CHECK_BYTES(out, v->ct.bytes, n);
        CHECK_STATUS(mf_cts_decrypt(cipher, variant, v->iv.bytes, out, v->ct.bytes, n), MF_OK);
        CHECK_BYTES(out, v->pt.bytes, n);
    }
}

/* --- XTS -------------------------------------------------------------------------------------- */

static void check_xts_unit(const mf_xts *xts, const rsp_case *v)
{
    const unsigned char *tweak = v->tweak.bytes;

    CHECK_STATUS(mf_xts_encrypt(xts, tweak, out, v->pt.bytes, v->pt.n_bytes), MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_STATUS(mf_xts_decrypt(xts, tweak, out, v->ct.bytes, v->ct.n_bytes), MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

static void check_xts_sectors(const mf_xts *xts, const rsp_case *v)
{
    const size_t n = v->sector_bytes;
    uint64_t first = 0;

    for (size_t i = 8; i-- > 0;) {
        first = first << 8 | v->tweak.bytes[i];
    }
    CHECK_STATUS(mf_xts_encrypt_sectors(xts, first, n, out, v->pt.bytes, v->pt.n_bytes), MF_OK);
    CHECK_BYTES(out, v->ct.bytes, v->ct.n_bytes);
    CHECK_STATUS(mf_xts_decrypt_sectors(xts, first, n, out, v->ct.bytes, v->ct.n_bytes), MF_OK);
    CHECK_BYTES(out, v->pt.bytes, v->pt.n_bytes);
}

static void check_xts(const mf_cipher *cipher, const rsp_case *v)
{
    any_key key_2;
    mf_xts xts;

    if (CHECK(v->tweak.n_bytes == cipher->block_bytes && has_texts(v) && v->key_2.present)) {
        const mf_cipher tweak = vector_cipher(&key_2, &v->key_2);
        const bool one_unit = v->sector_bytes == v->pt.n_bytes;
        const bool is_64_bit = all_bytes_are(v->tweak.bytes + 8, 8, 0);

        CHECK_STATUS(mf_xts_init(&xts, cipher, &tweak), MF_OK);
        CHECK(one_unit || is_64_bit);
        if (one_unit) {
            check_xts_unit(&xts, v);
        }
        if (is_64_bit) {
            check_xts_sectors(&xts, v);
        }
        mf_twofish_wipe(&key_2.twofish);
    }
}

int main(int argc, char **argv)
{
    static const vector_file files[] = {
        {"twofish_cfb.rsp", check_cfb, &twofish_subject},
        {"des_cfb.rsp", check_cfb, &des_subject},
        {"twofish_ofb.rsp", check_ofb, &twofish_subject},
        {"des_ofb.rsp", check_ofb, &des_subject},
        {"twofish_cbc_cts.rsp", check_cbc_cts, &twofish_subject},
        {"des_cbc_cts.rsp", check_cbc_cts, &des_subject},
        {"tdes_cfb64.rsp", check_cfb, &des_subject},
        {"tdes_ofb.rsp", check_ofb, &des_subject},
        {"twofish_xts.rsp", check_xts, &twofish_subject},
    };

    return test_vector_files(argc, argv, files, sizeof files / sizeof files[0]);
}
