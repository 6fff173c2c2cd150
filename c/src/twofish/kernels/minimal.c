/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Minimal keying [Twofish98, 5.1.1]: as partial keying, but the boxes stop one q layer earlier;
 * that layer and its key byte are done for each block. For 128-bit keys the boxes are then copies
 * of q under a constant XOR. For a few blocks a key. Secrets index its lookup tables.
 */
#include "../h_function.h"
#include "../kernel.h"
#include "../rounds.h"

#include <manyfish/common.h>

typedef struct minimal_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint32_t S_0; /* the word of the layer that is left to do */
    uint8_t box[4][256];
} minimal_key;

_Static_assert(sizeof(minimal_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

/* With a 128-bit key a box is q under a constant XOR. By whole words that halves the instructions
 * of a key set-up on most processors without vectors, for which compilers keep to bytes. */
static void copy_boxes(minimal_key *m, uint32_t S_1)
{
    uint32_t word;

    for (unsigned j = 0; j < 4; j++) {
        const uint32_t each = mf_byte(S_1, j) * 0x01010101U;
        const uint8_t *q = mf_twofish_q[mf_twofish_q_order[2][j]];
        uint32_t *box = (uint32_t *)(void *)m->box[j]; /* which kernel.h allows */

        for (unsigned i = 0; i < 64; i++) {
            memcpy(&word, q + i * sizeof word, sizeof word);
            box[i] = word ^ each;
        }
    }
}

MF_INLINE void fill_boxes(uint8_t box[4][256], unsigned k, const uint32_t *S)
{
    for (unsigned j = 0; j < 4; j++) {
        for (unsigned x = 0; x < 256; x++) {
            box[j][x] = (uint8_t)mf_twofish_layers(k, 1, j, S, x);
        }
    }
}

static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    minimal_key *m = expanded_key;
    uint32_t S[MF_TWOFISH_MAX_K];

    mf_twofish_schedule(m->K, S, key, k);
    m->S_0 = S[0];
    /* A constant k in each call lets the compiler drop the unused layers. */
    if (k == 2) {
        copy_boxes(m, S[1]);
    } else if (k == 3) {
        fill_boxes(m->box, 3, S);
    } else {
        fill_boxes(m->box, 4, S);
    }
    mf_wipe(S, sizeof S);
}

static void set_key_ct(void *expanded_key, const uint8_t *key, unsigned k,
                       const mf_twofish_setup *setup)
{
    minimal_key *m = expanded_key;
    uint32_t S[MF_TWOFISH_MAX_K];

    setup->schedule(m->K, S, key, k);
    m->S_0 = S[0];
    setup->bytes(m->box, S, k, 2);
    mf_wipe(S, sizeof S);
}

MF_INLINE uint32_t s(const minimal_key *m, unsigned j, uint32_t x)
{
    return mf_twofish_layer(0, j, &m->S_0, m->box[j][x]);
}

MF_INLINE uint32_t g(const void *key, uint32_t X, unsigned turn)
{
    const minimal_key *m = key;
    return mf_twofish_mds_multiply(
        s(m, 0, mf_twofish_turned(X, 0, turn)), s(m, 1, mf_twofish_turned(X, 1, turn)),
        s(m, 2, mf_twofish_turned(X, 2, turn)), s(m, 3, mf_twofish_turned(X, 3, turn)));
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const minimal_key *m = expanded_key;
    mf_twofish_encrypt_many(g, m, m->K, out, in, n_blocks);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const minimal_key *m = expanded_key;
    mf_twofish_decrypt_many(g, m, m->K, out, in, n_blocks);
}

const mf_twofish_kernel mf_twofish_minimal = {
    .common.name = "minimal",
    .common.summary = "S-boxes less one q layer, fixed MDS tables",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(minimal_key),
    .common.lanes = 4,
    .common.constant_time = false,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .set_key = set_key,
    .set_key_ct = set_key_ct,
};
