/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Partial keying with the big shared tables [Twofish98, 5.1.3]: the kernel `partial`, but key
 * set-up does two layers of q by one lookup, and none is left of an S-box of a 128-bit key: it is a
 * row under a constant XOR. Secrets index its lookup tables.
 */
#include "tables_256k.h"
#include "twofish/kernel.h"
#include "twofish/rounds.h"

typedef struct partial_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint8_t box[4][256];
} partial_key;

_Static_assert(sizeof(partial_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

/* A row under a constant XOR, 16 bytes at a time. */
static void xor_row(uint8_t box[256], const uint8_t *row, uint32_t key_byte)
{
    uint8_t pattern[16];
    memset(pattern, (int)key_byte, sizeof pattern);
    for (size_t x = 0; x < 256; x += sizeof pattern) {
        mf_xor_16(box + x, row + x, pattern);
    }
}

MF_INLINE void fill_boxes(uint8_t box[4][256], const uint8_t *big, unsigned k, const uint32_t *S)
{
    for (unsigned j = 0; j < 4; j++) {
        const uint8_t *row = mf_twofish_big_row(big, j, S);
        if (k == 2) {
            xor_row(box[j], row, mf_byte(S[0], j));
            continue;
        }
        for (unsigned x = 0; x < 256; x++) {
            box[j][x] = (uint8_t)mf_twofish_big_layers(k, row, j, S, x);
        }
    }
}

MF_INLINE void expand(partial_key *p, const uint8_t *big, const uint8_t *key, unsigned k)
{
    uint32_t S[MF_TWOFISH_MAX_K];

    mf_twofish_big_schedule(p->K, S, big, key, k);
    fill_boxes(p->box, big, k, S);
    mf_wipe(S, sizeof S);
}

/* A constant k in each call lets the compiler drop the unused layers. */
static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    const uint8_t *big = mf_twofish_shared(MF_TWOFISH_TABLES_BIG);
    if (k == 2) {
        expand(expanded_key, big, key, 2);
    } else if (k == 3) {
        expand(expanded_key, big, key, 3);
    } else {
        expand(expanded_key, big, key, 4);
    }
}

MF_INLINE uint32_t g(const void *key, uint32_t X, unsigned turn)
{
    const partial_key *p = key;
    return mf_twofish_mds_multiply(
        p->box[0][mf_twofish_turned(X, 0, turn)], p->box[1][mf_twofish_turned(X, 1, turn)],
        p->box[2][mf_twofish_turned(X, 2, turn)], p->box[3][mf_twofish_turned(X, 3, turn)]);
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const partial_key *p = expanded_key;
    mf_twofish_encrypt_many(g, p, p->K, out, in, n_blocks);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const partial_key *p = expanded_key;
    mf_twofish_decrypt_many(g, p, p->K, out, in, n_blocks);
}

static mf_status check(size_t key_bytes)
{
    (void)key_bytes;
    return mf_twofish_tables_ready(MF_TWOFISH_TABLES_BIG) ? MF_OK : MF_ERROR_TABLES;
}

const mf_twofish_kernel mf_twofish_partial_big = {
    .common.name = "partial-big",
    .common.summary = "as partial; quicker set-up by shared tables of 256 KiB",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(partial_key),
    .common.lanes = 4,
    .common.constant_time = false,
    .common.shared_bytes = MF_TWOFISH_TABLES_BIG_BYTES,
    .common.check = check,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .set_key = set_key,
};
