/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DES in portable C without a table look-up or a branch that depends on a secret: 64 blocks in the
 * bits of words, each S-box a circuit.
 */
#include "../../common/block.h"
#include "../../common/transpose.h"
#include "../../common/vec_word.h"
#include "../bitslice_add.h"
#include "../tables/s_boxes_standard.h"
/* With what they offer: */
#include "../bitslice.h"

enum { BLOCK = MF_DES_BLOCK_BYTES, LANES = 64 };

static void load(vec slices[SLICES], const uint8_t *in, size_t n_blocks)
{
    for (size_t i = 0; i < LANES; i++) {
        slices[i] = i < n_blocks ? mf_load64_le(in + i * BLOCK) : 0;
    }
    mf_transpose_64(slices);
}

static void store(uint8_t *out, vec slices[SLICES], size_t n_blocks)
{
    mf_transpose_64(slices);
    for (size_t i = 0; i < n_blocks; i++) {
        mf_store64_le(out + i * BLOCK, slices[i]);
    }
}

static MF_NOINLINE void crypt_blocks(vec slices[SLICES], const bitslice_key *k, uint8_t *out,
                                     const uint8_t *in, size_t n_blocks, ptrdiff_t step)
{
    for (size_t n; n_blocks > 0; n_blocks -= n) {
        n = n_blocks < LANES ? n_blocks : LANES;
        load(slices, in, n);
        passes(slices, k, step);
        store(out, slices, n);
        in += n * BLOCK;
        out += n * BLOCK;
    }
}

/* The inner functions have no arrays: so what they keep on the stack, pointers too, lies apart from
 * what is worked on, as tests/machine_code wants it. */
static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    vec slices[SLICES];

    crypt_blocks(slices, expanded_key, out, in, n_blocks, ROUND_MASKS);
    mf_wipe(slices, sizeof slices);
    mf_wipe_stack();
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    vec slices[SLICES];

    crypt_blocks(slices, expanded_key, out, in, n_blocks, -ROUND_MASKS);
    mf_wipe(slices, sizeof slices);
    mf_wipe_stack();
}

const mf_des_kernel mf_des_bitslice = {
    .common.name = "bitslice",
    .common.summary = "no tables, no vector unit: 64 blocks in the bits of words",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(bitslice_key),
    .common.lanes = LANES,
    .common.constant_time = true,
    .common.set_key_stack = 3072,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .one_key_bytes = BITSLICE_ONE_KEY_BYTES,
    .set_key = set_key,
};
