/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel of Twofish with the least code, for study: loops with counters [Twofish99, 5.1.2]
 * (docs/keying-options.md has the sizes). It is slow. In a program with libmanyfish-study it can be
 * named, too: "small". Secrets index its lookup tables.
 *
 * Conventions (overlap, NULL, threads, what is undefined) stand in <manyfish/common.h>.
 */
#ifndef MANYFISH_STUDY_SMALL_H
#define MANYFISH_STUDY_SMALL_H

#include <manyfish/twofish.h>

#ifdef __cplusplus
extern "C" {
#endif

extern MF_API const mf_twofish_kernel mf_twofish_small;

#ifdef __cplusplus
}
#endif

#endif
