/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The parts of Twofish one by one, over those that the kernels share. Table lookups are addressed
 * by what the caller gives, but in RS.
 */
#include <manyfish/study/parts.h>

#include <string.h>

#include "common/wipe.h"
#include "twofish/h_function.h"
#include "twofish/schedule.h"

/* --- What depends on no key ------------------------------------------------------------------- */

mf_status mf_twofish_parts_q(uint8_t q[2][256])
{
    if (q == NULL) {
        return MF_ERROR_NULL;
    }
    memcpy(q, mf_twofish_q, sizeof mf_twofish_q);
    return MF_OK;
}

static uint32_t times(const mf_byte_map *map, uint32_t x)
{
    return map->low[x & 15] ^ map->high[x >> 4];
}

static uint32_t column(uint32_t row0, uint32_t row1, uint32_t row2, uint32_t row3)
{
    return row0 | row1 << 8 | row2 << 16 | row3 << 24;
}

uint32_t mf_twofish_parts_mds(uint32_t y)
{
    uint32_t b[4];  /* the bytes of y, */
    uint32_t ef[4]; /* times EF, */
    uint32_t s[4];  /* and times 5B */
    for (unsigned j = 0; j < 4; j++) {
        b[j] = mf_byte(y, j);
        ef[j] = times(&mf_twofish_times_ef, b[j]);
        s[j] = times(&mf_twofish_times_5b, b[j]);
    }
    return column(b[0], s[0], ef[0], ef[0]) ^ column(ef[1], ef[1], s[1], b[1]) ^
           column(s[2], ef[2], b[2], ef[2]) ^ column(s[3], b[3], ef[3], s[3]);
}

uint32_t mf_twofish_parts_rs(uint64_t m)
{
    uint8_t bytes[8];
    mf_store32_le(bytes, (uint32_t)m);
    mf_store32_le(bytes + 4, (uint32_t)(m >> 32));
    const uint32_t S = mf_twofish_rs(bytes);
    mf_wipe(bytes, sizeof bytes);
    return S;
}

/* --- What a list of words selects ------------------------------------------------------------- */

static mf_status check_list(const void *out, size_t out_bytes, const uint32_t *L, unsigned k)
{
    if (L == NULL) {
        return MF_ERROR_NULL;
    }
    if (k < 2 || k > MF_TWOFISH_MAX_K) {
        return MF_ERROR_KEY_LENGTH;
    }
    return mf_overlap(out, out_bytes, L, k * sizeof *L) ? MF_ERROR_OVERLAP : MF_OK;
}

/* Functions that work on secrets are not inlined, so that mf_wipe_stack wipes their stack. */
static MF_NOINLINE void fill_boxes(uint8_t box[4][256], const uint32_t *L, unsigned k)
{
    for (unsigned j = 0; j < 4; j++) {
        const uint8_t *last = mf_twofish_q[mf_twofish_q_order[0][j]];
        for (unsigned x = 0; x < 256; x++) {
            box[j][x] = last[mf_twofish_layers(k, 0, j, L, x)];
        }
    }
}

static MF_NOINLINE void h_of_words(uint32_t *out, const uint32_t *X, size_t n_words,
                                   const uint32_t *L, unsigned k)
{
    for (size_t i = 0; i < n_words; i++) {
        out[i] = mf_twofish_h(k, L, X[i], 0);
    }
}

mf_status mf_twofish_parts_boxes(uint8_t box[4][256], const uint32_t *L, unsigned k)
{
    const mf_status status = box == NULL ? MF_ERROR_NULL : check_list(box, 4 * sizeof box[0], L, k);
    if (status != MF_OK) {
        return status;
    }
    fill_boxes(box, L, k);
    mf_wipe_stack();
    return MF_OK;
}

mf_status mf_twofish_parts_h(uint32_t *out, const uint32_t *X, size_t n_words, const uint32_t *L,
                             unsigned k)
{
    if (n_words > SIZE_MAX / sizeof *out) {
        return MF_ERROR_LENGTH;
    }
    if (n_words > 0 && (out == NULL || X == NULL)) {
        return MF_ERROR_NULL;
    }
    const size_t n_bytes = n_words * sizeof *out;
    const mf_status status = check_list(out, n_bytes, L, k);
    if (status != MF_OK) {
        return status;
    }
    if (mf_overlap_partly(out, X, n_bytes)) {
        return MF_ERROR_OVERLAP;
    }
    h_of_words(out, X, n_words, L, k);
    mf_wipe_stack();
    return MF_OK;
}

/* --- What a key selects ----------------------------------------------------------------------- */

static mf_status check_key(const void *out, size_t out_bytes, const void *key, size_t key_bytes)
{
    if (key == NULL) {
        return MF_ERROR_NULL;
    }
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) {
        return MF_ERROR_KEY_LENGTH;
    }
    return mf_overlap(out, out_bytes, key, key_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

static MF_NOINLINE void s_words(uint32_t S[4], const uint8_t *key, unsigned k)
{
    mf_twofish_s_words(S, key, k);
}

mf_status mf_twofish_parts_sbox_key(uint32_t S[4], const void *key, size_t key_bytes)
{
    const mf_status status =
        S == NULL ? MF_ERROR_NULL : check_key(S, 4 * sizeof *S, key, key_bytes);
    if (status == MF_OK) {
        s_words(S, key, (unsigned)(key_bytes / 8));
        mf_wipe_stack();
    }
    return status;
}

/* The key schedule makes subkeys from K_0 on only, so that the cipher's own does not pay for
 * this. */
static MF_NOINLINE void subkeys(uint32_t *K, size_t first, size_t n_words, const uint8_t *key,
                                unsigned k)
{
    uint32_t from_0[MF_TWOFISH_PARTS_SUBKEYS];
    mf_twofish_subkeys(from_0, first + n_words, key, k);
    memcpy(K, from_0 + first, n_words * sizeof *K);
    mf_wipe(from_0, sizeof from_0);
}

mf_status mf_twofish_parts_subkeys(uint32_t *K, size_t first, size_t n_words, const void *key,
                                   size_t key_bytes)
{
    if (first > MF_TWOFISH_PARTS_SUBKEYS || n_words > MF_TWOFISH_PARTS_SUBKEYS - first ||
        first % 2 != 0 || n_words % 2 != 0) {
        return MF_ERROR_LENGTH;
    }
    if (K == NULL && n_words > 0) {
        return MF_ERROR_NULL;
    }
    const mf_status status = check_key(K, n_words * sizeof *K, key, key_bytes);
    if (status == MF_OK && n_words > 0) {
        subkeys(K, first, n_words, key, (unsigned)(key_bytes / 8));
        mf_wipe_deep_stack(MF_TWOFISH_PARTS_SUBKEYS * sizeof *K + MF_STACK_BYTES);
    }
    return status;
}
