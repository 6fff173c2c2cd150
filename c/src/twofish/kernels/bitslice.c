/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish in portable C without a table look-up or a branch that depends on a secret: the kernel
 * for machines without a vector unit that the other constant-time kernels know.
 *
 * Many blocks: bit-slicing. Word i of the state holds bit i of 64 blocks, one in each bit, its
 * lane. q0 and q1 are circuits of gates on words (tables/q_circuits.h), the MDS matrix is XORs,
 * additions carry from word to word, and rotations are a matter of where a word is stored.
 *
 * Few blocks: the eight bytes that both g functions of a round work on stand in one word, and all
 * their 4-bit permutations are evaluated together, as polynomials.
 */
#include "../../common/block.h"
#include "../../common/transpose.h"
#include "../../common/wipe.h"
#include "../kernel.h"
#include "../mds.h"
#include "../rounds.h"
#include "../schedule.h"
#include "../tables/tables.h"

#include <manyfish/common.h>

/* After rounds.h, where parameters have the name g, too. */
#include "../bitslice.h"

/* The analyser loses track of which words are written; valgrind and the memory sanitizer do not.
 * NOLINTBEGIN(clang-analyzer-core.uninitialized.Assign,
 * clang-analyzer-core.UndefinedBinaryOperatorResult) */

/* Word i has bit i of the number of each lane. */
static const uint64_t lane_bits[8] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                      0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

/* From here on the lanes of 64 are faster than one block after the other. */
enum { PADDED_FROM = 9 };

/* A bit of a subkey as a byte, 0 or all ones: with sign extension it loads as a mask. Besides each
 * bit of a round's subkey stands its XOR with the next higher bit, which add_key() wants. */
typedef struct round_masks {
    int8_t K0[32], K0_steps[32];
    int8_t K1[32], K1_steps[32];
} round_masks;

typedef struct bitslice_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint32_t S[MF_TWOFISH_MAX_K];
    uint32_t k;
    int8_t whitening[ROUND_SUBKEYS][32];
    round_masks rounds[MF_TWOFISH_ROUNDS];
} bitslice_key;

