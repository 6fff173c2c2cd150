/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key schedule [Twofish98, 4.3], shared by all kernels.
 */
#ifndef MF_SRC_TWOFISH_SCHEDULE_H
#define MF_SRC_TWOFISH_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

enum {
    MF_TWOFISH_ROUNDS = 16,
    MF_TWOFISH_SUBKEYS = 8 + 2 * MF_TWOFISH_ROUNDS, /* whitening, then two a round */
    MF_TWOFISH_MAX_K = 4
};

/* From a key of 8k bytes: the subkeys K_0 to K_(n-1); n is even and at most 256. Temporaries are wiped.
 * Its table lookups are addressed by key bytes. [Twofish98, 4.3.4] */
void mf_twofish_subkeys(uint32_t *K, size_t n, const uint8_t *key, unsigned k);

/* From a key of 8k bytes: the subkeys K_0 to K_39, and the list of words for g, S[0] being the one
 * that h applies last; S[k] and above are zeroed. Temporaries are wiped. Its table lookups are
 * addressed by key bytes. [Twofish98, 4.3, 4.3.4] */
void mf_twofish_schedule(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                         const uint8_t *key, unsigned k);

#endif
