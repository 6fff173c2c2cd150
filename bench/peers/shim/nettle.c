/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* nettle. It has no OCB before release 3.9. */
#include <nettle/cbc.h>
#include <nettle/ccm.h>
#include <nettle/cmac.h>
#include <nettle/ctr.h>
#include <nettle/eax.h>
#include <nettle/gcm.h>
#include <nettle/twofish.h>
#include <nettle/xts.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

struct state {
    struct twofish_ctx data, tweak;
    struct gcm_key gcm;
    struct eax_key eax;
    struct cmac128_key cmac;
    enum operation operation;
};

/* The library says less than pkg-config, from which build.rs has it. */
static const char *version(void)
{
    return RELEASE;
}

/* The modes call a cipher through void pointers. */
static void encrypt(const void *context, size_t n_bytes, uint8_t *out, const uint8_t *in)
{
    twofish_encrypt(context, n_bytes, out, in);
}

static void decrypt(const void *context, size_t n_bytes, uint8_t *out, const uint8_t *in)
{
    twofish_decrypt(context, n_bytes, out, in);
}

static void *open_state(enum operation operation, const struct keys *keys)
{
    if (operation == OP_OCB_ENCRYPT || keys->cipher != CIPHER_TWOFISH)
        return NULL;
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->operation = operation;
    twofish_set_key(&state->data, keys->n_bytes, keys->data);
    twofish_set_key(&state->tweak, keys->n_bytes, keys->tweak);
    gcm_set_key(&state->gcm, &state->data, encrypt);
    eax_set_key(&state->eax, &state->data, encrypt);
    cmac128_set_key(&state->cmac, &state->data, encrypt);
    return state;
}

static int set_key(void *p, const unsigned char *key, size_t n_bytes)
{
    struct state *state = p;
    twofish_set_key(&state->data, n_bytes, key);
    return 0;
}

static void run_gcm(const struct state *state, const unsigned char *iv, unsigned char *data,
                    size_t n_bytes, unsigned char *tag)
{
    struct gcm_ctx gcm;
    gcm_set_iv(&gcm, &state->gcm, NONCE_BYTES, iv);
    gcm_encrypt(&gcm, &state->gcm, &state->data, encrypt, n_bytes, data, data);
    gcm_digest(&gcm, &state->gcm, &state->data, encrypt, TAG_BYTES, tag);
}

static void run_eax(const struct state *state, const unsigned char *iv, unsigned char *data,
                    size_t n_bytes, unsigned char *tag)
{
    struct eax_ctx eax;
    eax_set_nonce(&eax, &state->eax, &state->data, encrypt, BLOCK_BYTES, iv);
    eax_encrypt(&eax, &state->eax, &state->data, encrypt, n_bytes, data, data);
    eax_digest(&eax, &state->eax, &state->data, encrypt, TAG_BYTES, tag);
}

static void run_ccm(const struct state *state, const unsigned char *iv, unsigned char *data,
                    size_t n_bytes, unsigned char *tag)
{
    struct ccm_ctx ccm;
    ccm_set_nonce(&ccm, &state->data, encrypt, NONCE_BYTES, iv, 0, n_bytes, TAG_BYTES);
    ccm_encrypt(&ccm, &state->data, encrypt, n_bytes, data, data);
    ccm_digest(&ccm, &state->data, encrypt, TAG_BYTES, tag);
}

static void run_cmac(const struct state *state, const unsigned char *data, size_t n_bytes,
                     unsigned char *tag)
{
    struct cmac128_ctx cmac;
    cmac128_init(&cmac);
    cmac128_update(&cmac, &state->data, encrypt, n_bytes, data);
    cmac128_digest(&cmac, &state->cmac, &state->data, encrypt, TAG_BYTES, tag);
}

static int run(void *p, const unsigned char *iv, unsigned char *data, size_t n_bytes,
               unsigned char *tag)
{
    const struct state *state = p;
    const struct twofish_ctx *cipher = &state->data;
    unsigned char chain[BLOCK_BYTES];
    memcpy(chain, iv, sizeof chain);
    switch (state->operation) {
    case OP_ECB_ENCRYPT:
        twofish_encrypt(cipher, n_bytes, data, data);
        return 0;
    case OP_ECB_DECRYPT:
        twofish_decrypt(cipher, n_bytes, data, data);
        return 0;
    case OP_CBC_ENCRYPT:
        cbc_encrypt(cipher, encrypt, BLOCK_BYTES, chain, n_bytes, data, data);
        return 0;
    case OP_CBC_DECRYPT:
        cbc_decrypt(cipher, decrypt, BLOCK_BYTES, chain, n_bytes, data, data);
        return 0;
    case OP_CTR_ENCRYPT:
        ctr_crypt(cipher, encrypt, BLOCK_BYTES, chain, n_bytes, data, data);
        return 0;
    case OP_XTS_ENCRYPT:
        xts_encrypt_message(cipher, &state->tweak, encrypt, iv, n_bytes, data, data);
        return 0;
    case OP_GCM_ENCRYPT:
        run_gcm(state, iv, data, n_bytes, tag);
        return 0;
    case OP_EAX_ENCRYPT:
        run_eax(state, iv, data, n_bytes, tag);
        return 0;
    case OP_CCM_ENCRYPT:
        run_ccm(state, iv, data, n_bytes, tag);
        return 0;
    case OP_CMAC:
        run_cmac(state, data, n_bytes, tag);
        return 0;
    default:
        return 1;
    }
}

extern const struct peer peer_nettle;
const struct peer peer_nettle = {"nettle", version, open_state, set_key, run, free};
