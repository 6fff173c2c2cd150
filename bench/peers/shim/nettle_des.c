/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* nettle's DES and Triple-DES. It has no DES in other modes than those of any cipher. */
#include <nettle/cbc.h>
#include <nettle/ctr.h>
#include <nettle/des.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

struct state {
    struct des_ctx one;
    struct des3_ctx three;
    const void *cipher; /* one of them */
    nettle_cipher_func *encrypt, *decrypt;
    enum operation operation;
};

static const char *version(void)
{
    return RELEASE;
}

/* The modes call a cipher through void pointers. */
static void encrypt_one(const void *context, size_t n_bytes, uint8_t *out, const uint8_t *in)
{
    des_encrypt(context, n_bytes, out, in);
}

static void decrypt_one(const void *context, size_t n_bytes, uint8_t *out, const uint8_t *in)
{
    des_decrypt(context, n_bytes, out, in);
}

static void encrypt_three(const void *context, size_t n_bytes, uint8_t *out, const uint8_t *in)
{
    des3_encrypt(context, n_bytes, out, in);
}

static void decrypt_three(const void *context, size_t n_bytes, uint8_t *out, const uint8_t *in)
{
    des3_decrypt(context, n_bytes, out, in);
}

/* Weak keys are set, too; what the library says of them does not matter here. */
static int set_key(void *p, const unsigned char *key, size_t n_bytes)
{
    struct state *state = p;
    if (n_bytes == 8) {
        (void)des_set_key(&state->one, key);
    } else {
        (void)des3_set_key(&state->three, key);
    }
    return 0;
}

static void *open_state(enum operation operation, const struct keys *keys)
{
    if (keys->cipher != CIPHER_DES || operation > OP_CTR_ENCRYPT)
        return NULL;
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    const int is_one = keys->n_bytes == 8;
    state->operation = operation;
    state->cipher = is_one ? (const void *)&state->one : &state->three;
    state->encrypt = is_one ? encrypt_one : encrypt_three;
    state->decrypt = is_one ? decrypt_one : decrypt_three;
    set_key(state, keys->data, keys->n_bytes);
    return state;
}

static int run(void *p, const unsigned char *iv, unsigned char *data, size_t n_bytes,
               unsigned char *tag)
{
    const struct state *state = p;
    unsigned char chain[DES_BLOCK_BYTES];
    (void)tag;
    memcpy(chain, iv, sizeof chain);
    switch (state->operation) {
    case OP_ECB_ENCRYPT:
        state->encrypt(state->cipher, n_bytes, data, data);
        return 0;
    case OP_ECB_DECRYPT:
        state->decrypt(state->cipher, n_bytes, data, data);
        return 0;
    case OP_CBC_ENCRYPT:
        cbc_encrypt(state->cipher, state->encrypt, sizeof chain, chain, n_bytes, data, data);
        return 0;
    case OP_CBC_DECRYPT:
        cbc_decrypt(state->cipher, state->decrypt, sizeof chain, chain, n_bytes, data, data);
        return 0;
    default:
        ctr_crypt(state->cipher, state->encrypt, sizeof chain, chain, n_bytes, data, data);
        return 0;
    }
}

extern const struct peer peer_nettle_des;
const struct peer peer_nettle_des = {"nettle", version, open_state, set_key, run, free};