_Static_assert(sizeof(bitslice_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

/* --- Rounds on slices ------------------------------------------------------------------------- */

MF_INLINE uint64_t mask(int8_t all_ones_or_0)
{
    return (uint64_t)all_ones_or_0;
}

/* The same for a bit K of a subkey, with four gates instead of five, since what goes from bit to
 * bit is the carry XOR the bit of K it meets; `step` is K XOR the next bit of K. */
MF_INLINE uint64_t add_key(uint64_t *sum, uint64_t x, uint64_t K, uint64_t step, uint64_t carry)
{
    *sum = x ^ carry;
    return ((x ^ K) & carry) ^ step;
}

/* F0 and F1, bit by bit. */
typedef struct sums {
    const uint64_t *T0, *T1;
    const round_masks *K;
    uint64_t carry0, carry1, key_carry0, key_carry1;
    uint64_t T1_below;
} sums;

MF_INLINE sums sums_begin(const uint64_t T[2][32], const round_masks *K)
{
    const sums s = {T[0], T[1], K, 0, 0, mask(K->K0[0]), mask(K->K1[0]), 0};
    return s;
}

/* Bit i of T0 + T1 + K0 and of T0 + 2 T1 + K1. */
MF_INLINE void sums_next(sums *s, size_t i, uint64_t *F0, uint64_t *F1)
{
    const uint64_t T0 = s->T0[i];
    const uint64_t T1 = s->T1[i];
    const round_masks *K = s->K;
    uint64_t sum0, sum1;

    s->carry0 = add(&sum0, T0, T1, s->carry0);
    s->carry1 = add(&sum1, T0, s->T1_below, s->carry1);
    s->key_carry0 = add_key(F0, sum0, mask(K->K0[i]), mask(K->K0_steps[i]), s->key_carry0);
    s->key_carry1 = add_key(F1, sum1, mask(K->K1[i]), mask(K->K1_steps[i]), s->key_carry1);
    s->T1_below = T1;
}

/* C becomes ROR(C ^ F0, 1), D becomes ROL(D, 1) ^ F1. */
static void encrypt_sums(uint64_t C[32], uint64_t D[32], const uint64_t T[2][32],
                         const round_masks *K)
{
    sums s = sums_begin(T, K);
    uint64_t F0, F1, bottom;
    uint64_t below = D[31];

    sums_next(&s, 0, &F0, &F1);
    bottom = C[0] ^ F0;
    for (size_t i = 0;;) {
        const uint64_t here = D[i];
        D[i] = below ^ F1;
        below = here;
        if (++i == 32) {
            break;
        }
        sums_next(&s, i, &F0, &F1);
        C[i - 1] = C[i] ^ F0;
    }
    C[31] = bottom;
}

/* C becomes ROL(C, 1) ^ F0, D becomes ROR(D ^ F1, 1). */
static void decrypt_sums(uint64_t C[32], uint64_t D[32], const uint64_t T[2][32],
                         const round_masks *K)
{
    sums s = sums_begin(T, K);
    uint64_t F0, F1, bottom;
    uint64_t below = C[31];

    sums_next(&s, 0, &F0, &F1);
    bottom = D[0] ^ F1;
    for (size_t i = 0;;) {
        const uint64_t here = C[i];
        C[i] = below ^ F0;
        below = here;
        if (++i == 32) {
            break;
        }
        sums_next(&s, i, &F0, &F1);
        D[i - 1] = D[i] ^ F1;
    }
    D[31] = bottom;
}

typedef void sums_function(uint64_t C[32], uint64_t D[32], const uint64_t T[2][32],
                           const round_masks *K);

MF_INLINE void slices_round(slices *w, unsigned k, size_t half, const round_masks *K,
                            sums_function *apply)
{
    const uint64_t(*S)[32] = (const uint64_t(*)[32])w->S;

    for (size_t turn = 0; turn < 2; turn++) {
        g(w->T[turn], w->R[2 * half + turn], turn, S, k);
    }
    apply(w->R[2 - 2 * half], w->R[3 - 2 * half], (const uint64_t(*)[32])w->T, K);
}

/* XORs four subkeys into the state, of which the first meets word `first`. */
static void whiten(slices *w, const int8_t K[4][32], size_t first)
{
    for (size_t i = 0; i < 4; i++) {
        for (size_t bit = 0; bit < 32; bit++) {
            w->R[(i + first) % 4][bit] ^= mask(K[i][bit]);
        }
    }
}

/* n_blocks up to 64; lanes without a block work on zeros. */
static void load_blocks(slices *w, const uint8_t *in, size_t n_blocks)
{
    for (size_t half = 0; half < 2; half++) {
        uint64_t *x = w->R[2 * half];

        for (size_t i = 0; i < n_blocks; i++) {
            x[i] = mf_load64_le(in + BLOCK * i + 8 * half);
        }
        for (size_t i = n_blocks; i < LANES; i++) {
            x[i] = 0;
        }
        mf_transpose_64(x);
    }
}

/* The halves change places, which undoes the swap of the last round. */
static void store_blocks(slices *w, uint8_t *out, size_t n_blocks)
{
    for (size_t half = 0; half < 2; half++) {
        uint64_t *x = w->R[2 - 2 * half];

        mf_transpose_64(x);
        for (size_t i = 0; i < n_blocks; i++) {
            mf_store64_le(out + BLOCK * i + 8 * half, x[i]);
        }
    }
}

/* The words of a list as masks for layer(), in some lanes; the others keep theirs. */
MF_INLINE void fill_list(uint64_t L[][32], const uint32_t *words, unsigned k, uint64_t lanes)
{
    for (size_t i = 0; i < k; i++) {
        const uint32_t x = words[i] ^ negated(i);

        for (size_t bit = 0; bit < 32; bit++) {
            L[i][bit] = (L[i][bit] & ~lanes) | ((0 - (uint64_t)(x >> bit & 1)) & lanes);
        }
    }
}

/* Up to 64 blocks; w->S is filled already. */
static void encrypt_slices(slices *w, const bitslice_key *key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    load_blocks(w, in, n_blocks);
    whiten(w, key->whitening, 0);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        slices_round(w, key->k, r % 2, &key->rounds[r], encrypt_sums);
    }
    whiten(w, key->whitening + 4, 2);
    store_blocks(w, out, n_blocks);
}

static void decrypt_slices(slices *w, const bitslice_key *key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    load_blocks(w, in, n_blocks);
    whiten(w, key->whitening + 4, 0);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r--) {
        slices_round(w, key->k, r % 2, &key->rounds[r - 1], decrypt_sums);
    }
    whiten(w, key->whitening, 2);
    store_blocks(w, out, n_blocks);
}

