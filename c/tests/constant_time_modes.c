/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The modes for test_constant_time.c: secret text goes through each of them and back, over toy
 * ciphers and over the constant-time kernels, with right tags and wrong ones.
 */
#include "constant_time.h"

#include <manyfish/many.h>

#include <string.h>

#include "common/cpu.h"
#include "modes/ghash/ghash.h"

/* --- Ciphers for the modes -------------------------------------------------------------------- */

/* 16-byte blocks of no strength, in which each byte depends on the key and the whole block. */
typedef struct wide_toy_key {
    bool present;
    uint64_t k[2];
} wide_toy_key;

static bool wide_toy_has_key(const void *toy)
{
    return ((const wide_toy_key *)toy)->present;
}

static uint64_t turn(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static void wide_toy_encrypt(const void *toy, unsigned char *to, const unsigned char *from,
                             size_t n_blocks)
{
    const wide_toy_key *t = (const wide_toy_key *)toy;

    for (; n_blocks > 0; n_blocks--, to += BLOCK, from += BLOCK) {
        uint64_t x[2];

        memcpy(x, from, BLOCK);
        x[0] += turn(x[1] ^ t->k[1], 29);
        x[1] ^= turn(x[0] + t->k[0], 17);
        memcpy(to, x, BLOCK);
    }
}

static void wide_toy_decrypt(const void *toy, unsigned char *to, const unsigned char *from,
                             size_t n_blocks)
{
    const wide_toy_key *t = (const wide_toy_key *)toy;

    for (; n_blocks > 0; n_blocks--, to += BLOCK, from += BLOCK) {
        uint64_t x[2];

        memcpy(x, from, BLOCK);
        x[1] ^= turn(x[0] + t->k[0], 17);
        x[0] -= turn(x[1] ^ t->k[1], 29);
        memcpy(to, x, BLOCK);
    }
}

static mf_cipher wide_toy_cipher(wide_toy_key *toy)
{
    const mf_cipher cipher = {BLOCK, toy, wide_toy_has_key, wide_toy_encrypt, wide_toy_decrypt};

    toy->present = true;
    memcpy(toy->k, key, sizeof toy->k);
    return cipher;
}

static mf_cipher narrow_toy_cipher(toy_key *toy)
{
    toy->present = true;
    memcpy(toy->bytes, key, sizeof toy->bytes);
    return toy_cipher(toy);
}

/* --- Modes ------------------------------------------------------------------------------------ */

static mf_cipher cipher;
static size_t n_bytes; /* of the message; whole blocks where a mode needs them */

/* Each takes n_bytes of text to out and to back again. */

static void run_ecb(void)
{
    CHECK_STATUS(mf_ecb_encrypt(&cipher, out, text, n_bytes), MF_OK);
    CHECK_STATUS(mf_ecb_decrypt(&cipher, back, out, n_bytes), MF_OK);
}

static void run_cbc(void)
{
    unsigned char chain[2][BLOCK];

    memcpy(chain[0], iv, BLOCK);
    memcpy(chain[1], iv, BLOCK);
    CHECK_STATUS(mf_cbc_encrypt(&cipher, chain[0], out, text, n_bytes), MF_OK);
    CHECK_STATUS(mf_cbc_decrypt(&cipher, chain[1], back, out, n_bytes), MF_OK);
}

typedef mf_status padded_crypt(const mf_cipher *, void *, void *, size_t, size_t *, const void *,
                               size_t);

static void crypt_padded(padded_crypt *encrypt, padded_crypt *decrypt)
{
    unsigned char chain[2][BLOCK];
    size_t used = 0;

    memcpy(chain[0], iv, BLOCK);
    memcpy(chain[1], iv, BLOCK);
    CHECK_STATUS(encrypt(&cipher, chain[0], out, sizeof out, &used, text, n_bytes), MF_OK);
    CHECK_STATUS(decrypt(&cipher, chain[1], back, sizeof back, &used, out, used), MF_OK);
    /* The length of the message comes from the padding: the caller learns it. */
    mark_public(&used, sizeof used);
    CHECK(used == n_bytes);
}

static void run_cbc_padded(void)
{
    crypt_padded(mf_cbc_encrypt_padded, mf_cbc_decrypt_padded);
}

static void run_cbc_iso_padded(void)
{
    crypt_padded(mf_cbc_encrypt_iso_padded, mf_cbc_decrypt_iso_padded);
}

/* The last byte is of no padding. */
static void crypt_bad_padding(padded_crypt *decrypt, unsigned char last)
{
    unsigned char chain[2][BLOCK];
    size_t used = 0;

    memcpy(chain[0], iv, BLOCK);
    memcpy(chain[1], iv, BLOCK);
    text[n_bytes - 1] = last;
    mark_secret(text + n_bytes - 1, 1);
    CHECK_STATUS(mf_cbc_encrypt(&cipher, chain[0], out, text, n_bytes), MF_OK);
    CHECK_STATUS(decrypt(&cipher, chain[1], back, sizeof back, &used, out, n_bytes),
                 MF_ERROR_PADDING);
    memcpy(back, text, n_bytes); /* it was wiped */
}

static void run_cbc_bad_padding(void)
{
    crypt_bad_padding(mf_cbc_decrypt_padded, 0);
}

static void run_cbc_bad_iso_padding(void)
{
    crypt_bad_padding(mf_cbc_decrypt_iso_padded, 7);
}

/* In two pieces, so that a rest of the key stream is kept in between. */
static void crypt_ctr(unsigned char *to, const unsigned char *from, unsigned counter_bits)
{
    const size_t first = n_bytes / 3;
    mf_ctr ctr;

    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, iv, counter_bits), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, to, from, first), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, to + first, from + first, n_bytes - first), MF_OK);
    mf_ctr_wipe(&ctr);
}

