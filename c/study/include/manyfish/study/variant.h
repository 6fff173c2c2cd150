/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Ciphers that are almost Twofish, for study: with another number of rounds [Twofish98, 11.7],
 * without whitening, with a family key [Twofish98, 11.8], or with a key of more than 256 bits
 * [Twofish98, 11.5]. With 16 rounds, whitening, no family key and a key of at most 256 bits it is
 * Twofish.
 *
 * Not for protecting anything: this project claims no security for any of these. Fewer rounds are
 * weaker. The authors meant family keys to make no variant substantially weaker, and related-key
 * attacks between families hard to mount; nobody has shown that they do. Nobody has studied whether
 * 16 rounds make use of a longer key, and the paper leaves open which q stands where then: here
 * levels 1 to 4 are repeated. Other programs know none of these, and the authors published no test
 * vectors; vectors/twofish_variants.rsp is this project's own reading of the paper. The type is
 * one of its own, so nothing in <manyfish/twofish.h> takes it for Twofish. Set-up and encryption
 * look up tables at addresses that depend on key and data.
 *
 * Conventions (overlap, NULL, threads, what is undefined) stand in <manyfish/common.h>.
 */
#ifndef MANYFISH_STUDY_VARIANT_H
#define MANYFISH_STUDY_VARIANT_H

#include <manyfish/cipher.h>
#include <manyfish/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* h takes the number of a subkey as one byte, so there are 256 subkeys: 8 whiten, two go to a
 * round. */
#define MF_TWOFISH_VARIANT_MAX_ROUNDS 124
#define MF_TWOFISH_FAMILY_KEY_BYTES 32
#define MF_TWOFISH_VARIANT_MAX_KEY_BYTES 512

/* The differences from Twofish. */
typedef struct mf_twofish_variation {
    unsigned rounds; /* 1 to 124; Twofish has 16. K_0 to K_7 whiten, the rounds take K_8, K_9, .. */
    bool no_whitening; /* K_0 to K_7 are taken as zero, as the attacks on reduced variants do */
    const void *family_key; /* 32 bytes, read during the call only; NULL: none */
} mf_twofish_variation;

/* One expanded key. The members are private; the caller owns the memory and may copy it. All zero
 * bytes mean "no key". It holds secrets: end its life with mf_twofish_variant_wipe. */
typedef struct mf_twofish_variant {
    uint32_t rounds; /* 0: no key */
    uint32_t K[8 + 2 * MF_TWOFISH_VARIANT_MAX_ROUNDS];
    uint32_t box[4][256];
} mf_twofish_variant;

/* Expands a key.
 *   variant    is filled; any earlier key in it is wiped first
 *   variation  as above; not kept
 *   key        key_bytes bytes, read only during the call
 *   key_bytes  a multiple of 8 from 16 to 512; with a family key at most 32
 * None of key, variation and family key may overlap variant, else MF_ERROR_OVERLAP. On an error
 * variant holds no key.
 * MF_ERROR_NULL (any pointer but family_key), MF_ERROR_KEY_LENGTH, MF_ERROR_OVERLAP,
 * MF_ERROR_ROUNDS. [Twofish98, 4.3, 11.5, 11.7, 11.8] */
MF_API MF_MUST_CHECK mf_status mf_twofish_variant_init(mf_twofish_variant *variant,
                                                       const mf_twofish_variation *variation,
                                                       const void *key, size_t key_bytes);

/* Encrypts or decrypts n_blocks independent blocks of 16 bytes each.
 *   out, in    16 * n_blocks bytes; the same buffer or disjoint
 * On an error out is untouched.
 * MF_ERROR_NULL, MF_ERROR_NO_KEY, MF_ERROR_OVERLAP, MF_ERROR_LENGTH (16 * n_blocks overflows). */
MF_API MF_MUST_CHECK mf_status mf_twofish_variant_encrypt_blocks(const mf_twofish_variant *variant,
                                                                 void *out, const void *in,
                                                                 size_t n_blocks);
MF_API MF_MUST_CHECK mf_status mf_twofish_variant_decrypt_blocks(const mf_twofish_variant *variant,
                                                                 void *out, const void *in,
                                                                 size_t n_blocks);

/* The cipher as the modes take it. It points to the variant, which must outlive it. If variant is
 * NULL or has no key, the modes answer MF_ERROR_NO_KEY. Cannot fail. */
MF_API mf_cipher mf_twofish_variant_cipher(const mf_twofish_variant *variant);

/* Wipes the key; afterwards variant holds none. NULL is allowed. Cannot fail. */
MF_API void mf_twofish_variant_wipe(mf_twofish_variant *variant);

#ifdef __cplusplus
}
#endif

#endif