/* --- The key ---------------------------------------------------------------------------------- */

/* Each bit of x as a byte: copies of its bytes, in each of which one bit is kept and then
 * spread. */
MF_INLINE void spread(int8_t masks[32], uint32_t x)
{
    for (size_t i = 0; i < 4; i++) {
        uint64_t t = mf_byte(x, (unsigned)i);

        t |= t << 8;
        t |= t << 16;
        t |= t << 32;
        t &= 0x8040201008040201;
        t = (t + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101;
        mf_store64_le((uint8_t *)masks + 8 * i, (t << 8) - t);
    }
}

static void spread_subkeys(bitslice_key *key)
{
    for (size_t i = 0; i < ROUND_SUBKEYS; i++) {
        spread(key->whitening[i], key->K[i]);
    }
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * r;
        round_masks *m = &key->rounds[r];

        spread(m->K0, K[0]);
        spread(m->K0_steps, K[0] ^ K[0] >> 1);
        spread(m->K1, K[1]);
        spread(m->K1_steps, K[1] ^ K[1] >> 1);
    }
}

/* The subkeys, by h of 40 words in as many lanes: in lane n all bytes of the word are n. Even lanes
 * take the even words of the key, odd lanes the odd ones. [Twofish98, 4.3.4] */
static void subkeys(uint32_t K[MF_TWOFISH_SUBKEYS], slices *w, const uint8_t *key, unsigned k)
{
    uint64_t *const x = w->R[2];
    uint32_t M[2][MF_TWOFISH_MAX_K];

    for (size_t i = 0; i < k; i++) {
        M[0][i] = mf_load32_le(key + 8 * i);
        M[1][i] = mf_load32_le(key + 8 * i + 4);
    }
    fill_list(w->S, M[0], k, ~lane_bits[0]);
    fill_list(w->S, M[1], k, lane_bits[0]);
    for (size_t i = 0; i < 4; i++) {
        memcpy(w->R[0] + 8 * i, lane_bits, sizeof lane_bits);
    }
    g(x, w->R[0], 0, (const uint64_t(*)[32])w->S, k);
    memset(x + 32, 0, 32 * sizeof *x);
    mf_transpose_64(x);
    for (size_t i = 0; i < MF_TWOFISH_SUBKEYS; i += 2) {
        const uint32_t A = (uint32_t)x[i];
        const uint32_t B = mf_rotl32((uint32_t)x[i + 1], 8);

        K[i] = A + B;
        K[i + 1] = mf_rotl32(A + 2 * B, 9);
    }
    mf_wipe(M, sizeof M);
}

/* --- Few blocks ------------------------------------------------------------------------------- */

/* One bit of each half byte of x, spread over the half byte. */
MF_INLINE uint64_t spread_bit(uint64_t x, size_t bit)
{
    const uint64_t low = x >> bit & 0x1111111111111111;
    return (low << 4) - low;
}

/* The polynomials with coefficients c on each half byte of x, by Horner's rule; `late` is still to
 * be XORed into the top bits, which are used last. Results are waited for, so short ways count. */
