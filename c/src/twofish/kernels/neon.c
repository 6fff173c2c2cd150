/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * AArch64: 16 blocks at a time, constant-time.
 */
#include "../kernel.h"

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "../../common/vec_neon.h"

#include "../vector_q_tables.h"

#include "../vector_half.h"
#include "../vector_one.h"
#include "../vector_setup.h"

/* From this many blocks on a wider layout costs less, only partly filled: taken over from ssse3. */
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

const mf_twofish_kernel mf_twofish_neon = {
    .name = "neon",
    .summary = "S-boxes by lookups in 64 bytes",
    .cpu_features = MF_CPU_NEON,
    .expanded_key_bytes = sizeof(vector_key),
    .lanes = TWO_HALVES_BLOCKS,
    .constant_time = true,
    .set_key_stack = 3072,
    .bulk_stack = 2816,
    .setup = &vector_setup,
    .set_key = vector_set_key,
    .encrypt_blocks = encrypt_blocks,
    .decrypt_blocks = decrypt_blocks,
};

#endif
