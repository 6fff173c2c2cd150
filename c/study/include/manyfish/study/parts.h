/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The parts of Twofish, for study: q0 and q1, the matrices MDS and RS, the key-dependent
 * S-boxes, h, and both halves of the key schedule, each by itself [Twofish98, 4.2, 4.3]. The whole
 * cipher with fewer rounds is in <manyfish/study/variant.h>.
 *
 * Not for protecting anything. All functions but mf_twofish_parts_rs and mf_twofish_parts_sbox_key
 * look up tables at addresses that depend on what they are given, and subkeys and S-boxes belong to
 * the key: who gets them wipes them with mf_wipe.
 *
 * A word holds four bytes, byte i with the weight 2^8i. A list L has k = 2, 3 or 4 words, for keys
 * of 8k bytes; L[0] is the one that h applies last [Twofish98, 4.3.2].
 *
 * Conventions (overlap, NULL, threads, what is undefined) stand in <manyfish/common.h>. On an error
 * of a function here all outputs are untouched.
 */
#ifndef MANYFISH_STUDY_PARTS_H
#define MANYFISH_STUDY_PARTS_H

#include <manyfish/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* h takes the number of a subkey as one byte; Twofish with 16 rounds has the first 40 of them. */
#define MF_TWOFISH_PARTS_SUBKEYS 256

/* Writes the tables of q0 and q1. MF_ERROR_NULL. [Twofish98, 4.3.5] */
MF_API MF_MUST_CHECK mf_status mf_twofish_parts_q(uint8_t q[2][256]);

/* The product of MDS and the four bytes of y. Cannot fail. [Twofish98, 4.2] */
MF_API uint32_t mf_twofish_parts_mds(uint32_t y);

/* The product of RS and eight bytes of a key, of which byte i has the weight 2^8i. Without branches
 * on m and without tables. Cannot fail. [Twofish98, 4.3] */
MF_API uint32_t mf_twofish_parts_rs(uint64_t m);

/* Writes the four S-boxes that L selects, up to the last q and without MDS: byte i of h(X) before
 * the matrix is box[i][byte i of X].
 *   box    may not overlap L
 *   L, k   as above
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH (k is not 2, 3 or 4), MF_ERROR_OVERLAP. [Twofish98, 4.3.2] */
MF_API MF_MUST_CHECK mf_status mf_twofish_parts_boxes(uint8_t box[4][256], const uint32_t *L,
                                                      unsigned k);

/* Writes h of each word of X. With L = S this is g. [Twofish98, 4.3.2, 4.3.3]
 *   out, X   n_words words; the same array or disjoint. out may not overlap L
 *   L, k     as above
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH (k is not 2, 3 or 4), MF_ERROR_LENGTH (4 * n_words overflows),
 * MF_ERROR_OVERLAP. */
MF_API MF_MUST_CHECK mf_status mf_twofish_parts_h(uint32_t *out, const uint32_t *X, size_t n_words,
                                                  const uint32_t *L, unsigned k);

/* Writes the list S of a key, S[0] being the word that h applies last; S[k] and above are zero.
 * Without branches on the key and without tables.
 *   S          may not overlap key
 *   key        key_bytes bytes at any address
 *   key_bytes  16, 24 or 32
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH, MF_ERROR_OVERLAP. [Twofish98, 4.3] */
MF_API MF_MUST_CHECK mf_status mf_twofish_parts_sbox_key(uint32_t S[4], const void *key,
                                                         size_t key_bytes);

/* Writes the subkeys K_first, K_(first+1), .. of a key.
 *   K               n_words words; may not overlap key
 *   first, n_words  even, and first + n_words is at most 256
 *   key, key_bytes  as above
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH, MF_ERROR_LENGTH (first and n_words are not as above),
 * MF_ERROR_OVERLAP. [Twofish98, 4.3.4] */
MF_API MF_MUST_CHECK mf_status mf_twofish_parts_subkeys(uint32_t *K, size_t first, size_t n_words,
                                                        const void *key, size_t key_bytes);

#ifdef __cplusplus
}
#endif

#endif
