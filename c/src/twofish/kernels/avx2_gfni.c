/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * AVX2 with GFNI: as avx2, with instructions for linear maps. They serve the MDS matrix, and they make
 * the steps of q cheaper than the tables of S-boxes for bulk work with keys of 128 bits. Predicted for
 * Sapphire Rapids: 4.0 to 4.3 cycles a byte, by tables 5.2.
 */
#include "../kernel.h"

#if defined(__x86_64__)

#define VEC_TARGET "avx2,gfni"
#include "../../common/vec_avx2.h"
#include "../../common/vec_gfni_avx2.h"

#include "../vector_q_steps.h"

#include "../vector_one.h"
#include "../vector_setup.h"
#include "../vector_steps.h"

/* From this many blocks on a wider layout costs less, only partly filled: taken over from avx2. */
enum { TWO_HALVES_FROM = 18, HALF_FROM = 2 };

VEC_ENTRY void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    static const vector_layout by_tables[] = {
        {two_halves_encrypt, TWO_HALVES_BLOCKS, TWO_HALVES_FROM},
        {half_encrypt, HALF_BLOCKS, HALF_FROM},
        {one_encrypt, ONE_BLOCK, 1}};
    static const vector_layout by_steps[] = {
        {steps_two_halves_encrypt, TWO_HALVES_BLOCKS, TWO_HALVES_FROM},
        {steps_half_encrypt, HALF_BLOCKS, HALF_FROM},
        {one_encrypt, ONE_BLOCK, 1}};
    const steps_key *key = expanded_key;
    vector_crypt_blocks(key->k == STEPS_K ? by_steps : by_tables, &key->by_tables, out, in,
                        n_blocks);
}

VEC_ENTRY void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    static const vector_layout by_tables[] = {
        {two_halves_decrypt, TWO_HALVES_BLOCKS, TWO_HALVES_FROM},
        {half_decrypt, HALF_BLOCKS, HALF_FROM},
        {one_decrypt, ONE_BLOCK, 1}};
    static const vector_layout by_steps[] = {
        {steps_two_halves_decrypt, TWO_HALVES_BLOCKS, TWO_HALVES_FROM},
        {steps_half_decrypt, HALF_BLOCKS, HALF_FROM},
        {one_decrypt, ONE_BLOCK, 1}};
    const steps_key *key = expanded_key;
    vector_crypt_blocks(key->k == STEPS_K ? by_steps : by_tables, &key->by_tables, out, in,
                        n_blocks);
}

const mf_twofish_kernel mf_twofish_avx2_gfni = {
    .name = "avx2-gfni",
    .summary = "S-boxes by shuffles of 32 bytes, linear maps by GFNI",
    .cpu_features = MF_CPU_AVX2 | MF_CPU_GFNI,
    .expanded_key_bytes = sizeof(steps_key),
    .lanes = TWO_HALVES_BLOCKS,
    .constant_time = true,
    .set_key_stack = 2048,
    .bulk_stack = 2048,
    .setup = &vector_setup,
    .set_key = steps_set_key,
    .encrypt_blocks = encrypt_blocks,
    .decrypt_blocks = decrypt_blocks,
};

#endif