static void run_ctr(void)
{
    crypt_ctr(out, text, (unsigned)(8 * cipher.block_bytes));
    crypt_ctr(back, out, (unsigned)(8 * cipher.block_bytes));
}

static void run_ctr_32(void)
{
    crypt_ctr(out, text, 32);
    crypt_ctr(back, out, 32);
}

static void crypt_cfb(mf_status (*crypt)(mf_cfb *, void *, const void *, size_t), unsigned char *to,
                      const unsigned char *from, unsigned segment_bits)
{
    const size_t first = n_bytes / 3;
    mf_cfb cfb;

    CHECK_STATUS(mf_cfb_init(&cfb, &cipher, iv, segment_bits), MF_OK);
    CHECK_STATUS(crypt(&cfb, to, from, first), MF_OK);
    CHECK_STATUS(crypt(&cfb, to + first, from + first, n_bytes - first), MF_OK);
    mf_cfb_wipe(&cfb);
}

static void run_cfb(void)
{
    crypt_cfb(mf_cfb_encrypt, out, text, (unsigned)(8 * cipher.block_bytes));
    crypt_cfb(mf_cfb_decrypt, back, out, (unsigned)(8 * cipher.block_bytes));
}

static void run_cfb_8(void)
{
    crypt_cfb(mf_cfb_encrypt, out, text, 8);
    crypt_cfb(mf_cfb_decrypt, back, out, 8);
}

static void run_cfb_1(void)
{
    crypt_cfb(mf_cfb_encrypt, out, text, 1);
    crypt_cfb(mf_cfb_decrypt, back, out, 1);
}

static void crypt_ofb(unsigned char *to, const unsigned char *from)
{
    const size_t first = n_bytes / 3;
    mf_ofb ofb;

    CHECK_STATUS(mf_ofb_init(&ofb, &cipher, iv), MF_OK);
    CHECK_STATUS(mf_ofb_crypt(&ofb, to, from, first), MF_OK);
    CHECK_STATUS(mf_ofb_crypt(&ofb, to + first, from + first, n_bytes - first), MF_OK);
    mf_ofb_wipe(&ofb);
}

static void run_ofb(void)
{
    crypt_ofb(out, text);
    crypt_ofb(back, out);
}

static void run_cts(void)
{
    static const mf_cts variants[] = {MF_CTS_CS1, MF_CTS_CS2, MF_CTS_CS3};

    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        CHECK_STATUS(mf_cts_encrypt(&cipher, variants[i], iv, out, text, n_bytes), MF_OK);
        CHECK_STATUS(mf_cts_decrypt(&cipher, variants[i], iv, back, out, n_bytes), MF_OK);
    }
}

static void run_xts(void)
{
    mf_xts xts;

    CHECK_STATUS(mf_xts_init(&xts, &cipher, &cipher), MF_OK);
    CHECK_STATUS(mf_xts_encrypt(&xts, iv, out, text, n_bytes), MF_OK);
    CHECK_STATUS(mf_xts_decrypt(&xts, iv, back, out, n_bytes), MF_OK);
    mf_xts_wipe(&xts);
}

/* Four sectors, whose length may ask for ciphertext stealing. */
static void run_xts_sectors(void)
{
    const size_t sector_bytes = n_bytes / 4;
    const size_t whole = 4 * sector_bytes;
    mf_xts xts;

    CHECK_STATUS(mf_xts_init(&xts, &cipher, &cipher), MF_OK);
    CHECK_STATUS(mf_xts_encrypt_sectors(&xts, 77, sector_bytes, out, text, whole), MF_OK);
    CHECK_STATUS(mf_xts_decrypt_sectors(&xts, 77, sector_bytes, back, out, whole), MF_OK);
    mf_xts_wipe(&xts);
    memcpy(out + whole, text + whole, n_bytes - whole);
    memcpy(back + whole, text + whole, n_bytes - whole);
}