MF_INLINE uint64_t polynomials(const uint64_t c[15], uint64_t x, uint64_t late)
{
    const uint64_t x0 = spread_bit(x, 0);
    const uint64_t x1 = spread_bit(x, 1);
    const uint64_t x2 = spread_bit(x, 2);
    const uint64_t x3 = spread_bit(x ^ late, 3);
    const uint64_t f = c[0] ^ (x0 & c[1]) ^ (x1 & (c[2] ^ (x0 & c[3])));
    const uint64_t f2 = c[4] ^ (x0 & c[5]) ^ (x1 & (c[6] ^ (x0 & c[7])));
    const uint64_t f3 = c[8] ^ (x0 & c[9]) ^ (x1 & (c[10] ^ (x0 & c[11])));
    const uint64_t f23 = c[12] ^ (x0 & c[13]) ^ (x1 & c[14]);

    return (f ^ (x2 & f2)) ^ ((x3 & f3) ^ (x2 & x3 & f23));
}

/* The q of a level of h, on eight bytes: twice the halves a, b of each byte are mixed, to a ^ b and
 * a ^ ROR4(b, 1) ^ 8a, and go through a 4-bit permutation each [Twofish98, 4.3.5]. The second time
 * the new a and b come out the other way round, as the bytes want them. */
MF_INLINE uint64_t q_words(uint64_t x, unsigned level)
{
    const uint64_t high = 0xF0F0F0F0F0F0F0F0;

    x = polynomials(mf_twofish_q_forms[level][0],
                    ((x ^ x << 4) & high) ^ ((x >> 4 ^ x >> 1) & ~high),
                    x << 3 & 0x0808080808080808);
    return polynomials(mf_twofish_q_forms[level][1], x ^ ((x >> 4 & ~high) ^ (x << 3 & high)),
                       x << 7 & 0x8080808080808080);
}

/* Each byte divided by x in the field of the MDS matrix. */
MF_INLINE uint64_t divide_words(uint64_t x)
{
    const uint64_t low = x & 0x0101010101010101;
    return (x >> 1 & 0x7F7F7F7F7F7F7F7F) ^ (((low << 8) - low) & 0xB4B4B4B4B4B4B4B4);
}

/* The state of up to two blocks, worked on together: while one waits for a result, the other does
 * not. */
enum { FEW = 2 };
typedef mf_twofish_state few_states[FEW];

/* Both g of n blocks; L is S, with S for the bytes of R1 beside it. */
MF_INLINE void g_words(uint32_t T[FEW][2], const few_states s, unsigned n, const uint64_t *L,
                       unsigned k)
{
    uint64_t x[FEW];

    for (size_t i = 0; i < n; i++) {
        x[i] = s[i].R0 | (uint64_t)s[i].R1 << 32;
    }
    for (unsigned level = k; level > 0; level--) {
        for (size_t i = 0; i < n; i++) {
            x[i] = q_words(x[i], level) ^ L[level - 1];
        }
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = q_words(x[i], 0);
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t once = divide_words(x[i]);
        const uint64_t twice = divide_words(once);
        const uint64_t both = x[i] ^ twice;

        T[i][0] = mf_twofish_mds_word((uint32_t)both, (uint32_t)once, (uint32_t)twice);
        T[i][1] = mf_twofish_mds_word(mf_rotl32((uint32_t)(both >> 32), 8),
                                      mf_rotl32((uint32_t)(once >> 32), 8),
                                      mf_rotl32((uint32_t)(twice >> 32), 8));
    }
}

/* A round; the halves change places. */
MF_INLINE void encrypt_few_round(few_states s, unsigned n, const uint32_t *K, const uint64_t *L,
                                 unsigned k)
{
    uint32_t T[FEW][2];

    g_words(T, s, n, L, k);
    for (size_t i = 0; i < n; i++) {
        const mf_twofish_state t = {mf_rotr32(s[i].R2 ^ (T[i][0] + T[i][1] + K[0]), 1),
                                    mf_rotl32(s[i].R3, 1) ^ (T[i][0] + 2 * T[i][1] + K[1]), s[i].R0,
                                    s[i].R1};
        s[i] = t;
    }
}

MF_INLINE void decrypt_few_round(few_states s, unsigned n, const uint32_t *K, const uint64_t *L,
                                 unsigned k)
{
    uint32_t T[FEW][2];

    g_words(T, s, n, L, k);
    for (size_t i = 0; i < n; i++) {
        const mf_twofish_state t = {mf_rotl32(s[i].R2, 1) ^ (T[i][0] + T[i][1] + K[0]),
                                    mf_rotr32(s[i].R3 ^ (T[i][0] + 2 * T[i][1] + K[1]), 1), s[i].R0,
                                    s[i].R1};
        s[i] = t;
    }
}

