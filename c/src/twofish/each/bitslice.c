/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys: 64 at a time, in the bits of words, without a vector unit and without a table. All is
 * as in the kernel of this name, except that each lane has its own key bits.
 */
#include "../bitslice.h"
#include "../../common/block.h"
#include "../../common/wipe.h"
#include "../each.h"

/* The analyser loses track of which words are written; valgrind and the memory sanitizer do not.
 * NOLINTBEGIN(clang-analyzer-core.uninitialized.Assign,
 * clang-analyzer-core.UndefinedBinaryOperatorResult) */

/* Bit i of a word of each key is in word i. */
typedef struct each_slices {
    slices w; /* S in it */
    uint64_t K[MF_TWOFISH_SUBKEYS][32];
    uint64_t M[2][MF_TWOFISH_MAX_K][32];
    uint64_t F[2][32];
} each_slices;

_Static_assert(sizeof(each_slices) <= MF_TWOFISH_EACH_STATE_BYTES, "no room for the keys");

/* --- The key schedule [Twofish98, 4.3] -------------------------------------------------------- */

/* The bits of the pairs of words. The list L[i] is complemented as the circuits want it. */
MF_INLINE void take_list(uint64_t L[32], const uint64_t *x, size_t i)
{
    const uint32_t complemented = negated(i);

    for (size_t bit = 0; bit < 32; bit++) {
        L[bit] = x[bit] ^ (0 - (uint64_t)(complemented >> bit & 1));
    }
}

/* Key words 2i and 2i + 1. */
static void take_key_words(each_slices *e, const uint8_t *keys, unsigned k, size_t n_keys, size_t i)
{
    uint64_t *const pair = e->w.R[0];

    memset(pair, 0, LANES * sizeof *pair);
    for (size_t n = 0; n < n_keys; n++) {
        pair[n] = mf_load64_le(keys + 8 * k * n + 8 * i);
    }
    mf_transpose_64(pair);
    take_list(e->M[0][i], pair, i);
    take_list(e->M[1][i], pair + 32, i);
}

/* S_i, which is of the key bytes from 8 (k - 1 - i) on, and S_i+1, if there is one. */
static void take_s_words(each_slices *e, const uint8_t *keys, unsigned k, size_t n_keys, size_t i)
{
    uint64_t *const pair = e->w.R[0];
    const uint8_t *m = keys + 8 * (k - 1 - i);
    const bool two = i + 1 < k;

    memset(pair, 0, LANES * sizeof *pair);
    for (size_t n = 0; n < n_keys; n++, m += 8 * (size_t)k) {
        pair[n] = mf_twofish_rs(m) | (two ? (uint64_t)mf_twofish_rs(m - 8) << 32 : 0);
    }
    mf_transpose_64(pair);
    take_list(e->w.S[i], pair, i);
    if (two) {
        take_list(e->w.S[i + 1], pair + 32, i + 1);
    }
}

/* h of i rho, for all keys. */
static void h_of(uint64_t T[32], each_slices *e, size_t i, unsigned k)
{
    uint64_t *const X = e->w.R[0];

    for (size_t bit = 0; bit < 32; bit++) {
        X[bit] = 0 - (uint64_t)(i >> bit % 8 & 1);
    }
    g(T, X, 0, (const uint64_t(*)[32])e->M[i & 1], k);
}

/* K[0] = A + ROL(B, 8) and K[1] = ROL(A + 2 ROL(B, 8), 9). [Twofish98, 4.3.3] */
static void add_subkeys(uint64_t K[2][32], const uint64_t A[32], const uint64_t B[32])
{
    uint64_t carry = 0;
    uint64_t twice_carry = 0;
    uint64_t below = 0;

    for (size_t bit = 0; bit < 32; bit++) {
        const uint64_t b = B[(bit - 8) & 31];
        carry = add(&K[0][bit], A[bit], b, carry);
        twice_carry = add(&K[1][(bit + 9) & 31], A[bit], below, twice_carry);
        below = b;
    }
}

static void set_keys(void *state, const uint8_t *keys, unsigned k, size_t n_keys)
{
    each_slices *e = state;

    for (size_t i = 0; i < k; i++) {
        take_key_words(e, keys, k, n_keys, i);
    }
    for (size_t i = 0; i < k; i += 2) {
        take_s_words(e, keys, k, n_keys, i);
    }
    for (size_t i = 0; i < MF_TWOFISH_SUBKEYS; i += 2) {
        h_of(e->w.T[0], e, i, k);
        h_of(e->w.T[1], e, i + 1, k);
        add_subkeys(e->K + i, e->w.T[0], e->w.T[1]);
    }
}

/* --- The rounds ------------------------------------------------------------------------------- */

