/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every vector of the modes that the provider has, in both directions, through EVP: in one call, in
 * pieces, in place, with duplicated contexts. CMAC comes from OpenSSL's default provider, over our
 * CBC.
 *
 * Usage: test_vectors MODULES VECTORS
 */
#include "evp.h"
#include "rsp.h"

#include <openssl/err.h>

#include <stdio.h>
#include <string.h>

static const way ways[] = {
    {false, false, false, false}, {true, false, false, false}, {false, true, false, false},
    {true, false, true, false},   {false, false, true, false},
};

static unsigned char out[MAX_TEXT_BYTES + EVP_MAX_BLOCK_LENGTH];

static string bytes_of(const rsp_bytes *b)
{
    const string s = {b->bytes, b->n_bytes};

    return s;
}

static bool result_is(const string *expected, size_t n_out)
{
    return CHECK(n_out == expected->n_bytes) && CHECK_BYTES(out, expected->bytes, n_out);
}

/* A changed tag, and a changed text, are refused. */
static void check_forgeries(message m)
{
    size_t n;
    const way w = ways[random_below(2)];

    m.tag[random_below(m.tag_bytes)] ^= (unsigned char)(1 << random_below(8));
    (void)CHECK(!run(&m, &w, out, &n));
    ERR_clear_error();
}

static void check_message(message m, const string *plain, const string *cipher)
{
    unsigned char tag[TAG_BYTES];

    memcpy(tag, m.tag, sizeof tag);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        size_t n;

        m.encrypt = true;
        m.text = *plain;
        memset(m.tag, 0, sizeof m.tag);
        if (!CHECK(run(&m, &ways[i], out, &n)) || !result_is(cipher, n) ||
            !CHECK_BYTES(m.tag, tag, m.tag_bytes)) {
            return;
        }
        m.encrypt = false;
        m.text = *cipher;
        if (!CHECK(run(&m, &ways[i], out, &n)) || !result_is(plain, n)) {
            return;
        }
    }
    if (m.tag_bytes != 0) {
        check_forgeries(m);
    }
}

/* By EVP_Cipher, which neither buffers nor pads. */
static void check_once(message m, const string *plain, const string *cipher)
{
    const way once = {.once = true};
    size_t n;

    m.encrypt = true;
    m.text = *plain;
    if (CHECK(run(&m, &once, out, &n)) && result_is(cipher, n)) {
        m.encrypt = false;
        m.text = *cipher;
        (void)(CHECK(run(&m, &once, out, &n)) && result_is(plain, n));
    }
}

static char algorithm[64];

static message message_of(const rsp_case *v, const char *mode)
{
    message m = {.algorithm = algorithm, .key = bytes_of(&v->key), .iv = bytes_of(&v->iv)};

    (void)snprintf(algorithm, sizeof algorithm, "twofish-%zu-%s", 8 * v->key.n_bytes, mode);
    return m;
}

static void check_plain(const rsp_case *v, const char *mode)
{
    const string pt = bytes_of(&v->pt), ct = bytes_of(&v->ct);
    message m = message_of(v, mode);

    m.no_padding = strcmp(v->padding, "pkcs7") != 0;
    check_message(m, &pt, &ct);
    if (m.no_padding) {
        check_once(m, &pt, &ct);
    }
}

static void check_ecb(const rsp_case *v)
{
    check_plain(v, "ECB");
}

static void check_cbc(const rsp_case *v)
{
    check_plain(v, "CBC");
}

/* EVP has counters of all the block only. */
static void check_ctr(const rsp_case *v)
{
    if (v->counter_bits == 128) {
        check_plain(v, "CTR");
    }
}

static void check_cfb(const rsp_case *v)
{
    check_plain(v, v->segment_bits == 128 ? "CFB" : v->segment_bits == 8 ? "CFB8" : "CFB1");
}

static void check_ofb(const rsp_case *v)
{
    check_plain(v, "OFB");
}

static void next_sector(unsigned char tweak[16])
{
    for (size_t i = 0; i < 16 && ++tweak[i] == 0; i++) {
    }
}

static void join_keys(unsigned char joined[64], message *m, const rsp_case *v)
{
    memcpy(joined, v->key.bytes, v->key.n_bytes);
    memcpy(joined + v->key.n_bytes, v->key_2.bytes, v->key_2.n_bytes);
    m->key.bytes = joined;
    m->key.n_bytes = v->key.n_bytes + v->key_2.n_bytes;
}

