/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Zero keying in the least code: loops with counters for rounds, key sizes and byte positions
 * [Twofish99, 5.1.2], one loop for both directions, the matrix by shifts. Its tables are q0 and q1.
 * Slow; secrets index its lookup tables.
 */
#include <manyfish/study/small.h>

#include "twofish/h_function.h"
#include "twofish/kernel.h"
#include "twofish/schedule.h"

typedef struct small_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint32_t S[MF_TWOFISH_MAX_K];
    uint32_t k;
} small_key;

_Static_assert(sizeof(small_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

/* Level 0 has no key byte. [Twofish98, 4.3.2] */
static MF_NOINLINE uint32_t h(unsigned k, const uint32_t *L, uint32_t X)
{
    for (unsigned level = k;; level--) {
        uint32_t y = 0;
        for (unsigned j = 0; j < 4; j++) {
            const uint8_t *q = mf_twofish_q[mf_twofish_q_order[level][j]];
            y |= (uint32_t)q[mf_byte(X, j)] << (8 * j);
        }
        if (level == 0) {
            return mf_twofish_mds_by_steps(y);
        }
        X = y ^ L[level - 1];
    }
}

/* [Twofish98, 4.3] */
static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    small_key *s = expanded_key;
    uint32_t M[2][MF_TWOFISH_MAX_K];

    for (size_t i = 0; i < k; i++) {
        M[0][i] = mf_load32_le(key + 8 * i);
        M[1][i] = mf_load32_le(key + 8 * i + 4);
    }
    for (uint32_t i = 0; i < MF_TWOFISH_SUBKEYS; i += 2) {
        const uint32_t A = h(k, M[0], i * 0x01010101U);
        const uint32_t B = mf_rotl32(h(k, M[1], (i + 1) * 0x01010101U), 8);
        s->K[i] = A + B;
        s->K[i + 1] = mf_rotl32(A + 2 * B, 9);
    }
    mf_twofish_s_words(s->S, key, k);
    s->k = k;
    mf_wipe(M, sizeof M);
}

static void set_key_ct(void *expanded_key, const uint8_t *key, unsigned k,
                       const mf_twofish_setup *setup)
{
    small_key *s = expanded_key;
    setup->schedule(s->K, s->S, key, k);
    s->k = k;
}

/* Subkeys of rounds are taken from the front, or from the back to decrypt, and the halves of the
 * whitening change places; R is rotated before its half is XORed, or after it.
 * [Twofish98, 4, 4.1] */
static MF_NOINLINE void crypt_block(const small_key *s, uint8_t *out, const uint8_t *in,
                                    bool decrypt)
{
    uint32_t R[4];

    for (size_t i = 0; i < 4; i++) {
        R[i] = mf_load32_le(in + 4 * i) ^ s->K[i + (decrypt ? OUTPUT_WHITENING : 0)];
    }
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        const uint32_t *K = s->K + ROUND_SUBKEYS + 2 * (decrypt ? MF_TWOFISH_ROUNDS - 1 - r : r);
        const uint32_t T0 = h(s->k, s->S, R[0]);
        const uint32_t T1 = h(s->k, s->S, mf_rotl32(R[1], 8));
        const uint32_t F0 = T0 + T1 + K[0];
        const uint32_t F1 = T0 + 2 * T1 + K[1];
        const uint32_t C = decrypt ? mf_rotl32(R[2], 1) ^ F0 : mf_rotr32(R[2] ^ F0, 1);
        const uint32_t D = decrypt ? mf_rotr32(R[3] ^ F1, 1) : mf_rotl32(R[3], 1) ^ F1;
        R[2] = R[0];
        R[3] = R[1];
        R[0] = C;
        R[1] = D;
    }
    for (size_t i = 0; i < 4; i++) {
        mf_store32_le(out + 4 * i, R[i ^ 2] ^ s->K[i + (decrypt ? 0 : OUTPUT_WHITENING)]);
    }
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    for (; n_blocks > 0; n_blocks--, out += 16, in += 16) {
        crypt_block(expanded_key, out, in, false);
    }
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    for (; n_blocks > 0; n_blocks--, out += 16, in += 16) {
        crypt_block(expanded_key, out, in, true);
    }
}

const mf_twofish_kernel mf_twofish_small = {
    .common.name = "small",
    .common.summary = "nothing precomputed, in loops: the least code",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(small_key),
    .common.lanes = 1,
    .common.constant_time = false,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .set_key = set_key,
    .set_key_ct = set_key_ct,
};
