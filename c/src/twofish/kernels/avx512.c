/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * AVX-512 with VBMI and GFNI: 64 blocks at a time, 16, or 4. A whole S-box fits in four registers.
 */
#include "../kernel.h"

#if defined(__x86_64__)

#define VEC_TARGET "avx512f,avx512bw,avx512vl,avx512vbmi,gfni"
#include "../../common/vec_avx512.h"

#include "../vector_q_tables.h"

#include "../vector_lanes.h"
#include "../vector_wide.h"
#include "../vector_words.h"

/* From this many blocks on a wider layout costs less, only partly filled: by prediction a call takes 1540,
 * 1080 and 620 cycles (docs/design.md). */
enum { WIDE_FROM = 17, WORDS_FROM = 5 };

VEC_ENTRY void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    static const vector_layout layouts[] = {{wide_encrypt, WIDE_BLOCKS, WIDE_FROM},
                                            {words_encrypt, WORDS_BLOCKS, WORDS_FROM},
                                            {lanes_encrypt, LANES_BLOCKS, 1}};
    vector_crypt_blocks(layouts, expanded_key, out, in, n_blocks);
}

VEC_ENTRY void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    static const vector_layout layouts[] = {{wide_decrypt, WIDE_BLOCKS, WIDE_FROM},
                                            {words_decrypt, WORDS_BLOCKS, WORDS_FROM},
                                            {lanes_decrypt, LANES_BLOCKS, 1}};
    vector_crypt_blocks(layouts, expanded_key, out, in, n_blocks);
}

const mf_twofish_kernel mf_twofish_avx512 = {
    .name = "avx512",
    .summary = "S-boxes in registers of 64 bytes, MDS matrix by GFNI",
    .cpu_features = MF_CPU_AVX512 | MF_CPU_GFNI,
    .expanded_key_bytes = sizeof(vector_key),
    .lanes = WIDE_BLOCKS,
    .constant_time = true,
    .set_key_stack = 1792,
    .bulk_stack = 5120,
    .set_key = vector_set_key,
    .encrypt_blocks = encrypt_blocks,
    .decrypt_blocks = decrypt_blocks,
};

#endif