static void check_xts(const rsp_case *v)
{
    unsigned char joined[64], tweak[16];
    message m = message_of(v, "XTS");

    join_keys(joined, &m, v);
    memcpy(tweak, v->tweak.bytes, sizeof tweak);
    m.iv.bytes = tweak;
    m.iv.n_bytes = sizeof tweak;
    for (size_t at = 0; at < v->pt.n_bytes; at += v->sector_bytes) {
        const string pt = {v->pt.bytes + at, v->sector_bytes};
        const string ct = {v->ct.bytes + at, v->sector_bytes};

        check_message(m, &pt, &ct);
        check_once(m, &pt, &ct);
        next_sector(tweak);
    }
}

static void check_lrw(const rsp_case *v)
{
    const string pt = bytes_of(&v->pt), ct = bytes_of(&v->ct);
    unsigned char joined[64];
    message m = message_of(v, "LRW");

    join_keys(joined, &m, v);
    (void)snprintf(algorithm, sizeof algorithm, "twofish-%zu-lrw", 8 * m.key.n_bytes);
    check_message(m, &pt, &ct);
    check_once(m, &pt, &ct);
}

static void check_aead(const rsp_case *v, const char *mode, const rsp_bytes *iv)
{
    const string pt = bytes_of(&v->pt), ct = bytes_of(&v->ct);
    message m = message_of(v, mode);

    m.iv = bytes_of(iv);
    m.aad[0] = bytes_of(&v->aad);
    m.n_aad = v->aad.n_bytes == 0 ? 0 : 1;
    m.tag_bytes = v->tag.n_bytes;
    memcpy(m.tag, v->tag.bytes, v->tag.n_bytes);
    check_message(m, &pt, &ct);
}

static void check_ocb(const rsp_case *v)
{
    check_aead(v, "OCB", &v->nonce);
}

/* OpenSSL's own GCM takes no longer IV either. */
static void check_gcm(const rsp_case *v)
{
    if (v->iv.n_bytes <= 128) {
        check_aead(v, "GCM", &v->iv);
    }
}

static void check_ccm(const rsp_case *v)
{
    check_aead(v, "CCM", &v->nonce);
}

static void check_siv(const rsp_case *v)
{
    const string pt = bytes_of(&v->pt), ct = bytes_of(&v->ct);
    message m = message_of(v, "SIV");
    unsigned char joined[64];

    join_keys(joined, &m, v);
    m.iv.n_bytes = 0;
    for (m.n_aad = 0; m.n_aad < v->n_aad; m.n_aad++) {
        m.aad[m.n_aad] = bytes_of(&v->aad_strings[m.n_aad]);
    }
    m.tag_bytes = v->tag.n_bytes;
    memcpy(m.tag, v->tag.bytes, v->tag.n_bytes);
    check_message(m, &pt, &ct);
}

static void check_cmac(const rsp_case *v)
{
    unsigned char tag[TAG_BYTES];
    size_t n = 0;

    (void)message_of(v, "CBC");
    if (CHECK(EVP_Q_mac(NULL, "CMAC", NULL, algorithm, NULL, v->key.bytes, v->key.n_bytes,
                        v->msg.bytes, v->msg.n_bytes, tag, sizeof tag, &n) != NULL)) {
        (void)(CHECK(n == sizeof tag) && CHECK_BYTES(tag, v->tag.bytes, v->tag.n_bytes));
    }
}

static const struct vector_file {
    const char *name;
    void (*check)(const rsp_case *v);
} files[] = {
    {"twofish_ecb_tbl.rsp", check_ecb}, {"twofish_ecb_vk.rsp", check_ecb},
    {"twofish_ecb_vt.rsp", check_ecb},  {"twofish_cbc.rsp", check_cbc},
    {"twofish_ctr.rsp", check_ctr},     {"twofish_cfb.rsp", check_cfb},
    {"twofish_ofb.rsp", check_ofb},     {"twofish_xts.rsp", check_xts},
    {"twofish_lrw.rsp", check_lrw},     {"twofish_ocb.rsp", check_ocb},
    {"twofish_gcm.rsp", check_gcm},     {"twofish_ccm.rsp", check_ccm},
    {"twofish_siv.rsp", check_siv},     {"twofish_cmac.rsp", check_cmac},
};

static void check_file(const char *folder, const struct vector_file *f)
{
    static rsp_case v;
    rsp_file file;
    size_t n = 0;

    test_case("%s", f->name);
    if (!CHECK(rsp_open(&file, folder, f->name))) {
        return;
    }
    while (rsp_next(&file, &v)) {
        test_case("%s, line %u", f->name, v.line);
        f->check(&v);
        n++;
    }
    (void)CHECK(n != 0);
    (void)CHECK(!file.malformed);
    rsp_close(&file);
}

int main(int argc, char **argv)
{
    if (argc != 3 || !load_provider(NULL, argv[1])) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        check_file(argv[2], &files[i]);
    }
    return test_end();
}
