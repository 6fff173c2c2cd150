/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight tables of 64 words of 64 bits, 4 KB in all, for halves that are kept as E spreads them: 48
 * bits, six in each byte. So what is found has both places of each bit that E doubles, and a round
 * needs neither a rotation nor a mask. A half is worked on with its subkey in it: r XOR K_n becomes
 * r' XOR K_(n+2), for which K_n XOR K_(n+2) is XORed in while others wait. So a round waits for a
 * byte to be taken out, to be looked up, and to be added. Secrets index its lookup tables.
 */
#include "../rounds.h"
#include "../tables/tables.h"

enum { LANES = 4, WORDS = MF_DES_ROUNDS + 2 };

/* For each pass K_1, K_2, then K_n XOR K_(n+2) for n to 14, then K_15, K_16: the same from both
 * ends. */
typedef struct subkeys {
    uint32_t n_keys;
    mf_des_subkey K[3 * WORDS];
} subkeys;

_Static_assert(sizeof(subkeys) <= MF_DES_EXPANDED_KEY_BYTES, "no room for the key");

/* The halves of up to LANES blocks, spread: from K[0] of the subkeys the low word, from K[1] the
 * high one. */
typedef struct state {
    uint64_t l[LANES];
    uint64_t r[LANES];
} state;

/* Writes the WORDS of a pass from its MF_DES_ROUNDS subkeys K, which may lie in the end of D or
 * behind it. */
static void differences(mf_des_subkey *D, mf_des_subkey *K)
{
    for (unsigned i = 0; i < 2; i++) {
        D[0][i] = K[0][i];
        D[1][i] = K[1][i];
        for (unsigned n = 0; n < MF_DES_ROUNDS - 2; n++) {
            D[n + 2][i] = K[n][i] ^ K[n + 2][i];
        }
        D[MF_DES_ROUNDS][i] = K[MF_DES_ROUNDS - 2][i];
        D[MF_DES_ROUNDS + 1][i] = K[MF_DES_ROUNDS - 1][i];
    }
}

/* The subkeys are made at the end of the room and worked on to its front. */
static void set_key(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    subkeys *k = expanded_key;
    mf_des_subkey *K = k->K + 2 * (size_t)n_keys;

    k->n_keys = n_keys;
    mf_des_schedules(K, key, n_keys);
    for (size_t i = 0; i < n_keys; i++) {
        differences(k->K + i * WORDS, K + i * MF_DES_ROUNDS);
    }
}

MF_INLINE uint64_t subkey(const mf_des_subkey *K)
{
    return (uint64_t)(*K)[1] << 32 | (*K)[0];
}

MF_INLINE uint64_t spread(uint32_t half)
{
    return (uint64_t)(mf_rotr32(half, 4) & 0xFCFCFCFC) << 32 | (half & 0xFCFCFCFC);
}

MF_INLINE uint32_t gather(uint64_t half)
{
    return (uint32_t)half | (mf_rotl32((uint32_t)(half >> 32), 4) & 0x03030303);
}

/* The entry of table n for byte `byte` of x, counted from the lowest. */
MF_INLINE uint64_t found(const void *tables, uint64_t x, unsigned byte, size_t n)
{
    const size_t offset = 2 * (size_t)(x >> (8 * byte) & 0xFF);
    const void *word = (const uint8_t *)tables + offset + n * sizeof mf_des_sp_spread[0];
    return *(const uint64_t *)word;
}

/* l ^ P(S(x)), spread, in two sums; the terms that are ready first come first. */
MF_INLINE uint64_t f(uint64_t l, uint64_t x, const void *tables)
{
    const uint64_t b = mf_opaque64(x >> 16);
    const uint64_t c = mf_opaque64(x >> 32);
    const uint64_t d = mf_opaque64(x >> 48);
    uint64_t t = mf_opaque64(found(tables, x, 1, 1));

    l = mf_opaque64(l ^ found(tables, x, 0, 0));
    l = mf_opaque64(l ^ found(tables, b, 0, 2));
    t = mf_opaque64(t ^ found(tables, b, 1, 3));
    l = mf_opaque64(l ^ found(tables, c, 0, 4));
    t = mf_opaque64(t ^ found(tables, c, 1, 5));
    l = mf_opaque64(l ^ found(tables, d, 0, 6));
    t = mf_opaque64(t ^ found(tables, x >> 56, 0, 7));
    return l ^ t;
}