/* --- Authentication --------------------------------------------------------------------------- */

enum { TAG = 16 };

/* One that takes n_bytes of text to out and a tag, and one that takes out to back if the tag is
 * right. Each with associated data. */
typedef struct sealing {
    mf_status (*seal)(unsigned char tag[TAG]);
    mf_status (*open)(const unsigned char tag[TAG]);
} sealing;

static void run_sealing(const sealing *s)
{
    unsigned char tag[TAG];

    CHECK_STATUS(s->seal(tag), MF_OK);
    CHECK(is_secret(tag, cipher.block_bytes)); /* none is longer */
    tag[5] ^= 1;
    CHECK_STATUS(s->open(tag), MF_ERROR_TAG);
    tag[5] ^= 1;
    CHECK_STATUS(s->open(tag), MF_OK);
}

static mf_status seal_ocb(unsigned char tag[TAG])
{
    mf_ocb ocb;

    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_OK);
    return mf_ocb_encrypt(&ocb, nonce, sizeof nonce, aad, sizeof aad, out, text, n_bytes, tag);
}

static mf_status open_ocb(const unsigned char tag[TAG])
{
    mf_ocb ocb;

    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_OK);
    return mf_ocb_decrypt(&ocb, nonce, sizeof nonce, aad, sizeof aad, back, out, n_bytes, tag);
}

/* The text in two pieces of any length, and its end before the tag. */
static mf_status seal_ocb_pieces(unsigned char tag[TAG])
{
    mf_ocb ocb;
    size_t done, n;

    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_OK);
    CHECK_STATUS(mf_ocb_start(&ocb, nonce, sizeof nonce), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, aad, sizeof aad), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, out, n_bytes, &done, text, n_bytes / 3), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_last(&ocb, out + done, n_bytes, &n, text + n_bytes / 3,
                                     n_bytes - n_bytes / 3),
                 MF_OK);
    const mf_status status = mf_ocb_encrypt_finish(&ocb, NULL, 0, &n, NULL, 0, tag);
    mf_ocb_wipe(&ocb);
    return status;
}

static mf_status open_ocb_pieces(const unsigned char tag[TAG])
{
    mf_ocb ocb;
    size_t done, n;

    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_OK);
    CHECK_STATUS(mf_ocb_start(&ocb, nonce, sizeof nonce), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, aad, sizeof aad), MF_OK);
    CHECK_STATUS(mf_ocb_decrypt_update(&ocb, back, n_bytes, &done, out, n_bytes / 3), MF_OK);
    CHECK_STATUS(mf_ocb_decrypt_last(&ocb, back + done, n_bytes, &n, out + n_bytes / 3,
                                     n_bytes - n_bytes / 3),
                 MF_OK);
    const mf_status status = mf_ocb_decrypt_finish(&ocb, NULL, 0, &n, NULL, 0, tag);
    mf_ocb_wipe(&ocb);
    return status;
}

static mf_status seal_eax(unsigned char tag[TAG])
{
    mf_eax eax;

    CHECK_STATUS(mf_eax_init(&eax, &cipher), MF_OK);
    return mf_eax_encrypt(&eax, nonce, sizeof nonce, aad, sizeof aad, out, text, n_bytes, tag,
                          cipher.block_bytes);
}

static mf_status open_eax(const unsigned char tag[TAG])
{
    mf_eax eax;

    CHECK_STATUS(mf_eax_init(&eax, &cipher), MF_OK);
    return mf_eax_decrypt(&eax, nonce, sizeof nonce, aad, sizeof aad, back, out, n_bytes, tag,
                          cipher.block_bytes);
}

/* Associated data and text in two pieces each, the second piece of the text beside the tag. */
static void begin_eax(mf_eax *eax)
{
    CHECK_STATUS(mf_eax_init(eax, &cipher), MF_OK);
    CHECK_STATUS(mf_eax_start(eax, nonce, sizeof nonce), MF_OK);
    CHECK_STATUS(mf_eax_aad(eax, aad, 33), MF_OK);
    CHECK_STATUS(mf_eax_aad(eax, aad + 33, sizeof aad - 33), MF_OK);
}

static mf_status seal_eax_pieces(unsigned char tag[TAG])
{
    const size_t first = n_bytes / 3;
    mf_eax eax;

    begin_eax(&eax);
    CHECK_STATUS(mf_eax_encrypt_update(&eax, out, text, first), MF_OK);
    const mf_status status = mf_eax_encrypt_finish(&eax, out + first, text + first, n_bytes - first,
                                                   tag, cipher.block_bytes);
    mf_eax_wipe(&eax);
    return status;
}

