/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Common to the authenticated modes: nonce and associated data may lie in the output, the
 * tag where the input was; and after a message, finished, forged or refused, its context is as it
 * was before. The same for CMAC, as far as it has these. Each mode has tests of its own.
 */
#include "support.h"

#include <manyfish/aead.h>

#include <string.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, TAG = 16, NONCE = 12, AAD = 21, TEXT = 2400 };

static const char *kernel_name;
static mf_twofish ctx;
static mf_cipher cipher;
static mf_ocb ocb;
static mf_eax eax;
static mf_gcm gcm;
static mf_siv siv;
static mf_cmac cmac;

/* --- One table of the modes ------------------------------------------------------------------- */

typedef struct message {
    const void *nonce;
    const void *aad;
    size_t aad_bytes;
    void *out;
    const void *in;
    size_t n_bytes;
    unsigned char *tag;
} message;

static mf_status ocb_seal(const message *m)
{
    return mf_ocb_encrypt(&ocb, m->nonce, NONCE, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes,
                          m->tag);
}

static mf_status ocb_open(const message *m)
{
    return mf_ocb_decrypt(&ocb, m->nonce, NONCE, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes,
                          m->tag);
}

static mf_status ocb_begin(const message *m)
{
    size_t n;

    CHECK_STATUS(mf_ocb_start(&ocb, m->nonce, NONCE), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, m->aad, m->aad_bytes), MF_OK);
    return mf_ocb_encrypt_update(&ocb, m->out, TEXT, &n, m->in, TEXT / 2 + 5);
}

static mf_status ocb_finish(const message *m)
{
    size_t n;

    return mf_ocb_encrypt_finish(&ocb, m->out, TEXT, &n, m->in, 7, m->tag);
}

static mf_status ocb_restart(const void *nonce, size_t nonce_bytes)
{
    return mf_ocb_start(&ocb, nonce, nonce_bytes);
}

static mf_status eax_seal(const message *m)
{
    return mf_eax_encrypt(&eax, m->nonce, NONCE, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes,
                          m->tag, TAG);
}

static mf_status eax_open(const message *m)
{
    return mf_eax_decrypt(&eax, m->nonce, NONCE, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes,
                          m->tag, TAG);
}

static mf_status eax_begin(const message *m)
{
    CHECK_STATUS(mf_eax_start(&eax, m->nonce, NONCE), MF_OK);
    CHECK_STATUS(mf_eax_aad(&eax, m->aad, m->aad_bytes), MF_OK);
    return mf_eax_encrypt_update(&eax, m->out, m->in, TEXT / 2 + 5);
}

static mf_status eax_finish(const message *m)
{
    return mf_eax_encrypt_finish(&eax, m->out, m->in, 7, m->tag, TAG);
}

static mf_status eax_restart(const void *nonce, size_t nonce_bytes)
{
    return mf_eax_start(&eax, nonce, nonce_bytes);
}

static mf_status gcm_seal(const message *m)
{
    return mf_gcm_encrypt(&gcm, m->nonce, NONCE, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes,
                          m->tag, TAG);
}

static mf_status gcm_open(const message *m)
{
    return mf_gcm_decrypt(&gcm, m->nonce, NONCE, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes,
                          m->tag, TAG);
}

static mf_status gcm_begin(const message *m)
{
    CHECK_STATUS(mf_gcm_start(&gcm, m->nonce, NONCE), MF_OK);
    CHECK_STATUS(mf_gcm_aad(&gcm, m->aad, m->aad_bytes), MF_OK);
    return mf_gcm_encrypt_update(&gcm, m->out, m->in, TEXT / 2 + 5);
}

static mf_status gcm_finish(const message *m)
{
    return mf_gcm_encrypt_finish(&gcm, m->out, m->in, 7, m->tag, TAG);
}

static mf_status gcm_restart(const void *nonce, size_t nonce_bytes)
{
    return mf_gcm_start(&gcm, nonce, nonce_bytes);
}

static mf_status ccm_seal(const message *m)
{
    return mf_ccm_encrypt(&cipher, m->nonce, NONCE, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes,
                          m->tag, TAG);
}

static mf_status ccm_open(const message *m)
{
    return mf_ccm_decrypt(&cipher, m->nonce, NONCE, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes,
                          m->tag, TAG);
}

static mf_status siv_seal(const message *m)
{
    const mf_siv_string string = {m->aad, m->aad_bytes};

    return mf_siv_encrypt(&siv, &string, 1, m->nonce, NONCE, m->out, m->in, m->n_bytes, m->tag);
}

static mf_status siv_open(const message *m)
{
    const mf_siv_string string = {m->aad, m->aad_bytes};

    return mf_siv_decrypt(&siv, &string, 1, m->nonce, NONCE, m->out, m->in, m->n_bytes, m->tag);
}

