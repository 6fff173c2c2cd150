/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * AVX2 with GFNI: as avx2, with instructions for linear maps. They serve the MDS matrix, and they
 * make the steps of q cheaper than the tables of S-boxes for bulk work with keys of 128 bits.
 * Predicted for Sapphire Rapids: 4.0 to 4.3 cycles a byte, by tables 5.2. Measured on an AMD Zen 5,
 * which takes avx512 before this kernel, in ticks of the time-stamp counter for a block: by clang
 * 14 45, by tables 48; but by gcc 12 50, by tables 45.
 */
#include "../kernel.h"

#if defined(__x86_64__)

#define VEC_TARGET "avx2,gfni"
#include "../../common/vec_avx2_gfni.h"

#include "../vector/half.h"
#include "../vector/key.h"

VEC_FN vec vector_q(size_t which, vec x)
{
    return vector_q_by_steps(which, x);
}

/* --- The layout "half" with the S-boxes by the steps of q ------------------------------------- */

/* For keys of 128 bits: three levels take 12 shuffles, where the table of an S-box takes 16. Only
 * with instructions for linear maps is that less work, and with longer keys it is more. */

enum { STEPS_K = 2, STEPS_LEVELS = STEPS_K + 1 };

typedef struct steps_key {
    vector_key by_tables;            /* the first, so that a pointer to it is one to all */
    uint8_t t3[STEPS_LEVELS][4][16]; /* t3 of the q of each level and byte, the key byte XORed into
                                        it */
    uint32_t k;
} steps_key;

_Static_assert(sizeof(steps_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

VEC_ENTRY void steps_set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    steps_key *s = expanded_key;
    vector_set_key(&s->by_tables, key, k);
    s->k = k;
    for (unsigned i = 0; i < STEPS_LEVELS; i++) {
        for (unsigned j = 0; j < 4; j++) {
            const uint32_t b = i == 0 ? 0 : mf_byte(s->by_tables.s_words[i - 1], j);
            const vec t3 = vec_load_lanes(mf_twofish_q_by_steps[mf_twofish_q_order[i][j]].t3);
            vec_store_blocks(s->t3[i][j], vec_xor(t3, vec_set32(b * 0x01010101)));
        }
    }
}

/* The four at once: while one waits, the others have work to do. */
VEC_FN void steps_level(const steps_key *key, size_t level, vec y[4])
{
    const uint8_t *order = mf_twofish_q_order[level];
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vector_q_begin(&mf_twofish_q_by_steps[order[j]], y[j]);
    }
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vector_q_end(&mf_twofish_q_by_steps[order[j]], key->t3[level][j], y[j]);
    }
}

VEC_FN void steps_s_boxes(const void *key, vec y[4])
{
    steps_level(key, 2, y);
    steps_level(key, 1, y);
    steps_level(key, 0, y);
}

VEC_FN void steps_g(const void *key, vec T[2][VECTOR_WORD], const vec A[VECTOR_WORD],
                    const vec B[VECTOR_WORD])
{
    half_g_by(steps_s_boxes, key, T, A, B);
}

VEC_ENTRY void steps_half_encrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    const steps_key *s = key;
    vector_encrypt(steps_g, HALF_REGISTERS, false, s, s->by_tables.K, out, in);
}

VEC_ENTRY void steps_half_decrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    const steps_key *s = key;
    vector_decrypt(steps_g, HALF_REGISTERS, false, s, s->by_tables.K, out, in);
}

VEC_ENTRY void steps_two_halves_encrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    const steps_key *s = key;
    vector_encrypt(steps_g, HALF_REGISTERS, true, s, s->by_tables.K, out, in);
}

VEC_ENTRY void steps_two_halves_decrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    const steps_key *s = key;
    vector_decrypt(steps_g, HALF_REGISTERS, true, s, s->by_tables.K, out, in);
}

/* --- All blocks ------------------------------------------------------------------------------- */

/* From this many blocks on a wider layout costs less, only partly filled. Measured on an AMD Zen 5:
 * one block takes 0.65 to 0.8 of the time of a half, two halves 1.45 to 1.75. */
enum { TWO_HALVES_FROM = 17, HALF_FROM = 2 };

VEC_ENTRY void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    const steps_key *key = expanded_key;
    vector_blocks blocks = {out, in, n_blocks};
    if (key->k == STEPS_K) {
        vector_crypt_by(steps_two_halves_encrypt, TWO_HALVES_BLOCKS, TWO_HALVES_FROM, key, &blocks);
        vector_crypt_by(steps_half_encrypt, HALF_BLOCKS, HALF_FROM, key, &blocks);
    }
    halves_encrypt_blocks(TWO_HALVES_FROM, HALF_FROM, key, blocks.out, blocks.in, blocks.n);
}

VEC_ENTRY void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    const steps_key *key = expanded_key;
    vector_blocks blocks = {out, in, n_blocks};
    if (key->k == STEPS_K) {
        vector_crypt_by(steps_two_halves_decrypt, TWO_HALVES_BLOCKS, TWO_HALVES_FROM, key, &blocks);
        vector_crypt_by(steps_half_decrypt, HALF_BLOCKS, HALF_FROM, key, &blocks);
    }
    halves_decrypt_blocks(TWO_HALVES_FROM, HALF_FROM, key, blocks.out, blocks.in, blocks.n);
}

const mf_twofish_kernel mf_twofish_avx2_gfni = {
    .common.name = "avx2-gfni",
    .common.summary = "S-boxes by shuffles of 32 bytes, linear maps by GFNI",
    .common.cpu_features = MF_CPU_AVX2 | MF_CPU_GFNI,
    .common.expanded_key_bytes = sizeof(steps_key),
    .common.lanes = TWO_HALVES_BLOCKS,
    .common.constant_time = true,
    .common.set_key_stack = 2048,
    .common.bulk_stack = 2560,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .setup = &vector_setup,
    .set_key = steps_set_key,
};

#endif