static mf_status open_eax_pieces(const unsigned char tag[TAG])
{
    const size_t first = n_bytes / 3;
    mf_eax eax;

    begin_eax(&eax);
    CHECK_STATUS(mf_eax_decrypt_update(&eax, back, out, first), MF_OK);
    const mf_status status = mf_eax_decrypt_finish(&eax, back + first, out + first, n_bytes - first,
                                                   tag, cipher.block_bytes);
    mf_eax_wipe(&eax);
    return status;
}

enum { CCM_NONCE = 13 };

static mf_status seal_ccm(unsigned char tag[TAG])
{
    return mf_ccm_encrypt(&cipher, nonce, CCM_NONCE, aad, sizeof aad, out, text, n_bytes, tag, TAG);
}

static mf_status open_ccm(const unsigned char tag[TAG])
{
    return mf_ccm_decrypt(&cipher, nonce, CCM_NONCE, aad, sizeof aad, back, out, n_bytes, tag, TAG);
}

/* The text in three pieces. */
static mf_status crypt_ccm(mf_ccm *ccm, mf_status (*update)(mf_ccm *, void *, const void *, size_t),
                           unsigned char *to, const unsigned char *from)
{
    CHECK_STATUS(mf_ccm_start(ccm, &cipher, nonce, CCM_NONCE, sizeof aad, n_bytes, TAG), MF_OK);
    CHECK_STATUS(mf_ccm_aad(ccm, aad, sizeof aad), MF_OK);
    CHECK_STATUS(update(ccm, to, from, n_bytes / 3), MF_OK);
    return update(ccm, to + n_bytes / 3, from + n_bytes / 3, n_bytes - n_bytes / 3);
}

static mf_status seal_ccm_pieces(unsigned char tag[TAG])
{
    mf_ccm ccm;

    CHECK_STATUS(crypt_ccm(&ccm, mf_ccm_encrypt_update, out, text), MF_OK);
    const mf_status status = mf_ccm_encrypt_finish(&ccm, NULL, NULL, 0, tag, TAG);
    mf_ccm_wipe(&ccm);
    return status;
}

static mf_status open_ccm_pieces(const unsigned char tag[TAG])
{
    mf_ccm ccm;

    CHECK_STATUS(crypt_ccm(&ccm, mf_ccm_decrypt_update, back, out), MF_OK);
    const mf_status status = mf_ccm_decrypt_finish(&ccm, NULL, NULL, 0, tag, TAG);
    mf_ccm_wipe(&ccm);
    return status;
}

static mf_status seal_siv(unsigned char tag[TAG])
{
    const mf_siv_string strings[2] = {{aad, 33}, {aad, sizeof aad}};
    mf_siv siv;

    CHECK_STATUS(mf_siv_init(&siv, &cipher, &cipher), MF_OK);
    return mf_siv_encrypt(&siv, strings, 2, nonce, sizeof nonce, out, text, n_bytes, tag);
}

static mf_status open_siv(const unsigned char tag[TAG])
{
    const mf_siv_string strings[2] = {{aad, 33}, {aad, sizeof aad}};
    mf_siv siv;

    CHECK_STATUS(mf_siv_init(&siv, &cipher, &cipher), MF_OK);
    const mf_status status =
        mf_siv_decrypt(&siv, strings, 2, nonce, sizeof nonce, back, out, n_bytes, tag);
    mf_siv_wipe(&siv);
    return status;
}

/* IVs of 12 bytes, and of other lengths, which go through GHASH. */
static size_t gcm_iv_bytes;

static mf_status seal_gcm(unsigned char tag[TAG])
{
    mf_gcm gcm;

    CHECK_STATUS(mf_gcm_init(&gcm, &cipher), MF_OK);
    return mf_gcm_encrypt(&gcm, iv, gcm_iv_bytes, aad, sizeof aad, out, text, n_bytes, tag, TAG);
}

static mf_status open_gcm(const unsigned char tag[TAG])
{
    mf_gcm gcm;

    CHECK_STATUS(mf_gcm_init(&gcm, &cipher), MF_OK);
    return mf_gcm_decrypt(&gcm, iv, gcm_iv_bytes, aad, sizeof aad, back, out, n_bytes, tag, TAG);
}

/* Associated data and text in two pieces each, the second piece of the text beside the tag. */
static void begin_gcm(mf_gcm *gcm)
{
    CHECK_STATUS(mf_gcm_init(gcm, &cipher), MF_OK);
    CHECK_STATUS(mf_gcm_start(gcm, iv, gcm_iv_bytes), MF_OK);
    CHECK_STATUS(mf_gcm_aad(gcm, aad, 33), MF_OK);
    CHECK_STATUS(mf_gcm_aad(gcm, aad + 33, sizeof aad - 33), MF_OK);
}

