/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish with other numbers of rounds, without whitening, with family keys, with longer keys: the
 * rounds and the schedule of the cipher itself, over the tables of full keying. Secrets index its
 * lookup tables.
 */
#include <manyfish/study/variant.h>

#include "common/kernel.h"
#include "long_keys.h"
#include "twofish/full_keying.h"
#include "twofish/rounds.h"
#include "twofish/schedule.h"

enum { BLOCK_BYTES = 16, MIN_KEY_BYTES = 16, MAX_KEY_BYTES = 32, FAMILY_BLOCKS = 5 };

_Static_assert(MF_TWOFISH_VARIANT_MAX_KEY_BYTES == 8 * MF_LONG_MAX_K, "one limit, two names");

/* --- Blocks ----------------------------------------------------------------------------------- */

static mf_twofish_state swapped(mf_twofish_state s)
{
    const mf_twofish_state t = {s.R2, s.R3, s.R0, s.R1};
    return t;
}

static void encrypt_block(const mf_twofish_variant *v, uint8_t *out, const uint8_t *in)
{
    mf_twofish_state s;
    mf_twofish_load(&s, in, v->K + INPUT_WHITENING);
    for (size_t r = 0; r < v->rounds; r++) {
        mf_twofish_encrypt_round(mf_twofish_boxes_g, v->box, v->K + ROUND_SUBKEYS + 2 * r, s.R0,
                                 s.R1, &s.R2, &s.R3);
        s = swapped(s);
    }
    mf_twofish_store(out, &s, v->K + OUTPUT_WHITENING);
}

static void decrypt_block(const mf_twofish_variant *v, uint8_t *out, const uint8_t *in)
{
    mf_twofish_state s;
    mf_twofish_load(&s, in, v->K + OUTPUT_WHITENING);
    for (size_t r = v->rounds; r > 0; r--) {
        mf_twofish_decrypt_round(mf_twofish_boxes_g, v->box, v->K + ROUND_SUBKEYS + 2 * (r - 1),
                                 s.R0, s.R1, &s.R2, &s.R3);
        s = swapped(s);
    }
    mf_twofish_store(out, &s, v->K + INPUT_WHITENING);
}

/* --- Key schedule ----------------------------------------------------------------------------- */

/* The key material for the subkeys and that for S are one and the same but under a family key. */
static void expand(mf_twofish_variant *v, unsigned rounds, const uint8_t *subkey_key,
                   const uint8_t *s_key, unsigned k)
{
    uint32_t S[MF_TWOFISH_MAX_K];

    mf_twofish_subkeys(v->K, 8 + 2 * rounds, subkey_key, k);
    mf_twofish_s_words(S, s_key, k);
    mf_twofish_fill_boxes(v->box, k, S);
    v->rounds = rounds;
    mf_wipe(S, sizeof S);
}

/* T_2 goes into the input whitening, T_3 into that of the output, T_4 into each round. T holds
 * these ten words. [Twofish98, 11.8] */
static void add_family_constants(uint32_t *K, unsigned rounds, const uint8_t *T)
{
    for (size_t i = 0; i < 8 + 2 * (size_t)rounds; i++) {
        K[i] ^= mf_load32_le(T + 4 * (i < 8 ? i : 8 + i % 2));
    }
}

static void expand_long(mf_twofish_variant *v, unsigned rounds, const uint8_t *key, unsigned k)
{
    mf_twofish_long_schedule(v->K, 8 + 2 * rounds, v->box, key, k);
    v->rounds = rounds;
}

/* The subkeys come from key ^ T_0. For S, T_1 = T_0 ^ (E(0), E(1)) is XORed in too, which takes T_0
 * out again, and each byte then passes through q0. [Twofish98, 11.8] */
static void expand_in_family(mf_twofish_variant *v, unsigned rounds, const uint8_t *key, unsigned k,
                             const uint8_t *T0)
{
    uint8_t E[FAMILY_BLOCKS][BLOCK_BYTES] = {{0}};
    uint8_t subkey_key[MAX_KEY_BYTES];
    uint8_t s_key[MAX_KEY_BYTES];

    expand(v, MF_TWOFISH_ROUNDS, T0, T0, MF_TWOFISH_FAMILY_KEY_BYTES / 8);
    for (unsigned i = 0; i < FAMILY_BLOCKS; i++) {
        E[i][0] = (uint8_t)i;
        encrypt_block(v, E[i], E[i]);
    }
    for (size_t i = 0; i < 8 * (size_t)k; i++) {
        subkey_key[i] = key[i] ^ T0[i];
        s_key[i] = mf_twofish_q[0][key[i] ^ E[i / BLOCK_BYTES][i % BLOCK_BYTES]];
    }
    expand(v, rounds, subkey_key, s_key, k);
    add_family_constants(v->K, rounds, E[2]);
    mf_wipe(E, sizeof E);
    mf_wipe(subkey_key, sizeof subkey_key);
    mf_wipe(s_key, sizeof s_key);
}