MF_INLINE void add_subkeys(state *x, unsigned n, const mf_des_subkey *K, ptrdiff_t step)
{
    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        x->r[i] ^= subkey(K);
        x->l[i] ^= subkey(K + step);
    }
}

/* Two rounds, each with the subkey to come for the half that it has used. */
MF_INLINE void two_rounds(state *x, unsigned n, const mf_des_subkey *K, ptrdiff_t step,
                          const void *tables)
{
    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        x->l[i] = f(x->l[i], x->r[i], tables);
        x->r[i] ^= subkey(K);
    }
    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        x->r[i] = f(x->r[i], x->l[i], tables);
        x->l[i] ^= subkey(K + step);
    }
}

MF_INLINE void swap_halves(state *x, unsigned n)
{
    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        const uint64_t l = x->l[i];
        x->l[i] = x->r[i];
        x->r[i] = l;
    }
}

MF_INLINE void load(state *x, unsigned n, const uint8_t *in)
{
    mf_des_halves halves;

    mf_des_load(&halves, n, in);
    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        x->l[i] = spread(halves.l[i]);
        x->r[i] = spread(halves.r[i]);
    }
}

MF_INLINE void store(uint8_t *out, const state *x, unsigned n)
{
    mf_des_halves halves;

    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        halves.l[i] = gather(x->l[i]);
        halves.r[i] = gather(x->r[i]);
    }
    mf_des_store(out, &halves, n);
}

MF_INLINE void crypt_n(unsigned n, const subkeys *k, uint8_t *out, const uint8_t *in, bool decrypt)
{
    const ptrdiff_t step = decrypt ? -1 : 1;
    const mf_des_subkey *K = k->K + (decrypt ? k->n_keys * (size_t)WORDS - 1 : 0);
    const void *tables = mf_opaque_pointer(mf_des_sp_spread);
    state x;

    load(&x, n, in);
    for (uint32_t pass = 0; pass < k->n_keys; pass++) {
        add_subkeys(&x, n, K, step);
        K += 2 * step;
        for (unsigned i = 0; i < MF_DES_ROUNDS; i += 2, K += 2 * step) {
            two_rounds(&x, n, K, step, tables);
        }
        swap_halves(&x, n);
    }
    store(out, &x, n);
}

MF_INLINE void crypt(const subkeys *k, uint8_t *out, const uint8_t *in, size_t n_blocks,
                     bool decrypt)
{
    const size_t grouped = (n_blocks - n_blocks % LANES) * MF_DES_BLOCK_BYTES;
    const size_t end = n_blocks * MF_DES_BLOCK_BYTES;

    for (size_t i = 0; i < grouped; i += LANES * (size_t)MF_DES_BLOCK_BYTES) {
        crypt_n(LANES, k, out + i, in + i, decrypt);
    }
    for (size_t i = grouped; i < end; i += MF_DES_BLOCK_BYTES) {
        crypt_n(1, k, out + i, in + i, decrypt);
    }
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    crypt(expanded_key, out, in, n_blocks, false);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    crypt(expanded_key, out, in, n_blocks, true);
}

const mf_des_kernel mf_des_sp4k = {
    .common.name = "sp4k",
    .common.summary = "S-boxes, P and E in tables of 4 KB, halves in 64 bits",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(subkeys),
    .common.lanes = LANES,
    .common.constant_time = false,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .one_key_bytes = offsetof(subkeys, K) + sizeof(mf_des_subkey[WORDS]),
    .set_key = set_key,
};
