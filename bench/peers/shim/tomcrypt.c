/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * libtomcrypt. Its OCB and EAX take key and nonce together, and its CMAC takes a key for each
 * message; so that the key set-up is not measured with each message, the state after them is kept,
 * and each message works on a copy. In place, its
 * OCB makes a wrong tag (release 1.18.2 sums up the ciphertext), so that one writes to memory of
 * its own, which is copied back: less than a hundredth of its time.
 */
#include <stdlib.h>
#include <string.h>
#include <tomcrypt.h>

#include "peer.h"

struct state {
    enum operation operation;
    union {
        symmetric_ECB ecb;
        symmetric_CBC cbc;
        symmetric_CTR ctr;
        symmetric_xts xts;
        ocb3_state ocb;
        gcm_state gcm;
        eax_state eax;
        omac_state cmac;
        symmetric_key ccm;
    } mode;
    unsigned char iv[BLOCK_BYTES]; /* of the kept state */
    unsigned char key[MAX_KEY_BYTES];
    int key_bytes;
    int cipher;
    unsigned char *copy; /* of an OCB message */
    size_t copy_bytes;
};

static const char *version(void)
{
    return SCRYPT;
}

/* Of OCB and EAX: key and nonce. */
static int keep(struct state *state, const unsigned char *iv)
{
    memcpy(state->iv, iv, sizeof state->iv);
    const unsigned long key_bytes = (unsigned long)state->key_bytes;
    if (state->operation == OP_EAX_ENCRYPT)
        return eax_init(&state->mode.eax, state->cipher, state->key, key_bytes, iv, BLOCK_BYTES,
                        NULL, 0);
    return ocb3_init(&state->mode.ocb, state->cipher, state->key, key_bytes, iv, NONCE_BYTES,
                     TAG_BYTES);
}

static int start(struct state *state, const struct keys *keys)
{
    const unsigned char no_iv[BLOCK_BYTES] = {0};
    const int cipher = state->cipher, n_bytes = state->key_bytes;
    switch (state->operation) {
    case OP_ECB_ENCRYPT:
    case OP_ECB_DECRYPT:
        return ecb_start(cipher, keys->data, n_bytes, 0, &state->mode.ecb);
    case OP_CBC_ENCRYPT:
    case OP_CBC_DECRYPT:
        return cbc_start(cipher, no_iv, keys->data, n_bytes, 0, &state->mode.cbc);
    case OP_CTR_ENCRYPT:
        return ctr_start(cipher, no_iv, keys->data, n_bytes, 0, CTR_COUNTER_BIG_ENDIAN,
                         &state->mode.ctr);
    case OP_XTS_ENCRYPT:
        return xts_start(cipher, keys->data, keys->tweak, keys->n_bytes, 0, &state->mode.xts);
    case OP_GCM_ENCRYPT:
        return gcm_init(&state->mode.gcm, cipher, keys->data, n_bytes);
    case OP_CCM_ENCRYPT:
        return twofish_setup(keys->data, n_bytes, 0, &state->mode.ccm);
    case OP_CMAC:
        return omac_init(&state->mode.cmac, cipher, keys->data, keys->n_bytes);
    default:
        return keep(state, no_iv);
    }
}

static void *open_state(enum operation operation, const struct keys *keys)
{
    if (keys->cipher != CIPHER_TWOFISH)
        return NULL;
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->operation = operation;
    state->cipher = register_cipher(&twofish_desc);
    state->key_bytes = (int)keys->n_bytes;
    memcpy(state->key, keys->data, keys->n_bytes);
    if (start(state, keys) == CRYPT_OK)
        return state;
    free(state);
    return NULL;
}

static int set_key(void *p, const unsigned char *key, size_t n_bytes)
{
    struct state *state = p;
    return twofish_setup(key, (int)n_bytes, 0, &state->mode.ecb.key);
}

static int run_ocb(struct state *state, unsigned char *data, unsigned long n_bytes,
                   unsigned char *tag)
{
    ocb3_state ocb = state->mode.ocb;
    unsigned long tag_bytes = TAG_BYTES;
    if (n_bytes > state->copy_bytes) {
        free(state->copy);
        state->copy = malloc(n_bytes);
        state->copy_bytes = state->copy == NULL ? 0 : n_bytes;
        if (state->copy == NULL)
            return CRYPT_MEM;
    }
    int error = ocb3_encrypt(&ocb, data, n_bytes, state->copy);
    if (error == CRYPT_OK)
        error = ocb3_encrypt_last(&ocb, data + n_bytes, 0, state->copy);
    if (error == CRYPT_OK)
        memcpy(data, state->copy, n_bytes);
    return error == CRYPT_OK ? ocb3_done(&ocb, tag, &tag_bytes) : error;
}

