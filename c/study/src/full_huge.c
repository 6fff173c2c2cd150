/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Full keying with the huge shared tables [Twofish98, 5.1.3]: they hold the S-boxes, with the MDS
 * matrix, of all 128-bit keys, so that a key is which rows it takes; the subkeys are sums of
 * entries of such rows too. Secrets index its lookup tables, and set-up reads rows that are
 * surely in no cache.
 */
#include "tables.h"
#include "twofish/full_keying.h"
#include "twofish/kernel.h"
#include "twofish/rounds.h"
#include "twofish/schedule.h"

#include <manyfish/common.h>

_Static_assert(sizeof(mf_twofish_huge_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

/* The rows of a list of two words; h of a word is the XOR of an entry of each. */
typedef struct rows {
    const uint32_t *row[4];
} rows;

MF_INLINE uint32_t h(const rows *r, uint32_t x)
{
    return r->row[0][x] ^ r->row[1][x] ^ r->row[2][x] ^ r->row[3][x];
}

static void rows_of_key(rows *r, const uint8_t *key)
{
    const uint32_t *huge = mf_twofish_shared(MF_TWOFISH_TABLES_HUGE);
    const uint32_t L[2] = {mf_load32_le(key), mf_load32_le(key + 8)};
    for (unsigned j = 0; j < 4; j++) {
        r->row[j] = huge + mf_twofish_huge_row(j, L);
    }
}

static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    mf_twofish_huge_key *f = expanded_key;
    uint32_t S[MF_TWOFISH_MAX_K];
    rows even;
    rows odd;

    mf_twofish_s_words(S, key, k);
    rows_of_key(&even, key);
    rows_of_key(&odd, key + 4);
    for (uint32_t i = 0; i < MF_TWOFISH_SUBKEYS; i += 2) {
        const uint32_t A = h(&even, i);
        const uint32_t B = mf_rotl32(h(&odd, i + 1), 8);
        f->K[i] = A + B;
        f->K[i + 1] = mf_rotl32(A + 2 * B, 9);
    }
    for (unsigned j = 0; j < 4; j++) {
        f->row[j] = mf_twofish_huge_row(j, S);
    }
    mf_wipe(S, sizeof S);
    mf_wipe(&even, sizeof even);
    mf_wipe(&odd, sizeof odd);
}

MF_INLINE uint32_t lookup(const rows *r, uint32_t X, unsigned i, unsigned turn)
{
    return r->row[(i + turn) & 3][(size_t)X >> (8 * i) & 0xFF];
}

/* As mf_twofish_boxes_g. */
MF_INLINE uint32_t g(const void *key, uint32_t X, unsigned turn)
{
    return (lookup(key, X, 0, turn) ^ lookup(key, X, 3, turn)) ^
           (lookup(key, X, 1, turn) ^ lookup(key, X, 2, turn));
}

MF_INLINE void rows_of_boxes(rows *r, const mf_twofish_huge_key *f)
{
    const uint32_t *huge = mf_twofish_shared(MF_TWOFISH_TABLES_HUGE);
    for (unsigned j = 0; j < 4; j++) {
        r->row[j] = huge + f->row[j];
    }
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const mf_twofish_huge_key *f = expanded_key;
    rows boxes;

    rows_of_boxes(&boxes, f);
    mf_twofish_encrypt_many(g, &boxes, f->K, out, in, n_blocks);
    mf_wipe(&boxes, sizeof boxes);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const mf_twofish_huge_key *f = expanded_key;
    rows boxes;

    rows_of_boxes(&boxes, f);
    mf_twofish_decrypt_many(g, &boxes, f->K, out, in, n_blocks);
    mf_wipe(&boxes, sizeof boxes);
}

static mf_status check(size_t key_bytes)
{
    return key_bytes > 16                                    ? MF_ERROR_KEY_LENGTH
           : mf_twofish_tables_ready(MF_TWOFISH_TABLES_HUGE) ? MF_OK
                                                             : MF_ERROR_TABLES;
}

const mf_twofish_kernel mf_twofish_full_huge = {
    .common.name = "full-huge",
    .common.summary = "S-boxes chosen from shared tables of 256 MiB; 128-bit keys only",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(mf_twofish_huge_key),
    .common.lanes = 4,
    .common.constant_time = false,
    .common.shared_bytes = MF_TWOFISH_TABLES_HUGE_BYTES,
    .common.check = check,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .set_key = set_key,
};
