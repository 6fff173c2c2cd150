/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The limits of GCM [SP800-38D, 5.2.1].
 */
#ifndef MF_SRC_MODES_GCM_H
#define MF_SRC_MODES_GCM_H

#include <manyfish/gcm.h>

#include "ghash/ghash.h"

/* The IV of this length becomes J0 without GHASH. */
enum { MF_GCM_SHORT_IV_BYTES = 12 };

#define MF_GCM_MAX_TEXT_BYTES (((uint64_t)1 << 36) - 32)
#define MF_GCM_MAX_HASHED_BYTES (((uint64_t)1 << 61) - 1)

/* True if GHASH must not take n_bytes more. */
static inline bool mf_gcm_too_long_to_hash(uint64_t hashed_bytes, uint64_t n_bytes)
{
    return n_bytes > MF_GCM_MAX_HASHED_BYTES - hashed_bytes;
}

/* True if the text must not have n_bytes more. */
static inline bool mf_gcm_too_long_to_encrypt(uint64_t text_bytes, uint64_t n_bytes)
{
    return n_bytes > MF_GCM_MAX_TEXT_BYTES - text_bytes;
}

static inline bool mf_gcm_is_tag_length(size_t tag_bytes)
{
    return tag_bytes == 4 || tag_bytes == 8 || (tag_bytes >= 12 && tag_bytes <= MF_GHASH_BLOCK);
}

#endif
