/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight tables of 64 words, 2 KB in all, in which each S-box comes with the permutation P behind it
 * [Karn95]. The subkeys are split into odd and even S-boxes and shifted, so that each byte of half XOR
 * subkey is the offset of a word in its table, and what is found there is XORed into the other half.
 * Table lookups are addressed by secrets.
 */
#include "../kernel.h"
#include "../permutations.h"
#include "../schedule.h"
#include "../tables/tables.h"

enum { BLOCK = MF_DES_BLOCK_BYTES, LANES = 2 };

typedef struct sp2k_key {
    uint32_t n_passes; /* of 16 rounds: 1 or 3 */
    mf_des_subkey K[3 * MF_DES_ROUNDS];
} sp2k_key;

_Static_assert(sizeof(sp2k_key) <= MF_DES_EXPANDED_KEY_BYTES, "no room for the key");

static void set_key(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    sp2k_key *k = expanded_key;

    k->n_passes = n_keys;
    mf_des_schedules(k->K, key, n_keys);
}

/* The word at an offset in bytes, of which there are 256. */
MF_INLINE uint32_t sp(unsigned n, uint32_t offset)
{
    const void *word = (const uint8_t *)mf_des_sp[n - 1] + offset;
    return *(const uint32_t *)word;
}

/* l ^ P(S(E(r) ^ K)) */
MF_INLINE uint32_t f(uint32_t l, uint32_t r, const uint32_t *K)
{
    const uint32_t even = (r ^ K[0]) & 0xFCFCFCFC;
    const uint32_t odd = (mf_rotr32(r, 4) ^ K[1]) & 0xFCFCFCFC;

    l ^= sp(8, mf_byte(even, 0));
    l ^= sp(7, mf_byte(odd, 0));
    l ^= sp(6, mf_byte(even, 1));
    l ^= sp(5, mf_byte(odd, 1));
    l ^= sp(4, mf_byte(even, 2));
    l ^= sp(3, mf_byte(odd, 2));
    l ^= sp(2, mf_byte(even, 3));
    l ^= sp(1, mf_byte(odd, 3));
    return l;
}

/* Some blocks side by side, each with its halves in l and r. */
typedef struct halves {
    uint32_t l;
    uint32_t r;
} halves;

MF_INLINE void load(halves *x, const uint8_t *in, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const uint64_t block = mf_load64_be(in + i * (size_t)BLOCK);
        x[i].l = (uint32_t)(block >> 32);
        x[i].r = (uint32_t)block;
        mf_des_ip(&x[i].l, &x[i].r);
    }
}

MF_INLINE void store(uint8_t *out, halves *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        mf_des_inverse_ip(&x[i].l, &x[i].r);
        mf_store64_be(out + i * (size_t)BLOCK, (uint64_t)x[i].l << 32 | x[i].r);
    }
}

/* Two rounds; `step` leads from one subkey to the next. */
MF_INLINE void two_rounds(halves *x, unsigned n, const mf_des_subkey *K, ptrdiff_t step)
{
    for (unsigned i = 0; i < n; i++) {
        x[i].l = f(x[i].l, x[i].r, K[0]);
    }
    for (unsigned i = 0; i < n; i++) {
        x[i].r = f(x[i].r, x[i].l, K[step]);
    }
}

/* Between two passes, the permutations cancel out: what is left is the swap. */
MF_INLINE void passes(halves *x, unsigned n, const sp2k_key *k, ptrdiff_t step)
{
    const ptrdiff_t n_rounds = (ptrdiff_t)k->n_passes * MF_DES_ROUNDS;

    for (ptrdiff_t round = 0; round < n_rounds; round += MF_DES_ROUNDS) {
        for (ptrdiff_t i = round; i < round + MF_DES_ROUNDS; i += 2) {
            two_rounds(x, n, k->K + (step > 0 ? i : n_rounds - 1 - i), step);
        }
        for (unsigned i = 0; i < n; i++) {
            const uint32_t l = x[i].l;
            x[i].l = x[i].r;
            x[i].r = l;
        }
    }
}

MF_INLINE void crypt(const sp2k_key *k, uint8_t *out, const uint8_t *in, unsigned n, ptrdiff_t step)
{
    halves x[LANES];

    load(x, in, n);
    passes(x, n, k, step);
    store(out, x, n);
}

MF_INLINE void crypt_blocks(const sp2k_key *k, uint8_t *out, const uint8_t *in, size_t n_blocks,
                            ptrdiff_t step)
{
    for (; n_blocks >= LANES; n_blocks -= LANES) {
        crypt(k, out, in, LANES, step);
        in += (size_t)LANES * BLOCK;
        out += (size_t)LANES * BLOCK;
    }
    for (; n_blocks > 0; n_blocks--) {
        crypt(k, out, in, 1, step);
        in += BLOCK;
        out += BLOCK;
    }
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    crypt_blocks(expanded_key, out, in, n_blocks, 1);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    crypt_blocks(expanded_key, out, in, n_blocks, -1);
}

const mf_des_kernel mf_des_sp2k = {
    .name = "sp2k",
    .summary = "S-boxes and P in tables of 2 KB, subkeys as offsets",
    .cpu_features = MF_CPU_ANY,
    .one_key_bytes = offsetof(sp2k_key, K) + sizeof(mf_des_subkey[MF_DES_ROUNDS]),
    .expanded_key_bytes = sizeof(sp2k_key),
    .lanes = LANES,
    .constant_time = false,
    .set_key = set_key,
    .encrypt_blocks = encrypt_blocks,
    .decrypt_blocks = decrypt_blocks,
};
