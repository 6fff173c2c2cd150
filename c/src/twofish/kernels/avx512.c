/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * AVX-512 with VBMI and GFNI: 64 blocks at a time, 16, or 8. A whole S-box fits in four registers.
 */
#include "../kernel.h"

#if defined(__x86_64__)

#define VEC_TARGET "avx512f,avx512bw,avx512vl,avx512vbmi,gfni"
#include "../../common/vec_avx512.h"

#include "../vector_q_tables.h"

#include "../vector_pairs.h"
#include "../vector_setup.h"
#include "../vector_wide.h"
#include "../vector_words.h"

/* From this many blocks on a wider layout costs less, only partly filled: by prediction a call takes 1540,
 * 1050 and 600 cycles (docs/design.md). */
enum { WIDE_FROM = 17, WORDS_FROM = 9 };

VEC_ENTRY void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    static const vector_layout layouts[] = {{wide_encrypt, WIDE_BLOCKS, WIDE_FROM},
                                            {words_encrypt, WORDS_BLOCKS, WORDS_FROM},
                                            {pairs_encrypt, PAIRS_BLOCKS, 1}};
    if (n_blocks <= PAIRS_BLOCKS) {
        pairs_encrypt_few(expanded_key, out, in, n_blocks);
    } else {
        vector_crypt_blocks(layouts, expanded_key, out, in, n_blocks);
    }
}

VEC_ENTRY void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    static const vector_layout layouts[] = {{wide_decrypt, WIDE_BLOCKS, WIDE_FROM},
                                            {words_decrypt, WORDS_BLOCKS, WORDS_FROM},
                                            {pairs_decrypt, PAIRS_BLOCKS, 1}};
    if (n_blocks <= PAIRS_BLOCKS) {
        pairs_decrypt_few(expanded_key, out, in, n_blocks);
    } else {
        vector_crypt_blocks(layouts, expanded_key, out, in, n_blocks);
    }
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
    .few_blocks = PAIRS_BLOCKS,
    .setup = &vector_setup,
    .set_key = vector_set_key,
    .encrypt_blocks = encrypt_blocks,
    .decrypt_blocks = decrypt_blocks,
};

#endif