static mf_status seal_gcm_pieces(unsigned char tag[TAG])
{
    const size_t first = n_bytes / 3;
    mf_gcm gcm;

    begin_gcm(&gcm);
    CHECK_STATUS(mf_gcm_encrypt_update(&gcm, out, text, first), MF_OK);
    const mf_status status =
        mf_gcm_encrypt_finish(&gcm, out + first, text + first, n_bytes - first, tag, TAG);
    mf_gcm_wipe(&gcm);
    return status;
}

static mf_status open_gcm_pieces(const unsigned char tag[TAG])
{
    const size_t first = n_bytes / 3;
    mf_gcm gcm;

    begin_gcm(&gcm);
    CHECK_STATUS(mf_gcm_decrypt_update(&gcm, back, out, first), MF_OK);
    const mf_status status =
        mf_gcm_decrypt_finish(&gcm, back + first, out + first, n_bytes - first, tag, TAG);
    mf_gcm_wipe(&gcm);
    return status;
}

static void run_ocb(void)
{
    run_sealing(&(sealing){seal_ocb, open_ocb});
}

static void run_ocb_pieces(void)
{
    run_sealing(&(sealing){seal_ocb_pieces, open_ocb_pieces});
}

static void run_eax(void)
{
    run_sealing(&(sealing){seal_eax, open_eax});
}

static void run_eax_pieces(void)
{
    run_sealing(&(sealing){seal_eax_pieces, open_eax_pieces});
}

static void run_ccm(void)
{
    run_sealing(&(sealing){seal_ccm, open_ccm});
}

static void run_ccm_pieces(void)
{
    run_sealing(&(sealing){seal_ccm_pieces, open_ccm_pieces});
}

static void run_siv(void)
{
    run_sealing(&(sealing){seal_siv, open_siv});
}

/* With each GHASH that can run here. */
static void run_each_gcm(const sealing *s)
{
    for (size_t i = 0; mf_ghash_variants[i] != NULL; i++) {
        const uint32_t features = mf_ghash_variants[i]->cpu_features;

        if (mf_cpu_has(features)) {
            mf_cpu_mask(features);
            CHECK(mf_ghash_best() == mf_ghash_variants[i]);
            gcm_iv_bytes = 12;
            run_sealing(s);
            gcm_iv_bytes = sizeof iv;
            run_sealing(s);
            mf_cpu_mask(UINT32_MAX);
        }
    }
}

static void run_gcm(void)
{
    run_each_gcm(&(sealing){seal_gcm, open_gcm});
}

static void run_gcm_pieces(void)
{
    run_each_gcm(&(sealing){seal_gcm_pieces, open_gcm_pieces});
}

/* No text leaves, only the tag does. */
static void run_cmac(void)
{
    const size_t tag_bytes = cipher.block_bytes;
    unsigned char tag[TAG];
    mf_cmac cmac;

    CHECK_STATUS(mf_cmac_init(&cmac, &cipher), MF_OK);
    CHECK_STATUS(mf_cmac_compute(&cmac, text, n_bytes, tag, tag_bytes), MF_OK);
    CHECK(is_secret(tag, tag_bytes));
    CHECK_STATUS(mf_cmac_verify(&cmac, text, n_bytes, tag, tag_bytes), MF_OK);
    tag[3] ^= 0x10;
    CHECK_STATUS(mf_cmac_verify(&cmac, text, n_bytes, tag, tag_bytes), MF_ERROR_TAG);
    mf_cmac_wipe(&cmac);
    memcpy(out, text, n_bytes);
    memcpy(back, text, n_bytes);
}

static void update_cmac(mf_cmac *cmac)
{
    CHECK_STATUS(mf_cmac_update(cmac, text, n_bytes / 3), MF_OK);
    CHECK_STATUS(mf_cmac_update(cmac, text + n_bytes / 3, n_bytes - n_bytes / 3), MF_OK);
}

static void run_cmac_pieces(void)
{
    const size_t tag_bytes = cipher.block_bytes;
    unsigned char tag[TAG];
    mf_cmac cmac;

    CHECK_STATUS(mf_cmac_init(&cmac, &cipher), MF_OK);
    update_cmac(&cmac);
    CHECK_STATUS(mf_cmac_finish(&cmac, tag, tag_bytes), MF_OK);
    CHECK(is_secret(tag, tag_bytes));
    update_cmac(&cmac);
    CHECK_STATUS(mf_cmac_finish_verify(&cmac, tag, tag_bytes), MF_OK);
    tag[3] ^= 0x10;
    update_cmac(&cmac);
    CHECK_STATUS(mf_cmac_finish_verify(&cmac, tag, tag_bytes), MF_ERROR_TAG);
    mf_cmac_wipe(&cmac);
    memcpy(out, text, n_bytes);
    memcpy(back, text, n_bytes);
}