/* A family key XORs a constant of 256 bits into the key, so longer ones have none. */
static bool takes_key(const mf_twofish_variation *variation, size_t key_bytes)
{
    const size_t max = variation->family_key != NULL ? MAX_KEY_BYTES : 8 * MF_LONG_MAX_K;
    return key_bytes % 8 == 0 && key_bytes >= MIN_KEY_BYTES && key_bytes <= max;
}

static mf_status check_init(const mf_twofish_variant *variant,
                            const mf_twofish_variation *variation, const void *key,
                            size_t key_bytes)
{
    if (variation == NULL || key == NULL) {
        return MF_ERROR_NULL;
    }
    if (!takes_key(variation, key_bytes)) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (variation->rounds < 1 || variation->rounds > MF_TWOFISH_VARIANT_MAX_ROUNDS) {
        return MF_ERROR_ROUNDS;
    }
    const bool overlap =
        mf_overlap(variant, sizeof *variant, key, key_bytes) ||
        mf_overlap(variant, sizeof *variant, variation, sizeof *variation) ||
        (variation->family_key != NULL &&
         mf_overlap(variant, sizeof *variant, variation->family_key, MF_TWOFISH_FAMILY_KEY_BYTES));
    return overlap ? MF_ERROR_OVERLAP : MF_OK;
}

mf_status mf_twofish_variant_init(mf_twofish_variant *variant,
                                  const mf_twofish_variation *variation, const void *key,
                                  size_t key_bytes)
{
    if (variant == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = check_init(variant, variation, key, key_bytes);
    if (status != MF_OK) {
        mf_twofish_variant_wipe(variant);
        return status;
    }
    const unsigned k = (unsigned)(key_bytes / 8);
    mf_twofish_variant_wipe(variant);
    if (variation->family_key != NULL) {
        expand_in_family(variant, variation->rounds, key, k, variation->family_key);
    } else if (key_bytes > MAX_KEY_BYTES) {
        expand_long(variant, variation->rounds, key, k);
    } else {
        expand(variant, variation->rounds, key, key, k);
    }
    if (variation->no_whitening) {
        mf_wipe(variant->K, 8 * sizeof variant->K[0]);
    }
    mf_wipe_stack();
    return MF_OK;
}

/* --- The interface ---------------------------------------------------------------------------- */

static bool has_key(const void *variant)
{
    return variant != NULL && ((const mf_twofish_variant *)variant)->rounds != 0;
}

static void encrypt(const void *variant, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    for (; n_blocks > 0; n_blocks--, in += BLOCK_BYTES, out += BLOCK_BYTES) {
        encrypt_block(variant, out, in);
    }
}

static void decrypt(const void *variant, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    for (; n_blocks > 0; n_blocks--, in += BLOCK_BYTES, out += BLOCK_BYTES) {
        decrypt_block(variant, out, in);
    }
}

mf_status mf_twofish_variant_encrypt_blocks(const mf_twofish_variant *variant, void *out,
                                            const void *in, size_t n_blocks)
{
    const mf_status status = mf_check_call(variant, has_key, BLOCK_BYTES, out, in, n_blocks);
    if (status == MF_OK) {
        encrypt(variant, out, in, n_blocks);
    }
    return status;
}

mf_status mf_twofish_variant_decrypt_blocks(const mf_twofish_variant *variant, void *out,
                                            const void *in, size_t n_blocks)
{
    const mf_status status = mf_check_call(variant, has_key, BLOCK_BYTES, out, in, n_blocks);
    if (status == MF_OK) {
        decrypt(variant, out, in, n_blocks);
    }
    return status;
}

mf_cipher mf_twofish_variant_cipher(const mf_twofish_variant *variant)
{
    /* The modes ask has_key before they call the others. */
    const mf_cipher cipher = {BLOCK_BYTES, variant, has_key, encrypt, decrypt};
    return cipher;
}

void mf_twofish_variant_wipe(mf_twofish_variant *variant)
{
    if (variant != NULL) {
        mf_wipe(variant, sizeof *variant);
    }
}
