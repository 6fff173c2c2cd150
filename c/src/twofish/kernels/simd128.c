/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * WebAssembly with SIMD128: 16 blocks at a time, constant-time.
 */
#include "../kernel.h"

#if defined(__wasm_simd128__)

#include "../../common/vec_simd128.h"

#include "../vector_q_steps.h"

#include "../vector_half.h"
#include "../vector_one.h"
#include "../vector_setup.h"

/* From this many blocks on a wider layout costs less, only partly filled. Measured: one block takes 0.9
 * of the time of a half, two halves 1.95. */
enum { TWO_HALVES_FROM = 10, HALF_FROM = 2 };

VEC_ENTRY void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    static const vector_layout layouts[] = {
        {two_halves_encrypt, TWO_HALVES_BLOCKS, TWO_HALVES_FROM},
        {half_encrypt, HALF_BLOCKS, HALF_FROM},
        {one_encrypt, ONE_BLOCK, 1}};
    vector_crypt_blocks(layouts, expanded_key, out, in, n_blocks);
}

VEC_ENTRY void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    static const vector_layout layouts[] = {
        {two_halves_decrypt, TWO_HALVES_BLOCKS, TWO_HALVES_FROM},
        {half_decrypt, HALF_BLOCKS, HALF_FROM},
        {one_decrypt, ONE_BLOCK, 1}};
    vector_crypt_blocks(layouts, expanded_key, out, in, n_blocks);
}

const mf_twofish_kernel mf_twofish_simd128 = {
    .name = "simd128",
    .summary = "S-boxes by swizzles of 16 bytes",
    .cpu_features = MF_CPU_SIMD128,
    .expanded_key_bytes = sizeof(vector_key),
    .lanes = TWO_HALVES_BLOCKS,
    .constant_time = true,
    .set_key_stack = 1280,
    .bulk_stack = 1024,
    .setup = &vector_setup,
    .set_key = vector_set_key,
    .encrypt_blocks = encrypt_blocks,
    .decrypt_blocks = decrypt_blocks,
};

#endif