/* --- Many messages ---------------------------------------------------------------------------- */

enum { MAX_MANY = MAX_BYTES / 8 + 1, MANY_TAG = 8 };

/* The text as messages of one to seven blocks, most of them with a rest where a mode takes one:
 * more than there are lanes for blocks of 16 bytes. */
static mf_message many[MAX_MANY];
static unsigned char many_tags[MAX_MANY][TAG];
static size_t n_many;

/* With room for the padding of each message. */
static unsigned char sealed[2 * MAX_BYTES + BLOCK];

/* Each output has room for `room` bytes more than its message. */
static void split_text(const void *start, size_t start_bytes, unsigned char *to,
                       const unsigned char *from, bool has_rests, size_t room)
{
    const size_t block = cipher.block_bytes;

    memset(many, 0, sizeof many);
    n_many = 0;
    for (size_t done = 0; done < n_bytes; n_many++) {
        const size_t length = (1 + n_many % 7) * block + (has_rests ? n_many % 5 : 0);
        mf_message *m = &many[n_many];

        m->nonce = start;
        m->nonce_bytes = start_bytes;
        m->in = from + done;
        m->n_bytes = length < n_bytes - done ? length : n_bytes - done;
        m->out = to + done + n_many * room;
        m->tag = many_tags[n_many];
        done += m->n_bytes;
    }
}

/* The outputs become the inputs. */
static void turn_around(unsigned char *to)
{
    for (size_t i = 0; i < n_many; i++) {
        many[i].in = many[i].out;
        many[i].out = to + ((unsigned char *)many[i].out - out);
    }
}

typedef mf_status many_crypt(const mf_cipher *, mf_message *, size_t);

static void crypt_many(many_crypt *encrypt, many_crypt *decrypt, bool has_rests)
{
    split_text(iv, cipher.block_bytes, out, text, has_rests, 0);
    CHECK_STATUS(encrypt(&cipher, many, n_many), MF_OK);
    turn_around(back);
    CHECK_STATUS(decrypt(&cipher, many, n_many), MF_OK);
}

static void run_cbc_many(void)
{
    crypt_many(mf_cbc_encrypt_many, mf_cbc_decrypt_many, false);
}

static void run_cfb_many(void)
{
    crypt_many(mf_cfb_encrypt_many, mf_cfb_decrypt_many, true);
}

static void run_ofb_many(void)
{
    crypt_many(mf_ofb_crypt_many, mf_ofb_crypt_many, true);
}

static mf_status ctr_many(const mf_cipher *over, mf_message *messages, size_t n)
{
    return mf_ctr_crypt_many(over, (unsigned)(8 * over->block_bytes), messages, n);
}

static mf_status ctr_32_many(const mf_cipher *over, mf_message *messages, size_t n)
{
    return mf_ctr_crypt_many(over, 32, messages, n);
}

static void run_ctr_many(void)
{
    crypt_many(ctr_many, ctr_many, true);
}

static void run_ctr_32_many(void)
{
    crypt_many(ctr_32_many, ctr_32_many, true);
}

/* Decrypted in place. */
static void run_cbc_padded_many(void)
{
    size_t done = 0;

    split_text(iv, cipher.block_bytes, sealed, text, true, cipher.block_bytes);
    CHECK_STATUS(mf_cbc_encrypt_padded_many(&cipher, many, n_many), MF_OK);
    for (size_t i = 0; i < n_many; i++) {
        memcpy(out + done, many[i].out, many[i].n_bytes);
        done += many[i].n_bytes;
        many[i].in = many[i].out;
        many[i].n_bytes = many[i].out_bytes;
    }
    done = 0;
    CHECK_STATUS(mf_cbc_decrypt_padded_many(&cipher, many, n_many), MF_OK);
    for (size_t i = 0; i < n_many; i++) {
        mark_public(&many[i].out_bytes, sizeof many[i].out_bytes);
        memcpy(back + done, many[i].out, many[i].out_bytes);
        done += many[i].out_bytes;
    }
    CHECK(done == n_bytes);
}

