/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key schedule for kernels on words. The key indexes its lookup tables.
 */
#ifndef MF_SRC_DES_SCHEDULE_H
#define MF_SRC_DES_SCHEDULE_H

#include "kernel.h"

/* The 48 bits of a subkey in two words, six bits a byte, shifted left by 2 and so offsets in tables
 * of words: those of S2, S4, S6, S8 in K[0], of S1, S3, S5, S7 in K[1], from the highest byte down
 * [KarnThread]. */
typedef uint32_t mf_des_subkey[2];

/* Writes K_1 .. K_16 of a key of 8 bytes [FIPS46-3, appendix 1]. */
void mf_des_schedule(mf_des_subkey K[MF_DES_ROUNDS], const uint8_t *key);

/* The subkeys of one key, or of three in the order in which they are used when encrypting: those of
 * the second backwards. K has room for 16 n_keys. */
void mf_des_schedules(mf_des_subkey *K, const uint8_t *key, unsigned n_keys);

/* The expanded key of kernels that keep subkeys and nothing else. */
typedef struct mf_des_subkeys {
    uint32_t n_keys;
    mf_des_subkey K[3 * MF_DES_ROUNDS]; /* those of one key, or of three */
} mf_des_subkeys;

#define MF_DES_ONE_KEY_SUBKEYS_BYTES                                                               \
    (offsetof(mf_des_subkeys, K) + sizeof(mf_des_subkey[MF_DES_ROUNDS]))

_Static_assert(sizeof(mf_des_subkeys) <= MF_DES_EXPANDED_KEY_BYTES, "no room for the key");

/* set_key of these kernels. */
void mf_des_set_subkeys(void *expanded_key, const uint8_t *key, unsigned n_keys);

#endif
