/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Full keying [Twofish98, 5.1.1]: each key-dependent S-box is expanded, together with its column of
 * the MDS matrix, to 256 words; g is four lookups and three XORs. The kernel for many blocks under
 * one key where tables are allowed. Table lookups are addressed by secrets.
 */
#include "../h.h"
#include "../kernel.h"
#include "../rounds.h"

#include <manyfish/common.h>

typedef struct full_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint32_t box[4][256];
} full_key;

_Static_assert(sizeof(full_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

MF_INLINE void fill_boxes(uint32_t box[4][256], unsigned k, const uint32_t *S)
{
    for (unsigned j = 0; j < 4; j++) {
        for (unsigned x = 0; x < 256; x++) {
            box[j][x] = mf_twofish_mds[j][mf_twofish_layers(k, 0, j, S, x)];
        }
    }
}

static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    full_key *f = expanded_key;
    uint32_t S[MF_TWOFISH_MAX_K];

    mf_twofish_schedule(f->K, S, key, k);
    /* A constant k in each call lets the compiler drop the unused layers. */
    if (k == 2) {
        fill_boxes(f->box, 2, S);
    } else if (k == 3) {
        fill_boxes(f->box, 3, S);
    } else {
        fill_boxes(f->box, 4, S);
    }
    mf_wipe(S, sizeof S);
}

/* Byte i of X through its table, which is the next one if X is to be rotated. The byte is cut out
 * of a size_t: gcc gives an instruction to the widening of a narrower one. */
MF_INLINE uint32_t lookup(const full_key *f, uint32_t X, unsigned i, unsigned turn)
{
    return f->box[(i + turn) & 3][(size_t)X >> (8 * i) & 0xFF];
}

/* Byte 2 takes two instructions to cut out, so it comes last. */
MF_INLINE uint32_t g(const void *key, uint32_t X, unsigned turn)
{
    const full_key *f = key;
    return (lookup(f, X, 0, turn) ^ lookup(f, X, 3, turn)) ^
           (lookup(f, X, 1, turn) ^ lookup(f, X, 2, turn));
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const full_key *f = expanded_key;
    mf_twofish_encrypt_many(g, f, f->K, out, in, n_blocks);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const full_key *f = expanded_key;
    mf_twofish_decrypt_many(g, f, f->K, out, in, n_blocks);
}

const mf_twofish_kernel mf_twofish_full = {
    .name = "full",
    .summary = "S-boxes and MDS matrix in four tables of 256 words",
    .cpu_features = MF_CPU_ANY,
    .expanded_key_bytes = sizeof(full_key),
    .lanes = 4,
    .constant_time = false,
    .set_key = set_key,
    .encrypt_blocks = encrypt_blocks,
    .decrypt_blocks = decrypt_blocks,
};
