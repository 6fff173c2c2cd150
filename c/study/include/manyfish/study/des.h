/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernels of DES whose tables have the subkeys in them [KarnThread], for study: others are faster
 * for any number of blocks under a key (docs/des.md). In a program with libmanyfish-study they can
 * be named, too.
 *
 *   name        per key of DES, of Triple-DES
 *   keyed-32k    32 KB,  96 KB
 *   keyed-256k  256 KB, 768 KB
 *
 * That is too much for an mf_des: mf_des_init_in takes memory for it, and mf_des_init_kernel
 * answers MF_ERROR_CAPACITY. Secrets index its lookup tables.
 *
 * Conventions (overlap, NULL, threads, what is undefined) stand in <manyfish/common.h>.
 */
#ifndef MANYFISH_STUDY_DES_H
#define MANYFISH_STUDY_DES_H

#include <manyfish/des.h>

#ifdef __cplusplus
extern "C" {
#endif

extern MF_API const mf_des_kernel mf_des_keyed_32k;
extern MF_API const mf_des_kernel mf_des_keyed_256k;

/* The tricks of the thread one by one: each kernel adds one to the kernel above it
 * (docs/des.md). They keep subkeys alone, and take any mf_des. Secrets index their
 * lookup tables. */
extern MF_API const mf_des_kernel mf_des_karn_plain;
extern MF_API const mf_des_kernel mf_des_karn_sp;      /* S-boxes joined with P */
extern MF_API const mf_des_kernel mf_des_karn_xor;     /* lookups XORed into the block at once */
extern MF_API const mf_des_kernel mf_des_karn_turns;   /* even S-boxes, then odd ones */
extern MF_API const mf_des_kernel mf_des_karn_offsets; /* subkeys shifted to be offsets */
extern MF_API const mf_des_kernel mf_des_karn_ip;      /* IP by R. Outerbridge */

#ifdef __cplusplus
}
#endif

#endif
