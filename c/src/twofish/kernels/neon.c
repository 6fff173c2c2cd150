/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * AArch64: 16 blocks at a time, constant-time.
 */
#include "../kernel.h"

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "../../common/vec_neon.h"

#include "../vector/half.h" /* g, and all blocks */
#include "../vector/key.h"  /* vector_set_key, vector_setup */

VEC_FN vec vector_q(size_t which, vec x)
{
    return vec_lookup_bytes(mf_twofish_q[which], x);
}

/* From this many blocks on a wider layout costs less, only partly filled. Taken over from ssse3. */
enum { TWO_HALVES_FROM = 10, HALF_FROM = 2 };

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

const mf_twofish_kernel mf_twofish_neon = {
    .common.name = "neon",
    .common.summary = "S-boxes by lookups in 64 bytes",
    .common.cpu_features = MF_CPU_NEON,
    .common.expanded_key_bytes = sizeof(vector_key),
    .common.lanes = TWO_HALVES_BLOCKS,
    .common.constant_time = true,
    .common.set_key_stack = 3072,
    .common.bulk_stack = 2816,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .setup = &vector_setup,
    .set_key = vector_set_key,
};

#endif