typedef struct mode {
    const char *name;
    mf_status (*seal)(const message *m);
    mf_status (*open)(const message *m);
    /* Of modes that take a message in pieces: half of one, its end, and the start of the next. */
    mf_status (*begin)(const message *m);
    mf_status (*finish)(const message *m);
    mf_status (*restart)(const void *nonce, size_t nonce_bytes);
    const void *context; /* NULL if there is none that calls change */
    size_t context_bytes;
} mode;

static const mode modes[] = {
    {"OCB", ocb_seal, ocb_open, ocb_begin, ocb_finish, ocb_restart, &ocb, sizeof ocb},
    {"EAX", eax_seal, eax_open, eax_begin, eax_finish, eax_restart, &eax, sizeof eax},
    {"GCM", gcm_seal, gcm_open, gcm_begin, gcm_finish, gcm_restart, &gcm, sizeof gcm},
    {"CCM", ccm_seal, ccm_open, NULL, NULL, NULL, NULL, 0},
    {"SIV", siv_seal, siv_open, NULL, NULL, NULL, &siv, sizeof siv},
};

enum { N_MODES = sizeof modes / sizeof modes[0] };

/* --- Where arguments may lie ------------------------------------------------------------------ */

static unsigned char nonce[NONCE], aad[AAD], text[TEXT], sealed[TEXT], tag[TAG];

static void make_message(const mode *m)
{
    random_bytes(nonce, sizeof nonce);
    random_bytes(aad, sizeof aad);
    random_bytes(text, sizeof text);
    CHECK_STATUS(m->seal(&(message){nonce, aad, AAD, sealed, text, TEXT, tag}), MF_OK);
}

/* Nonce and associated data stand at this place of the output, where `from` is turned into `to`. */
static void check_inputs_in_output(mf_status (*crypt)(const message *m), size_t at,
                                   const unsigned char *from, const unsigned char *to,
                                   unsigned char *found_tag)
{
    unsigned char out[TEXT + NONCE + AAD];

    random_bytes(out, sizeof out);
    memcpy(out + at, nonce, NONCE);
    memcpy(out + at + NONCE, aad, AAD);
    CHECK_STATUS(crypt(&(message){out + at, out + at + NONCE, AAD, out, from, TEXT, found_tag}),
                 MF_OK);
    CHECK_BYTES(out, to, TEXT);
    CHECK_BYTES(found_tag, tag, TAG);
}

static void test_inputs_in_output(const mode *m)
{
    static const size_t places[] = {0, 1, 100, 2040, TEXT - NONCE, TEXT - 1};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        unsigned char found_tag[TAG] = {0};

        test_case("%s, %s, nonce and associated data at %zu of the output", kernel_name, m->name,
                  places[i]);
        make_message(m);
        check_inputs_in_output(m->seal, places[i], text, sealed, found_tag);
        check_inputs_in_output(m->open, places[i], sealed, text, found_tag);
    }
}

/* The tag is written to where the input, the nonce or the associated data was. */
static void test_tag_over_inputs(const mode *m)
{
    unsigned char in[TEXT], out[TEXT], old_nonce[TAG], old_aad[AAD];

    test_case("%s, %s, the tag over what was read", kernel_name, m->name);
    make_message(m);
    for (size_t at = 0; at + TAG <= TEXT; at += 149) {
        memcpy(in, text, TEXT);
        CHECK_STATUS(m->seal(&(message){nonce, aad, AAD, out, in, TEXT, in + at}), MF_OK);
        CHECK_BYTES(out, sealed, TEXT);
        CHECK_BYTES(in + at, tag, TAG);
    }
    memcpy(old_nonce, nonce, NONCE);
    CHECK_STATUS(m->seal(&(message){old_nonce, aad, AAD, out, text, TEXT, old_nonce}), MF_OK);
    CHECK_BYTES(out, sealed, TEXT);
    CHECK_BYTES(old_nonce, tag, TAG);
    memcpy(old_aad, aad, AAD);
    CHECK_STATUS(m->seal(&(message){nonce, old_aad, AAD, out, text, TEXT, old_aad}), MF_OK);
    CHECK_BYTES(out, sealed, TEXT);
    CHECK_BYTES(old_aad, tag, TAG);
}

/* No byte is no overlap, wherever it may lie. */
static void test_empty_in_tag(const mode *m)
{
    unsigned char found_tag[TAG];

    test_case("%s, %s, the empty output of an empty text within the tag", kernel_name, m->name);
    make_message(m);
    CHECK_STATUS(m->seal(&(message){nonce, aad, AAD, NULL, NULL, 0, tag}), MF_OK);
    CHECK_STATUS(m->seal(&(message){nonce, aad, AAD, found_tag + 3, found_tag + 3, 0, found_tag}),
                 MF_OK);
    CHECK_BYTES(found_tag, tag, TAG);
    CHECK_STATUS(m->open(&(message){nonce, aad, AAD, tag + 5, tag + 5, 0, tag}), MF_OK);
}

