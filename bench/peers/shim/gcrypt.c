/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* libgcrypt. It has no 192-bit keys of Twofish. Setting a key of DES includes its search for weak
 * ones. */
#include <gcrypt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

struct state {
    gcry_cipher_hd_t cipher;
    gcry_mac_hd_t mac; /* of CMAC, which has no cipher */
    size_t block_bytes;
    enum operation operation;
};

static const int modes[] = {
    [OP_ECB_ENCRYPT] = GCRY_CIPHER_MODE_ECB, [OP_ECB_DECRYPT] = GCRY_CIPHER_MODE_ECB,
    [OP_CBC_ENCRYPT] = GCRY_CIPHER_MODE_CBC, [OP_CBC_DECRYPT] = GCRY_CIPHER_MODE_CBC,
    [OP_CTR_ENCRYPT] = GCRY_CIPHER_MODE_CTR, [OP_XTS_ENCRYPT] = GCRY_CIPHER_MODE_XTS,
    [OP_OCB_ENCRYPT] = GCRY_CIPHER_MODE_OCB, [OP_GCM_ENCRYPT] = GCRY_CIPHER_MODE_GCM,
    [OP_EAX_ENCRYPT] = GCRY_CIPHER_MODE_EAX, [OP_CCM_ENCRYPT] = GCRY_CIPHER_MODE_CCM,
};

static const char *version(void)
{
    return gcry_check_version(NULL);
}

static int algorithm(enum cipher cipher, size_t key_bytes)
{
    if (cipher == CIPHER_DES)
        return key_bytes == 8 ? GCRY_CIPHER_DES : GCRY_CIPHER_3DES;
    if (key_bytes == 16)
        return GCRY_CIPHER_TWOFISH128;
    return key_bytes == 32 ? GCRY_CIPHER_TWOFISH : 0;
}

static int set_keys(gcry_cipher_hd_t cipher, enum operation operation, const struct keys *keys)
{
    unsigned char both[2 * MAX_KEY_BYTES];
    memcpy(both, keys->data, keys->n_bytes);
    memcpy(both + keys->n_bytes, keys->tweak, keys->n_bytes);
    const size_t n_bytes = operation == OP_XTS_ENCRYPT ? 2 * keys->n_bytes : keys->n_bytes;
    return gcry_cipher_setkey(cipher, both, n_bytes) != 0;
}

static int open_mac(struct state *state, const struct keys *keys)
{
    if (gcry_mac_open(&state->mac, GCRY_MAC_CMAC_TWOFISH, 0, NULL) != 0)
        return 1;
    if (gcry_mac_setkey(state->mac, keys->data, keys->n_bytes) == 0)
        return 0;
    gcry_mac_close(state->mac);
    return 1;
}

static int open_cipher(struct state *state, const struct keys *keys)
{
    const int number = algorithm(keys->cipher, keys->n_bytes);
    if (gcry_cipher_open(&state->cipher, number, modes[state->operation], 0) != 0)
        return 1;
    if (set_keys(state->cipher, state->operation, keys) == 0)
        return 0;
    gcry_cipher_close(state->cipher);
    return 1;
}

static void *open_state(enum operation operation, const struct keys *keys)
{
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL || algorithm(keys->cipher, keys->n_bytes) == 0)
        goto fail;
    if (!gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) {
        gcry_check_version(NULL);
        gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    }
    state->operation = operation;
    state->block_bytes = keys->cipher == CIPHER_DES ? DES_BLOCK_BYTES : BLOCK_BYTES;
    if ((operation == OP_CMAC ? open_mac : open_cipher)(state, keys) == 0)
        return state;
fail:
    free(state);
    return NULL;
}

static int set_key(void *p, const unsigned char *key, size_t n_bytes)
{
    struct state *state = p;
    return gcry_cipher_setkey(state->cipher, key, n_bytes) != 0;
}

/* The data before the message. */
static gcry_error_t start(const struct state *state, const unsigned char *iv)
{
    switch (state->operation) {
    case OP_ECB_ENCRYPT:
    case OP_ECB_DECRYPT:
        return 0;
    case OP_CTR_ENCRYPT:
        return gcry_cipher_setctr(state->cipher, iv, state->block_bytes);
    case OP_GCM_ENCRYPT:
    case OP_OCB_ENCRYPT:
    case OP_CCM_ENCRYPT:
        return gcry_cipher_setiv(state->cipher, iv, NONCE_BYTES);
    default:
        return gcry_cipher_setiv(state->cipher, iv, state->block_bytes);
    }
}

static gcry_error_t crypt_message(const struct state *state, unsigned char *data, size_t n_bytes)
{
    if (state->operation == OP_ECB_DECRYPT || state->operation == OP_CBC_DECRYPT)
        return gcry_cipher_decrypt(state->cipher, data, n_bytes, NULL, 0);
    if (state->operation == OP_OCB_ENCRYPT)
        gcry_cipher_final(state->cipher);
    return gcry_cipher_encrypt(state->cipher, data, n_bytes, NULL, 0);
}

static int run_mac(gcry_mac_hd_t mac, const unsigned char *data, size_t n_bytes, unsigned char *tag)
{
    size_t tag_bytes = TAG_BYTES;
    gcry_error_t error = gcry_mac_reset(mac);
    if (error == 0)
        error = gcry_mac_write(mac, data, n_bytes);
    if (error == 0)
        error = gcry_mac_read(mac, tag, &tag_bytes);
    return error != 0;
}

/* Its CCM asks for the lengths of message, associated data and tag. */
static gcry_error_t set_lengths(gcry_cipher_hd_t cipher, size_t n_bytes)
{
    uint64_t lengths[] = {n_bytes, 0, TAG_BYTES};
    return gcry_cipher_ctl(cipher, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths);
}

static int run(void *p, const unsigned char *iv, unsigned char *data, size_t n_bytes,
               unsigned char *tag)
{
    const struct state *state = p;
    if (state->operation == OP_CMAC)
        return run_mac(state->mac, data, n_bytes, tag);
    gcry_error_t error = start(state, iv);
    if (error == 0 && state->operation == OP_CCM_ENCRYPT)
        error = set_lengths(state->cipher, n_bytes);
    if (error == 0)
        error = crypt_message(state, data, n_bytes);
    if (error == 0 && state->operation >= OP_OCB_ENCRYPT)
        error = gcry_cipher_gettag(state->cipher, tag, TAG_BYTES);
    return error != 0;
}

static void close_state(void *p)
{
    struct state *state = p;
    gcry_mac_close(state->mac);
    gcry_cipher_close(state->cipher);
    free(state);
}

extern const struct peer peer_gcrypt;
const struct peer peer_gcrypt = {"libgcrypt", version, open_state, set_key, run, close_state};
