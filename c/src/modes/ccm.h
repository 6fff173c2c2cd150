/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The formatting of CCM [SP800-38C, appendix A], and its limits.
 */
#ifndef MF_SRC_MODES_CCM_H
#define MF_SRC_MODES_CCM_H

#include <manyfish/ccm.h>

#include "../common/bytes.h"

enum { MF_CCM_BLOCK = 16, MF_CCM_MIN_NONCE = 7, MF_CCM_MAX_NONCE = 13, MF_CCM_MIN_TAG = 4 };

/* The lowest n_bytes bytes of x, big-endian. */
MF_INLINE void mf_ccm_store_number(uint8_t *p, size_t n_bytes, uint64_t x)
{
    for (size_t i = n_bytes; i-- > 0;) {
        p[i] = (uint8_t)x;
        x >>= 8;
    }
}

/* The length of the associated data as its prefix; returns the bytes written. [SP800-38C, A.2.2] */
MF_INLINE size_t mf_ccm_store_aad_length(uint8_t p[10], uint64_t a)
{
    if (a < 0xFF00) {
        mf_ccm_store_number(p, 2, a);
        return 2;
    }
    p[0] = 0xFF;
    p[1] = a <= UINT32_MAX ? 0xFE : 0xFF;
    const size_t n_bytes = a <= UINT32_MAX ? 4 : 8;
    mf_ccm_store_number(p + 2, n_bytes, a);
    return 2 + n_bytes;
}

/* B_0. [SP800-38C, A.2.1] */
MF_INLINE void mf_ccm_format(uint8_t b_0[MF_CCM_BLOCK], const uint8_t *nonce, size_t nonce_bytes,
                             uint64_t aad_bytes, uint64_t n_bytes, size_t tag_bytes)
{
    const size_t q = MF_CCM_BLOCK - 1 - nonce_bytes;
    b_0[0] = (uint8_t)((aad_bytes > 0 ? 0x40 : 0) | (tag_bytes - 2) / 2 << 3 | (q - 1));
    memcpy(b_0 + 1, nonce, nonce_bytes);
    mf_ccm_store_number(b_0 + 1 + nonce_bytes, q, n_bytes);
}

/* A_0. [SP800-38C, A.3] */
MF_INLINE void mf_ccm_first_counter(uint8_t a_0[MF_CCM_BLOCK], const uint8_t *nonce,
                                    size_t nonce_bytes)
{
    const size_t q = MF_CCM_BLOCK - 1 - nonce_bytes;
    a_0[0] = (uint8_t)(q - 1);
    memcpy(a_0 + 1, nonce, nonce_bytes);
    mf_ccm_store_number(a_0 + 1 + nonce_bytes, q, 0);
}

MF_INLINE mf_status mf_ccm_check_nonce(const void *nonce, size_t nonce_bytes, uint64_t n_bytes)
{
    if (nonce_bytes < MF_CCM_MIN_NONCE || nonce_bytes > MF_CCM_MAX_NONCE) {
        return MF_ERROR_NONCE_LENGTH;
    }
    if (nonce == NULL) {
        return MF_ERROR_NULL;
    }
    const size_t q = MF_CCM_BLOCK - 1 - nonce_bytes;
    return q < 8 && n_bytes >> 8 * q != 0 ? MF_ERROR_TOO_LONG : MF_OK;
}

MF_INLINE bool mf_ccm_is_tag_length(size_t tag_bytes)
{
    return tag_bytes >= MF_CCM_MIN_TAG && tag_bytes <= MF_CCM_BLOCK && tag_bytes % 2 == 0;
}

#endif
