/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of GHASH variants and the choice among them. A row X(name) stands for mf_ghash_name,
 * which name.c defines.
 */
#include "ghash.h"

#include "../../common/cpu.h"

#if defined(__x86_64__)
#define VARIANTS(X) X(vpclmul512) X(vpclmul) X(pclmul) X(portable)
#elif defined(__AARCH64EL__)
#define VARIANTS(X) X(pmull) X(portable)
#else
#define VARIANTS(X) X(portable)
#endif

#define DECLARE(name) extern const mf_ghash mf_ghash_##name;
#define ENTRY(name) &mf_ghash_##name,

VARIANTS(DECLARE)

const mf_ghash *const mf_ghash_variants[] = {VARIANTS(ENTRY) NULL};

const mf_ghash *mf_ghash_best(void)
{
    size_t i = 0;
    while (!mf_cpu_has(mf_ghash_variants[i]->cpu_features)) {
        i++;
    }
    return mf_ghash_variants[i];
}