/* F of the words R[0] and R[1] [Twofish98, 4.1]. Not inlined, since both directions share it. */
static MF_NOINLINE void f_of(each_slices *e, uint64_t (*R)[32], uint64_t (*K)[32], unsigned k)
{
    const uint64_t *T0 = e->w.T[0];
    const uint64_t *T1 = e->w.T[1];
    uint64_t carry[4] = {0};
    uint64_t below = 0;

    g(e->w.T[0], R[0], 0, (const uint64_t(*)[32])e->w.S, k);
    g(e->w.T[1], R[1], 1, (const uint64_t(*)[32])e->w.S, k);
    for (size_t bit = 0; bit < 32; bit++) {
        uint64_t sum, twice;
        carry[0] = add(&sum, T0[bit], T1[bit], carry[0]);
        carry[1] = add(&twice, T0[bit], below, carry[1]);
        carry[2] = add(&e->F[0][bit], sum, K[0][bit], carry[2]);
        carry[3] = add(&e->F[1][bit], twice, K[1][bit], carry[3]);
        below = T1[bit];
    }
}

/* x becomes ROR(x ^ F, 1). */
static void add_and_turn(uint64_t x[32], const uint64_t F[32])
{
    const uint64_t bottom = x[0] ^ F[0];

    for (size_t bit = 0; bit < 31; bit++) {
        x[bit] = x[bit + 1] ^ F[bit + 1];
    }
    x[31] = bottom;
}

/* x becomes ROL(x, 1) ^ F. */
static void turn_and_add(uint64_t x[32], const uint64_t F[32])
{
    uint64_t below = x[31];

    for (size_t bit = 0; bit < 32; bit++) {
        const uint64_t here = x[bit];
        x[bit] = below ^ F[bit];
        below = here;
    }
}

/* XORs four subkeys into the state, of which the first meets word `first`. */
static void whiten_each(slices *w, uint64_t (*K)[32], size_t first)
{
    for (size_t i = 0; i < 4; i++) {
        for (size_t bit = 0; bit < 32; bit++) {
            w->R[(i + first) % 4][bit] ^= K[i][bit];
        }
    }
}

/* A block of each key, step bytes apart; lanes without a key work on zeros. */
static void load_each(slices *w, const uint8_t *in, size_t step, size_t n_keys)
{
    for (size_t half = 0; half < 2; half++) {
        uint64_t *x = w->R[2 * half];

        memset(x, 0, LANES * sizeof *x);
        for (size_t n = 0; n < n_keys; n++) {
            x[n] = mf_load64_le(in + step * n + 8 * half);
        }
        mf_transpose_64(x);
    }
}

/* The halves change places, which undoes the swap of the last round. */
static void store_each(slices *w, uint8_t *out, size_t step, size_t n_keys)
{
    for (size_t half = 0; half < 2; half++) {
        uint64_t *x = w->R[2 - 2 * half];

        mf_transpose_64(x);
        for (size_t n = 0; n < n_keys; n++) {
            mf_store64_le(out + step * n + 8 * half, x[n]);
        }
    }
}

static void encrypt(void *state, uint8_t *out, const uint8_t *in, size_t step, unsigned k,
                    size_t n_keys)
{
    each_slices *e = state;

    load_each(&e->w, in, step, n_keys);
    whiten_each(&e->w, e->K + INPUT_WHITENING, 0);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        uint64_t(*const to)[32] = e->w.R + 2 * (~r & 1);
        f_of(e, e->w.R + 2 * (r & 1), e->K + ROUND_SUBKEYS + 2 * r, k);
        add_and_turn(to[0], e->F[0]);
        turn_and_add(to[1], e->F[1]);
    }
    whiten_each(&e->w, e->K + OUTPUT_WHITENING, 2);
    store_each(&e->w, out, step, n_keys);
}

static void decrypt(void *state, uint8_t *out, const uint8_t *in, size_t step, unsigned k,
                    size_t n_keys)
{
    each_slices *e = state;

    load_each(&e->w, in, step, n_keys);
    whiten_each(&e->w, e->K + OUTPUT_WHITENING, 0);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r--) {
        uint64_t(*const to)[32] = e->w.R + 2 * (~r & 1);
        f_of(e, e->w.R + 2 * (r & 1), e->K + ROUND_SUBKEYS + 2 * (r - 1), k);
        turn_and_add(to[0], e->F[0]);
        add_and_turn(to[1], e->F[1]);
    }
    whiten_each(&e->w, e->K + INPUT_WHITENING, 2);
    store_each(&e->w, out, step, n_keys);
}

/* Where to begin and to end was measured on a Zen 4, for keys of 128 bits: a group of 64 takes
 * 50,000 cycles, one key and block 5,500. */
const mf_twofish_each mf_twofish_each_bitslice = {
    .kernel = "bitslice",
    .lanes = LANES,
    .from = 10,
    .more = 0,
    .max_blocks = 48,
    .state_bytes = sizeof(each_slices),
    .stack = 1024,
    .set_keys = set_keys,
    .encrypt = encrypt,
    .decrypt = decrypt,
};
/* NOLINTEND(clang-analyzer-core.uninitialized.Assign,
 * clang-analyzer-core.UndefinedBinaryOperatorResult) */