/* Each message ends in a byte of no padding. */
static void run_cbc_bad_padding_many(void)
{
    split_text(iv, cipher.block_bytes, out, text, false, 0);
    for (size_t i = 0; i < n_many; i++) {
        unsigned char *last = text + ((const unsigned char *)many[i].in - text) + many[i].n_bytes;
        last[-1] = 0;
        mark_secret(last - 1, 1);
    }
    CHECK_STATUS(mf_cbc_encrypt_many(&cipher, many, n_many), MF_OK);
    turn_around(back);
    CHECK_STATUS(mf_cbc_decrypt_padded_many(&cipher, many, n_many), MF_ERROR_PADDING);
    memcpy(back, text, n_bytes); /* it was wiped */
}

static void give_tags(size_t tag_bytes)
{
    for (size_t i = 0; i < n_many; i++) {
        many[i].tag_bytes = tag_bytes;
    }
}

static void run_cmac_many(void)
{
    mf_cmac cmac;

    split_text(NULL, 0, out, text, true, 0);
    give_tags(MANY_TAG);
    CHECK_STATUS(mf_cmac_init(&cmac, &cipher), MF_OK);
    CHECK_STATUS(mf_cmac_compute_many(&cmac, many, n_many), MF_OK);
    CHECK(is_secret(many_tags[n_many - 1], MANY_TAG));
    CHECK_STATUS(mf_cmac_verify_many(&cmac, many, n_many), MF_OK);
    many_tags[n_many / 2][3] ^= 0x10;
    CHECK_STATUS(mf_cmac_verify_many(&cmac, many, n_many), MF_ERROR_TAG);
    mf_cmac_wipe(&cmac);
    memcpy(out, text, n_bytes);
    memcpy(back, text, n_bytes);
}

/* The context of a mode; CCM has none. */
typedef union many_key {
    mf_ocb ocb;
    mf_eax eax;
    mf_gcm gcm;
    mf_siv siv;
} many_key;

typedef mf_status many_seal(const many_key *key, mf_message *messages, size_t n);

static void seal_many(const many_key *k, many_seal *seal, many_seal *open, const void *start,
                      size_t start_bytes, size_t tag_bytes)
{
    split_text(start, start_bytes, out, text, true, 0);
    give_tags(tag_bytes);
    for (size_t i = 0; i < n_many; i++) {
        many[i].aad = aad;
        many[i].aad_bytes = i == 0 ? sizeof aad : 7 * (i % 6);
    }
    CHECK_STATUS(seal(k, many, n_many), MF_OK);
    CHECK(is_secret(many_tags[n_many - 1], tag_bytes));
    turn_around(back);
    many_tags[n_many / 2][3] ^= 0x10;
    CHECK_STATUS(open(k, many, n_many), MF_ERROR_TAG);
    many_tags[n_many / 2][3] ^= 0x10;
    CHECK_STATUS(open(k, many, n_many), MF_OK);
}

/* Both directions of a mode over its key. */
#define MANY(name, key)                                                                            \
    static mf_status seal_##name##_many(const many_key *k, mf_message *messages, size_t n)         \
    {                                                                                              \
        (void)k;                                                                                   \
        return mf_##name##_encrypt_many(key, messages, n);                                         \
    }                                                                                              \
    static mf_status open_##name##_many(const many_key *k, mf_message *messages, size_t n)         \
    {                                                                                              \
        (void)k;                                                                                   \
        return mf_##name##_decrypt_many(key, messages, n);                                         \
    }

MANY(ocb, &k->ocb)
MANY(eax, &k->eax)
MANY(gcm, &k->gcm)
MANY(ccm, &cipher)
MANY(siv, &k->siv)

static void run_ocb_many(void)
{
    many_key k;
    CHECK_STATUS(mf_ocb_init(&k.ocb, &cipher), MF_OK);
    seal_many(&k, seal_ocb_many, open_ocb_many, nonce, sizeof nonce, TAG);
}

static void run_eax_many(void)
{
    many_key k;
    CHECK_STATUS(mf_eax_init(&k.eax, &cipher), MF_OK);
    seal_many(&k, seal_eax_many, open_eax_many, nonce, sizeof nonce, cipher.block_bytes);
}

static void run_ccm_many(void)
{
    seal_many(NULL, seal_ccm_many, open_ccm_many, nonce, CCM_NONCE, TAG);
}

/* IVs of 12 bytes and of another length. Variants of GHASH are the matter of run_each_gcm. */
static void run_gcm_many(void)
{
    many_key k;
    CHECK_STATUS(mf_gcm_init(&k.gcm, &cipher), MF_OK);
    seal_many(&k, seal_gcm_many, open_gcm_many, iv, 12, TAG);
    seal_many(&k, seal_gcm_many, open_gcm_many, iv, sizeof iv, TAG);
}

static void run_siv_many(void)
{
    many_key k;
    CHECK_STATUS(mf_siv_init(&k.siv, &cipher, &cipher), MF_OK);
    seal_many(&k, seal_siv_many, open_siv_many, nonce, sizeof nonce, TAG);
}