static int run_eax(struct state *state, unsigned char *data, unsigned long n_bytes,
                   unsigned char *tag)
{
    eax_state eax = state->mode.eax;
    unsigned long tag_bytes = TAG_BYTES;
    const int error = eax_encrypt(&eax, data, data, n_bytes);
    return error == CRYPT_OK ? eax_done(&eax, tag, &tag_bytes) : error;
}

static int run_gcm(gcm_state *gcm, const unsigned char *iv, unsigned char *data,
                   unsigned long n_bytes, unsigned char *tag)
{
    unsigned long tag_bytes = TAG_BYTES;
    int error = gcm_reset(gcm);
    if (error == CRYPT_OK)
        error = gcm_add_iv(gcm, iv, NONCE_BYTES);
    if (error == CRYPT_OK)
        error = gcm_add_aad(gcm, NULL, 0);
    if (error == CRYPT_OK)
        error = gcm_process(gcm, data, n_bytes, data, GCM_ENCRYPT);
    return error == CRYPT_OK ? gcm_done(gcm, tag, &tag_bytes) : error;
}

static int run_ccm(struct state *state, const unsigned char *iv, unsigned char *data,
                   unsigned long n_bytes, unsigned char *tag)
{
    unsigned long tag_bytes = TAG_BYTES;
    return ccm_memory(state->cipher, NULL, 0, &state->mode.ccm, iv, NONCE_BYTES, NULL, 0, data,
                      n_bytes, data, tag, &tag_bytes, CCM_ENCRYPT);
}

static int run_cmac(const struct state *state, const unsigned char *data, unsigned long n_bytes,
                    unsigned char *tag)
{
    omac_state cmac = state->mode.cmac;
    unsigned long tag_bytes = TAG_BYTES;
    const int error = omac_process(&cmac, data, n_bytes);
    return error == CRYPT_OK ? omac_done(&cmac, tag, &tag_bytes) : error;
}

static int run_cbc(struct state *state, const unsigned char *iv, unsigned char *data,
                   unsigned long n_bytes)
{
    symmetric_CBC *cbc = &state->mode.cbc;
    const int error = cbc_setiv(iv, BLOCK_BYTES, cbc);
    if (error != CRYPT_OK)
        return error;
    return (state->operation == OP_CBC_ENCRYPT ? cbc_encrypt : cbc_decrypt)(data, data, n_bytes,
                                                                            cbc);
}

static int run(void *p, const unsigned char *iv, unsigned char *data, size_t n_bytes,
               unsigned char *tag)
{
    struct state *state = p;
    unsigned char tweak[BLOCK_BYTES];
    switch (state->operation) {
    case OP_ECB_ENCRYPT:
        return ecb_encrypt(data, data, n_bytes, &state->mode.ecb);
    case OP_ECB_DECRYPT:
        return ecb_decrypt(data, data, n_bytes, &state->mode.ecb);
    case OP_CBC_ENCRYPT:
    case OP_CBC_DECRYPT:
        return run_cbc(state, iv, data, n_bytes);
    case OP_CTR_ENCRYPT: {
        const int error = ctr_setiv(iv, BLOCK_BYTES, &state->mode.ctr);
        return error == CRYPT_OK ? ctr_encrypt(data, data, n_bytes, &state->mode.ctr) : error;
    }
    case OP_XTS_ENCRYPT:
        memcpy(tweak, iv, sizeof tweak);
        return xts_encrypt(data, n_bytes, data, tweak, &state->mode.xts);
    case OP_GCM_ENCRYPT:
        return run_gcm(&state->mode.gcm, iv, data, n_bytes, tag);
    case OP_CCM_ENCRYPT:
        return run_ccm(state, iv, data, n_bytes, tag);
    case OP_CMAC:
        return run_cmac(state, data, n_bytes, tag);
    default:
        break;
    }
    const int error = memcmp(iv, state->iv, sizeof state->iv) == 0 ? CRYPT_OK : keep(state, iv);
    if (error != CRYPT_OK)
        return error;
    return (state->operation == OP_OCB_ENCRYPT ? run_ocb : run_eax)(state, data, n_bytes, tag);
}

static void close_state(void *p)
{
    struct state *state = p;
    free(state->copy);
    free(state);
}

extern const struct peer peer_tomcrypt;
const struct peer peer_tomcrypt = {"libtomcrypt", version, open_state, set_key, run, close_state};
