/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * AVX2: 32 blocks at a time, constant-time.
 */
#include "../kernel.h"

#if defined(__x86_64__)

#define VEC_TARGET "avx2"
#include "../../common/vec_avx2.h"

#include "../vector/half.h" /* g, and all blocks */
#include "../vector/key.h"  /* vector_set_key, vector_setup */

VEC_FN vec vector_q(size_t which, vec x)
{
    return vector_q_by_steps(which, x);
}

/* From this many blocks on a wider layout costs less, only partly filled. Measured: one block takes
 * 0.65 of the time of a half, two halves 1.8. */
enum { TWO_HALVES_FROM = 18, HALF_FROM = 2 };

VEC_ENTRY void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    halves_encrypt_blocks(TWO_HALVES_FROM, HALF_FROM, expanded_key, out, in, n_blocks);
}

VEC_ENTRY void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    halves_decrypt_blocks(TWO_HALVES_FROM, HALF_FROM, expanded_key, out, in, n_blocks);
}

const mf_twofish_kernel mf_twofish_avx2 = {
    .common.name = "avx2",
    .common.summary = "S-boxes by shuffles of 32 bytes",
    .common.cpu_features = MF_CPU_AVX2,
    .common.expanded_key_bytes = sizeof(vector_key),
    .common.lanes = TWO_HALVES_BLOCKS,
    .common.constant_time = true,
    .common.set_key_stack = 2048,
    .common.bulk_stack = 2560,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .setup = &vector_setup,
    .set_key = vector_set_key,
};

#endif
