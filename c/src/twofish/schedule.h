/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key schedule [Twofish98, 4.3], shared by all kernels.
 */
#ifndef MF_SRC_TWOFISH_SCHEDULE_H
#define MF_SRC_TWOFISH_SCHEDULE_H

#include "../common/bytes.h"

enum {
    MF_TWOFISH_ROUNDS = 16,
    MF_TWOFISH_SUBKEYS = 8 + 2 * MF_TWOFISH_ROUNDS, /* whitening, then two a round */
    MF_TWOFISH_MAX_K = 4
};

/* Names of the subkeys: K_0..K_3 whiten the input, K_4..K_7 the output, two a round follow. */
enum { INPUT_WHITENING = 0, OUTPUT_WHITENING = 4, ROUND_SUBKEYS = 8 };

/* --- The words S, by the Reed-Solomon code [Twofish98, 4.3]: without tables and branches, so that
 * kernels can be constant-time in key set-up too. */

/* One step of polynomial division: r(x) * x mod g(x) over GF(2^8) modulo x^8+x^6+x^3+x^2+1, where
 * g(x) = x^4 + (a + 1/a) x^3 + a x^2 + (a + 1/a) x + 1 generates the RS code. Masks instead of
 * products, since small processors multiply in a time that depends on the factors. */
MF_INLINE uint32_t mf_twofish_rs_step(uint32_t r)
{
    const uint32_t top = r >> 24;
    const uint32_t a_top = (top << 1 ^ ((0 - (top >> 7)) & 0x14D)) & 0xFF;
    const uint32_t top_over_a = top >> 1 ^ ((0 - (top & 1)) & (0x14D >> 1));
    const uint32_t sum = a_top ^ top_over_a;
    return r << 8 ^ sum << 24 ^ a_top << 16 ^ sum << 8 ^ top;
}

/* The product of the RS matrix with 8 key bytes is their remainder modulo g(x), highest byte
 * first. [Twofish98, 4.3] */
static inline uint32_t mf_twofish_rs(const uint8_t m[8])
{
    uint32_t r = mf_load32_le(m + 4);
    for (int i = 0; i < 4; i++) {
        r = mf_twofish_rs_step(r);
    }
    r ^= mf_load32_le(m);
    for (int i = 0; i < 4; i++) {
        r = mf_twofish_rs_step(r);
    }
    return r;
}

/* The list of words for g from a key of 8k bytes: in reverse, S[0] being the one that h applies
 * last; S[k] and above are zeroed. [Twofish98, 4.3] */
static inline void mf_twofish_s_words(uint32_t S[MF_TWOFISH_MAX_K], const uint8_t *key, unsigned k)
{
    for (size_t i = 0; i < MF_TWOFISH_MAX_K; i++) {
        S[i] = i < k ? mf_twofish_rs(key + 8 * (k - 1 - i)) : 0;
    }
}

/* --- All of it, by tables --------------------------------------------------------------------- */

/* From a key of 8k bytes: the subkeys K_0 to K_(n-1); n is even and at most 256. Temporaries are
 * wiped. Key bytes index its lookup tables. [Twofish98, 4.3.4] */
void mf_twofish_subkeys(uint32_t *K, size_t n, const uint8_t *key, unsigned k);

/* From a key of 8k bytes: the subkeys K_0 to K_39, and the list of words for g, S[0] being the one
 * that h applies last; S[k] and above are zeroed. Temporaries are wiped. Key bytes index
 * its lookup tables. [Twofish98, 4.3, 4.3.4] */
void mf_twofish_schedule(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                         const uint8_t *key, unsigned k);

#endif
