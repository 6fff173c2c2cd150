/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key schedule and the S-boxes for keys of more than 256 bits. The paper says that such keys
 * are possible [Twofish98, 11.5] and leaves the order of q0 and q1 open; here, as in
 * model/long_keys.py, those of levels 1 to 4 come again and again.
 */
#ifndef MF_STUDY_LONG_KEYS_H
#define MF_STUDY_LONG_KEYS_H

#include <stddef.h>
#include <stdint.h>

enum { MF_LONG_MAX_K = 64 };

/* From a key of 8k bytes, k at most MF_LONG_MAX_K: the subkeys K_0 to K_(n-1), and the S-boxes with
 * their columns of the MDS matrix. Temporaries are wiped. Key bytes index its lookup tables. */
void mf_twofish_long_schedule(uint32_t *K, size_t n, uint32_t box[4][256], const uint8_t *key,
                              unsigned k);

#endif