/* --- What contexts keep ----------------------------------------------------------------------- */

static unsigned char fresh[sizeof(mf_ocb) + sizeof(mf_eax) + sizeof(mf_gcm)];

static void check_keeps_nothing(const mode *m, const char *after)
{
    test_case("%s, %s, the context after %s", kernel_name, m->name, after);
    CHECK_BYTES(m->context, fresh, m->context_bytes);
}

static void test_context(const mode *m)
{
    const message whole = {nonce, aad, AAD, sealed, text, TEXT, tag};
    const message forged = {nonce, aad, AAD, text, sealed, TEXT, tag};
    const message refused = {nonce, aad, AAD, sealed, text, TEXT, NULL};

    if (m->context == NULL) {
        return;
    }
    memcpy(fresh, m->context, m->context_bytes);
    make_message(m);
    check_keeps_nothing(m, "a message");
    CHECK_STATUS(m->open(&(message){nonce, aad, AAD, text, sealed, TEXT, tag}), MF_OK);
    check_keeps_nothing(m, "a decrypted one");
    tag[3] ^= 1;
    CHECK_STATUS(m->open(&forged), MF_ERROR_TAG);
    check_keeps_nothing(m, "a forged one");
    CHECK_STATUS(m->seal(&refused), MF_ERROR_NULL);
    check_keeps_nothing(m, "a refused one");
    if (m->begin != NULL) {
        CHECK_STATUS(m->begin(&whole), MF_OK);
        CHECK_STATUS(m->finish(&whole), MF_OK);
        check_keeps_nothing(m, "a message in pieces");
        CHECK_STATUS(m->begin(&whole), MF_OK);
        CHECK_STATUS(m->seal(&refused), MF_ERROR_NULL);
        check_keeps_nothing(m, "half a message and a refused one");
        CHECK_STATUS(m->begin(&whole), MF_OK);
        CHECK_STATUS(m->restart(NULL, NONCE), MF_ERROR_NULL);
        check_keeps_nothing(m, "half a message and a refused start");
    }
}

static void check_cmac_keeps_nothing(const char *after)
{
    test_case("%s, CMAC, the context after %s", kernel_name, after);
    CHECK_BYTES(&cmac, fresh, sizeof cmac);
}

static void test_cmac_context(void)
{
    memcpy(fresh, &cmac, sizeof cmac);
    CHECK_STATUS(mf_cmac_compute(&cmac, text, TEXT - 3, tag, TAG), MF_OK);
    check_cmac_keeps_nothing("a message");
    CHECK_STATUS(mf_cmac_update(&cmac, text, TEXT - 3), MF_OK);
    CHECK_STATUS(mf_cmac_finish(&cmac, tag, TAG), MF_OK);
    check_cmac_keeps_nothing("a message in pieces");
    CHECK_STATUS(mf_cmac_update(&cmac, text, TEXT), MF_OK);
    CHECK_STATUS(mf_cmac_finish_verify(&cmac, tag, TAG), MF_ERROR_TAG);
    check_cmac_keeps_nothing("a wrong tag");
}

/* The tag of CMAC may be written to where the message was. */
static void test_cmac_over_message(void)
{
    test_case("%s, CMAC, the tag over the message", kernel_name);
    CHECK_STATUS(mf_cmac_compute(&cmac, text, TEXT, tag, TAG), MF_OK);
    CHECK_STATUS(mf_cmac_compute(&cmac, text, TEXT, text + TEXT - TAG, TAG), MF_OK);
    CHECK_BYTES(text + TEXT - TAG, tag, TAG);
}

/* ---------------------------------------------------------------------------------------------- */

static void test_kernel(const char *kernel)
{
    static const unsigned char key[MF_TWOFISH_MAX_KEY_BYTES] = {1, 2, 3};

    kernel_name = kernel;
    test_case("%s, set-up", kernel);
    cipher = twofish_cipher(&ctx, kernel, key, sizeof key);
    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_OK);
    CHECK_STATUS(mf_eax_init(&eax, &cipher), MF_OK);
    CHECK_STATUS(mf_gcm_init(&gcm, &cipher), MF_OK);
    CHECK_STATUS(mf_siv_init(&siv, &cipher, &cipher), MF_OK);
    CHECK_STATUS(mf_cmac_init(&cmac, &cipher), MF_OK);
    for (size_t i = 0; i < N_MODES; i++) {
        test_context(&modes[i]);
        test_inputs_in_output(&modes[i]);
        test_tag_over_inputs(&modes[i]);
        test_empty_in_tag(&modes[i]);
    }
    test_cmac_context();
    test_cmac_over_message();
    mf_twofish_wipe(&ctx);
}

int main(void)
{
    each_kernel(test_kernel);
    return test_end();
}