/* n is 1 or 2, a constant, as is k. */
MF_INLINE void encrypt_few(const bitslice_key *key, const uint64_t *L, uint8_t *out,
                           const uint8_t *in, unsigned n, unsigned k)
{
    few_states s;

    for (size_t i = 0; i < n; i++) {
        mf_twofish_load(&s[i], in + BLOCK * i, key->K + INPUT_WHITENING);
    }
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        encrypt_few_round(s, n, key->K + ROUND_SUBKEYS + 2 * r, L, k);
    }
    for (size_t i = 0; i < n; i++) {
        mf_twofish_store(out + BLOCK * i, &s[i], key->K + OUTPUT_WHITENING);
    }
}

MF_INLINE void decrypt_few(const bitslice_key *key, const uint64_t *L, uint8_t *out,
                           const uint8_t *in, unsigned n, unsigned k)
{
    few_states s;

    for (size_t i = 0; i < n; i++) {
        mf_twofish_load(&s[i], in + BLOCK * i, key->K + OUTPUT_WHITENING);
    }
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r--) {
        decrypt_few_round(s, n, key->K + ROUND_SUBKEYS + 2 * (r - 1), L, k);
    }
    for (size_t i = 0; i < n; i++) {
        mf_twofish_store(out + BLOCK * i, &s[i], key->K + INPUT_WHITENING);
    }
}

typedef void few_function(const bitslice_key *key, const uint64_t *L, uint8_t *out,
                          const uint8_t *in, unsigned n, unsigned k);

MF_INLINE void each_few(few_function *crypt, const bitslice_key *key, uint8_t *out,
                        const uint8_t *in, size_t n_blocks, unsigned k)
{
    uint64_t L[MF_TWOFISH_MAX_K];

    for (size_t i = 0; i < k; i++) {
        L[i] = key->S[i] | (uint64_t)mf_rotr32(key->S[i], 8) << 32;
    }
    while (n_blocks >= FEW) {
        crypt(key, L, out, in, FEW, k);
        n_blocks -= FEW;
        in += (size_t)FEW * BLOCK;
        out += (size_t)FEW * BLOCK;
    }
    if (n_blocks > 0) {
        crypt(key, L, out, in, 1, k);
    }
    mf_wipe(L, sizeof L);
}

/* A constant k in each call, so that no loop over the levels is left. Not inlined, so that
 * mf_wipe_stack() finds their frames. */
static MF_NOINLINE void encrypt_words(const bitslice_key *key, uint8_t *out, const uint8_t *in,
                                      size_t n_blocks)
{
    if (key->k == 2) {
        each_few(encrypt_few, key, out, in, n_blocks, 2);
    } else if (key->k == 3) {
        each_few(encrypt_few, key, out, in, n_blocks, 3);
    } else {
        each_few(encrypt_few, key, out, in, n_blocks, 4);
    }
}

static MF_NOINLINE void decrypt_words(const bitslice_key *key, uint8_t *out, const uint8_t *in,
                                      size_t n_blocks)
{
    if (key->k == 2) {
        each_few(decrypt_few, key, out, in, n_blocks, 2);
    } else if (key->k == 3) {
        each_few(decrypt_few, key, out, in, n_blocks, 3);
    } else {
        each_few(decrypt_few, key, out, in, n_blocks, 4);
    }
}

/* --- The kernel ------------------------------------------------------------------------------- */

/* How many of the n_blocks that are left are best worked on in lanes: all that fill them, and a
 * rest that would take longer otherwise. */
static size_t blocks_for_lanes(size_t n_blocks)
{
    return n_blocks % LANES >= PADDED_FROM ? n_blocks : n_blocks - n_blocks % LANES;
}

typedef void slices_function(slices *w, const bitslice_key *key, uint8_t *out, const uint8_t *in,
                             size_t n_blocks);

