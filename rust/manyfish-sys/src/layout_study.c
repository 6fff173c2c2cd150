/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * As layout.c, of the headers for study.
 */
#include "layout.h"

#include <manyfish/study/compiled.h>
#include <manyfish/study/tables.h>
#include <manyfish/study/variant.h>

extern const fact manyfish_sys_layout_study[];
const fact manyfish_sys_layout_study[] = {
    CONSTANT(MF_COMPILED_OR_FULL),
    CONSTANT(MF_COMPILED_CT_SET_UP),
    CONSTANT(MF_COMPILED_BIG),
    CONSTANT(MF_COMPILED_HUGE),
    CONSTANT(MF_COMPILED_TWO_VIEWS),
    CONSTANT(MF_TWOFISH_TABLES_BIG),
    CONSTANT(MF_TWOFISH_TABLES_HUGE),
    CONSTANT(MF_TWOFISH_TABLES_BIG_BYTES),
    CONSTANT(MF_TWOFISH_TABLES_HUGE_BYTES),
    SIZE(mf_twofish_tables),
    CONSTANT(MF_TWOFISH_VARIANT_MAX_ROUNDS),
    CONSTANT(MF_TWOFISH_FAMILY_KEY_BYTES),
    SIZE(mf_twofish_variant),
    SIZE(mf_twofish_variation),
    OFFSET(mf_twofish_variation, no_whitening),
    OFFSET(mf_twofish_variation, family_key),
    {NULL, 0},
};
