/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The checks that all modes share, and the size of the pieces that they work in.
 */
#ifndef MF_SRC_MODES_CHECK_H
#define MF_SRC_MODES_CHECK_H

#include <manyfish/cipher.h>

#include "../common/bytes.h"

/* Modes hand blocks to the cipher in pieces of this many bytes, through a buffer on the stack: as
 * much as the widest kernel works on at once, 512 blocks of DES, and enough that the 150 cycles
 * which a call costs beside its blocks do not count. */
#ifndef MF_SMALL
enum { MF_PIECE_BYTES = 4096 };
#else /* the stack is small, too */
enum { MF_PIECE_BYTES = 512 };
#endif

MF_INLINE size_t mf_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

MF_INLINE size_t mf_piece_blocks(const mf_cipher *cipher)
{
    return cipher->block_bytes == 8 ? MF_PIECE_BYTES / 8 : MF_PIECE_BYTES / 16;
}

MF_INLINE mf_status mf_check_cipher(const mf_cipher *cipher)
{
    if (cipher == NULL) {
        return MF_ERROR_NULL;
    }
    if (cipher->has_key == NULL || !cipher->has_key(cipher->key)) {
        return MF_ERROR_NO_KEY;
    }
    return cipher->block_bytes == 8 || cipher->block_bytes == 16 ? MF_OK : MF_ERROR_BLOCK;
}

/* For modes that are defined for blocks of 16 bytes only. */
MF_INLINE mf_status mf_check_cipher_16(const mf_cipher *cipher)
{
    const mf_status status = mf_check_cipher(cipher);
    return status == MF_OK && cipher->block_bytes != 16 ? MF_ERROR_BLOCK : status;
}

MF_INLINE mf_status mf_check_data(const void *out, const void *in, size_t n_bytes)
{
    if (n_bytes > 0 && (out == NULL || in == NULL)) {
        return MF_ERROR_NULL;
    }
    return mf_overlap_partly(out, in, n_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

/* For modes on whole blocks. */
MF_INLINE mf_status mf_check_blocks(const mf_cipher *cipher, const void *out, const void *in,
                                    size_t n_bytes)
{
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    if (n_bytes % cipher->block_bytes != 0) {
        return MF_ERROR_LENGTH;
    }
    return mf_check_data(out, in, n_bytes);
}

#endif
