/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What table kernels ask of the constant-time ones, for a key set-up without an address from the key: the
 * key schedule, and the S-boxes in plain order. A kernel that can do it has one of these in its row
 * (kernel.h); the first kernel that runs here and has one serves all others.
 */
#ifndef MF_SRC_TWOFISH_SETUP_H
#define MF_SRC_TWOFISH_SETUP_H

#include "schedule.h"

typedef struct mf_twofish_setup {
    size_t stack; /* how many bytes of it the caller has to wipe after any of these */

    /* As mf_twofish_schedule. */
    void (*schedule)(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                     const uint8_t *key, unsigned k);

    /* The S-boxes without the last `undone` q, 1 or 2: with 1 what partial keying stores, with 2 what
     * minimal keying does. */
    void (*bytes)(uint8_t box[4][256], const uint32_t *S, unsigned k, unsigned undone);

    /* The S-boxes with the MDS matrix, as full keying stores them. */
    void (*words)(uint32_t box[4][256], const uint32_t *S, unsigned k);
} mf_twofish_setup;

#endif