static MF_NOINLINE void each_slices(slices_function *crypt, slices *w, const bitslice_key *key,
                                    uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    fill_list(w->S, key->S, key->k, ~(uint64_t)0);
    for (size_t i = 0; i < n_blocks; i += LANES) {
        const size_t rest = n_blocks - i;
        crypt(w, key, out + BLOCK * i, in + BLOCK * i, rest < LANES ? rest : LANES);
    }
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const size_t in_lanes = blocks_for_lanes(n_blocks);
    slices w;

    if (in_lanes > 0) {
        each_slices(encrypt_slices, &w, expanded_key, out, in, in_lanes);
        mf_wipe(&w, sizeof w);
    }
    if (n_blocks > in_lanes) {
        encrypt_words(expanded_key, out + BLOCK * in_lanes, in + BLOCK * in_lanes,
                      n_blocks - in_lanes);
    }
    mf_wipe_stack();
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const size_t in_lanes = blocks_for_lanes(n_blocks);
    slices w;

    if (in_lanes > 0) {
        each_slices(decrypt_slices, &w, expanded_key, out, in, in_lanes);
        mf_wipe(&w, sizeof w);
    }
    if (n_blocks > in_lanes) {
        decrypt_words(expanded_key, out + BLOCK * in_lanes, in + BLOCK * in_lanes,
                      n_blocks - in_lanes);
    }
    mf_wipe_stack();
}

static MF_NOINLINE void expand_key(bitslice_key *b, slices *w, const uint8_t *key, unsigned k)
{
    b->k = k;
    mf_twofish_s_words(b->S, key, k);
    subkeys(b->K, w, key, k);
    spread_subkeys(b);
}

static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    slices w;

    expand_key(expanded_key, &w, key, k);
    mf_wipe(&w, sizeof w);
    mf_wipe_stack();
}

/* --- Set-up of table kernels ------------------------------------------------------------------ */

static MF_NOINLINE void expand_schedule(uint32_t K[MF_TWOFISH_SUBKEYS],
                                        uint32_t S[MF_TWOFISH_MAX_K], slices *w, const uint8_t *key,
                                        unsigned k)
{
    mf_twofish_s_words(S, key, k);
    subkeys(K, w, key, k);
}

static void setup_schedule(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                           const uint8_t *key, unsigned k)
{
    slices w;

    expand_schedule(K, S, &w, key, k);
    mf_wipe(&w, sizeof w);
    mf_wipe_stack();
}

/* The 64 bytes from 64 * group on, in as many lanes. */
static void consecutive_bytes(uint64_t x[8], size_t group)
{
    memcpy(x, lane_bits, 6 * sizeof *x);
    x[6] = 0 - (uint64_t)(group & 1);
    x[7] = 0 - (uint64_t)(group >> 1);
}

/* An S-box without the last `undone` q. Where it ends with a key byte, what the circuit after it
 * would complement again is undone. j is a constant, as for q(). */
MF_INLINE void some_s_box(uint64_t y[8], size_t group, size_t j, const uint64_t L[][32], unsigned k,
                          unsigned undone)
{
    uint64_t x[8];

    consecutive_bytes(x, group);
    if (undone == 0) {
        s_box(y, x, j, L, k);
        return;
    }
    if (k == 4) {
        layer(x, 3, j, L);
    }
    if (k >= 3) {
        layer(x, 2, j, L);
    }
    layer(x, 1, j, L);
    if (undone == 1) {
        layer(x, 0, j, L);
    }
    const size_t next = undone - 1;
    const uint8_t complemented =
        mf_twofish_negated[circuit_kind(next)][mf_twofish_q_order[next][j]][0];
    for (size_t bit = 0; bit < 8; bit++) {
        y[bit] = x[bit] ^ (0 - (uint64_t)(complemented >> bit & 1));
    }
}

static MF_NOINLINE void unfinished_s_box(uint64_t y[8], size_t group, size_t j,
                                         const uint64_t L[][32], unsigned k, unsigned undone)
{
    if (j == 0) {
        some_s_box(y, group, 0, L, k, undone);
    } else if (j == 1) {
        some_s_box(y, group, 1, L, k, undone);
    } else if (j == 2) {
        some_s_box(y, group, 2, L, k, undone);
    } else {
        some_s_box(y, group, 3, L, k, undone);
    }
}