/* --- All of them ------------------------------------------------------------------------------ */

typedef struct mode {
    const char *name;
    size_t block_bytes; /* that it needs; 0 for any */
    bool whole_blocks;
    size_t least_bytes;
    void (*run)(void);
} mode;

static const mode modes[] = {
    {"ECB", 0, true, 0, run_ecb},
    {"CBC", 0, true, 0, run_cbc},
    {"CBC padded", 0, false, 0, run_cbc_padded},
    {"CBC, bad padding", 0, true, 0, run_cbc_bad_padding},
    {"CBC padded by ISO 7816-4", 0, false, 0, run_cbc_iso_padded},
    {"CBC, bad padding by ISO 7816-4", 0, true, 0, run_cbc_bad_iso_padding},
    {"CBC with ciphertext stealing", 0, false, 16, run_cts},
    {"CFB", 0, false, 0, run_cfb},
    {"CFB of 8 bits", 0, false, 0, run_cfb_8},
    {"CFB of 1 bit", 0, false, 0, run_cfb_1},
    {"OFB", 0, false, 0, run_ofb},
    {"CTR", 0, false, 0, run_ctr},
    {"CTR of 32 bits", 0, false, 0, run_ctr_32},
    {"XTS", 16, false, 16, run_xts},
    {"XTS of sectors", 16, false, 64, run_xts_sectors},
    {"CMAC", 0, false, 0, run_cmac},
    {"CMAC in pieces", 0, false, 0, run_cmac_pieces},
    {"OCB", 16, false, 0, run_ocb},
    {"OCB in pieces", 16, false, 0, run_ocb_pieces},
    {"EAX", 0, false, 0, run_eax},
    {"EAX in pieces", 0, false, 0, run_eax_pieces},
    {"CCM", 16, false, 0, run_ccm},
    {"CCM in pieces", 16, false, 0, run_ccm_pieces},
    {"SIV", 16, false, 0, run_siv},
    {"GCM", 16, false, 0, run_gcm},
    {"GCM in pieces", 16, false, 0, run_gcm_pieces},
    {"CBC of many", 0, true, 0, run_cbc_many},
    {"CBC padded, of many", 0, false, 0, run_cbc_padded_many},
    {"CBC, bad padding, of many", 0, true, 0, run_cbc_bad_padding_many},
    {"CFB of many", 0, false, 0, run_cfb_many},
    {"OFB of many", 0, false, 0, run_ofb_many},
    {"CTR of many", 0, false, 0, run_ctr_many},
    {"CTR of 32 bits, of many", 0, false, 0, run_ctr_32_many},
    {"CMAC of many", 0, false, 0, run_cmac_many},
    {"OCB of many", 16, false, 0, run_ocb_many},
    {"EAX of many", 0, false, 0, run_eax_many},
    {"CCM of many", 16, false, 0, run_ccm_many},
    {"GCM of many", 16, false, 0, run_gcm_many},
    {"SIV of many", 16, false, 0, run_siv_many},
};

/* CFB of few bits encrypts a block for each: long texts take minutes, and show no more. */
static bool is_too_long(const mode *m, size_t length)
{
    return (m->run == run_cfb_1 || m->run == run_cfb_8) && length > 83;
}

static void test_mode(const mode *m, const char *cipher_name)
{
    static const size_t lengths[] = {5, BLOCK, 83, 1040, MAX_BYTES - 3, 0};

    for (const size_t *length = lengths; *length != 0 && !is_too_long(m, *length); length++) {
        n_bytes = *length < m->least_bytes ? m->least_bytes : *length;
        if (m->whole_blocks) {
            n_bytes += (cipher.block_bytes - n_bytes % cipher.block_bytes) % cipher.block_bytes;
        }
        test_case("%s over %s, %zu bytes", m->name, cipher_name, n_bytes);
        watch();
        m->run();
        check_silent();
        CHECK(is_secret(out, n_bytes) && is_secret(back, n_bytes));
        check_same_text(n_bytes);
        mark_secret(text, n_bytes);
    }
}

void test_modes(const mf_cipher *over, const char *cipher_name)
{
    cipher = *over;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].block_bytes == 0 || modes[i].block_bytes == cipher.block_bytes) {
            test_mode(&modes[i], cipher_name);
        }
    }
}

void test_modes_over_toys(void)
{
    wide_toy_key wide_key;
    toy_key narrow_key;

    new_secrets();
    const mf_cipher wide = wide_toy_cipher(&wide_key);
    test_modes(&wide, "a toy cipher");
    const mf_cipher narrow = narrow_toy_cipher(&narrow_key);
    test_modes(&narrow, "a toy cipher of 8-byte blocks");
}
