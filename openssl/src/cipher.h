/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The border between what OpenSSL asks of any cipher (cipher.c) and what a mode does (block.c,
 * stream.c, xts.c, lrw.c, aead.c, whole.c).
 */
#ifndef MF_PROVIDER_CIPHER_H
#define MF_PROVIDER_CIPHER_H

#include "provider.h"

#include <manyfish/aead.h>
#include <manyfish/modes.h>
#include <manyfish/twofish.h>

#include <stdatomic.h>

/* The longest IV is that of GCM, limited to what OpenSSL's own GCM takes. */
enum { BLOCK_BYTES = 16, MAX_IV_BYTES = 128, MAX_TAG_BYTES = 16 };

/* Expanded keys, shared by a context and its duplicates, so that what the modes keep of them stays
 * valid in a copy. Constant while it has more than one owner. */
typedef struct shared_key {
    atomic_size_t n_owners;
    bool halves_are_equal;
    mf_twofish twofish[2];                /* the second one for XTS and SIV */
    unsigned char tweak_key[BLOCK_BYTES]; /* for LRW, as it was given */
} shared_key;

/* Associated data that a mode needs all at once. */
typedef struct saved_string {
    unsigned char *bytes;
    size_t n_bytes;
} saved_string;

typedef struct saved_strings {
    size_t n;
    saved_string string[MF_SIV_MAX_STRINGS];
} saved_strings;

enum phase {
    PHASE_NEW,     /* neither encryption nor decryption yet, or that failed */
    PHASE_READY,   /* initialised; key and IV may still be missing */
    PHASE_RUNNING, /* a message is in work */
    PHASE_FINISHED
};

typedef struct cipher_context {
    const provider *provider;
    const struct algorithm *algorithm;
    shared_key *key; /* NULL: none yet */
    enum phase phase;
    bool encrypt;
    bool padding;
    bool counts_bits; /* lengths are in bits: the caller has set EVP_CIPH_FLAG_LENGTH_BITS */
    bool iv_is_set;
    bool mode_has_key; /* state is made for this key */
    bool text_is_done; /* modes that take a message in one call */
    bool is_announced;
    size_t announced_bytes;
    size_t iv_bytes;
    unsigned char iv[MAX_IV_BYTES];         /* as it was given */
    unsigned char chain[BLOCK_BYTES];       /* where the mode has arrived; begins as iv */
    unsigned char shown_chain[BLOCK_BYTES]; /* what a caller has been shown of it */
    size_t num;                             /* bytes used of the block of key stream in work */
    size_t n_waiting;                       /* bytes of a block that is not full yet: */
    unsigned char buffer[BLOCK_BYTES];      /* here for ECB and CBC, in its state for OCB */
    size_t tag_bytes;
    size_t made_tag_bytes; /* modes that take a message in one call: tag_bytes of that message */
    bool tag_is_set;       /* decrypting: by the caller; encrypting: computed */
    unsigned char tag[MAX_TAG_BYTES];
    saved_strings *aad;
    union {
        mf_ctr ctr;
        mf_cfb cfb;
        mf_ofb ofb;
        mf_xts xts;
        mf_ocb ocb;
        mf_gcm gcm;
        mf_siv siv;
    } state;
} cipher_context;

/* A mode: its facts and functions. Members may be NULL or 0 where a mode has no such thing. */
typedef struct mode {
    unsigned evp_mode;      /* EVP_CIPH_... */
    size_t n_keys;          /* of Twofish: 1 or 2 */
    size_t tweak_key_bytes; /* of the key behind those, which is none of Twofish */
    size_t block_bytes;     /* as EVP has it: 1 for streams */
    unsigned segment_bits;  /* of CFB */
    size_t iv_bytes, min_iv_bytes, max_iv_bytes;
    size_t tag_bytes; /* unless told otherwise; 0: not authenticated */
    bool keeps_iv;    /* initialised without an IV, a message begins with the one before */
    bool (*takes_tag)(size_t n_bytes);
    mf_status (*start)(cipher_context *ctx);
    /* Encrypts or decrypts the next piece, of any length; writes what context_ready says. */
    mf_status (*update)(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                        size_t n_bytes);
    /* Modes with PKCS#7 on request: whole blocks, past the buffer; out equals in or is disjoint. */
    mf_status (*blocks)(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                        size_t n_bytes);
    /* 1, or 0 and an error on the queue; what waits is written to out, which has room for a
     * block. */
    int (*finish)(cipher_context *ctx, unsigned char *out, size_t *n_out);
    int (*aad)(cipher_context *ctx, const unsigned char *aad, size_t n_bytes);
    /* A message in one call: in place of update. */
    int (*whole)(cipher_context *ctx, unsigned char *out, const unsigned char *in, size_t n_bytes);
    /* The updated IV, as OpenSSL calls it, if it is not just the chain. */
    mf_status (*show_chain)(cipher_context *ctx);
} mode;

typedef struct algorithm {
    const mode *mode;
    size_t key_bytes; /* of all its keys together */
} algorithm;

extern const mode mode_ecb, mode_cbc, mode_ctr, mode_cfb, mode_cfb8, mode_cfb1, mode_ofb, mode_xts,
    mode_lrw, mode_ocb, mode_gcm, mode_ccm, mode_siv;

/* The expanded key of this index, as the modes take it. */
mf_cipher context_cipher(const cipher_context *ctx, size_t index);

/* How many of the bytes that wait and n_bytes more come out; the others wait. */
size_t context_ready(const cipher_context *ctx, size_t n_bytes);

/* Modes of disks: 1, or 0 and an error on the queue, since this IV has had its data unit. */
int context_takes_unit(const cipher_context *ctx);

/* Forgets associated data that was kept. */
void context_forget_aad(cipher_context *ctx);

/* For the tables of algorithms.c. */
void *cipher_new(void *provider_context, const algorithm *a);
int cipher_get_params(OSSL_PARAM params[], const algorithm *a);
OSSL_FUNC_cipher_encrypt_init_fn cipher_encrypt_init;
OSSL_FUNC_cipher_decrypt_init_fn cipher_decrypt_init;
OSSL_FUNC_cipher_update_fn cipher_update;
OSSL_FUNC_cipher_final_fn cipher_final;
OSSL_FUNC_cipher_cipher_fn cipher_once;
OSSL_FUNC_cipher_freectx_fn cipher_free;
OSSL_FUNC_cipher_dupctx_fn cipher_duplicate;
OSSL_FUNC_cipher_get_ctx_params_fn cipher_get_ctx_params;
OSSL_FUNC_cipher_set_ctx_params_fn cipher_set_ctx_params;
OSSL_FUNC_cipher_gettable_params_fn cipher_gettable_params;
OSSL_FUNC_cipher_gettable_ctx_params_fn cipher_gettable_ctx_params;
OSSL_FUNC_cipher_settable_ctx_params_fn cipher_settable_ctx_params;

/* The algorithms, as OSSL_FUNC_provider_query_operation wants them. */
extern const OSSL_ALGORITHM provider_ciphers[];

#endif