static MF_NOINLINE void fill_setup_list(slices *w, const uint32_t *S, unsigned k)
{
    fill_list(w->S, S, k, ~(uint64_t)0);
}

/* Two groups at a time: a lane then has a byte of each S-box for one, and behind them for the
 * other. */
static MF_NOINLINE void fill_bytes(uint8_t box[4][256], slices *w, const uint32_t *S, unsigned k,
                                   unsigned undone)
{
    uint64_t *const x = w->R[0];

    fill_setup_list(w, S, k);
    for (size_t group = 0; group < 4; group += 2) {
        for (size_t i = 0; i < 8; i++) {
            unfinished_s_box(x + 8 * i, group + i / 4, i % 4, (const uint64_t(*)[32])w->S, k,
                             undone);
        }
        mf_transpose_64(x);
        for (size_t n = 0; n < LANES; n++) {
            for (size_t i = 0; i < 8; i++) {
                box[i % 4][LANES * (group + i / 4) + n] = (uint8_t)(x[n] >> 8 * i);
            }
        }
    }
}

/* Column j of the MDS matrix times y; see mds(). */
static void column(uint64_t z[4][8], size_t j, const uint64_t y[8])
{
    enum { ONE, EF, S };
    static const uint8_t factors[4][4] = {
        {ONE, S, EF, EF}, {EF, EF, S, ONE}, {S, EF, ONE, EF}, {S, ONE, EF, S}};
    uint64_t multiples[3][8];
    uint64_t twice[8];

    copy_slices(multiples[ONE], y);
    divide_add(multiples[EF], y, (const uint64_t[8]){0});
    divide_add(twice, multiples[EF], (const uint64_t[8]){0});
    add_slices(multiples[S], y, twice);
    add_slices(multiples[EF], multiples[EF], multiples[S]);
    for (size_t i = 0; i < 4; i++) {
        copy_slices(z[i], multiples[factors[j][i]]);
    }
}

static MF_NOINLINE void fill_words(uint32_t box[4][256], slices *w, const uint32_t *S, unsigned k)
{
    uint64_t *const x = w->R[0];

    fill_setup_list(w, S, k);
    for (size_t pair = 0; pair < 8; pair++) {
        const size_t j = pair / 2;
        const size_t group = 2 * (pair % 2);
        for (size_t i = 0; i < 2; i++) {
            uint64_t *const y = w->T[0];
            unfinished_s_box(y, group + i, j, (const uint64_t(*)[32])w->S, k, 0);
            column((uint64_t(*)[8])(x + 32 * i), j, y);
        }
        mf_transpose_64(x);
        for (size_t n = 0; n < LANES; n++) {
            box[j][LANES * group + n] = (uint32_t)x[n];
            box[j][LANES * (group + 1) + n] = (uint32_t)(x[n] >> 32);
        }
    }
}

static void setup_bytes(uint8_t box[4][256], const uint32_t *S, unsigned k, unsigned undone)
{
    slices w;

    fill_bytes(box, &w, S, k, undone);
    mf_wipe(&w, sizeof w);
    mf_wipe_stack();
}

static void setup_words(uint32_t box[4][256], const uint32_t *S, unsigned k)
{
    slices w;

    fill_words(box, &w, S, k);
    mf_wipe(&w, sizeof w);
    mf_wipe_stack();
}

static const mf_twofish_setup setup = {
    .stack = 5120,
    .schedule = setup_schedule,
    .bytes = setup_bytes,
    .words = setup_words,
};

const mf_twofish_kernel mf_twofish_bitslice = {
    .common.name = "bitslice",
    .common.summary = "no tables, no vector unit: 64 blocks in the bits of words",
    .common.cpu_features = 0,
    .common.expanded_key_bytes = sizeof(bitslice_key),
    .common.lanes = LANES,
    .common.constant_time = true,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .setup = &setup,
    .set_key = set_key,
};
/* NOLINTEND(clang-analyzer-core.uninitialized.Assign,
 * clang-analyzer-core.UndefinedBinaryOperatorResult) */
