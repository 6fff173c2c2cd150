/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The functions of study.h, by libmanyfish-study.
 */
#include "study.h"

#include <manyfish/study/compiled.h>
#include <manyfish/study/tables.h>

#include "test.h"

void build_big_tables(void)
{
    CHECK_STATUS(mf_twofish_tables_build(MF_TWOFISH_TABLES_BIG, 0, NULL, NULL), MF_OK);
}

void build_tables(void)
{
    build_big_tables();
    if (!test_quick()) {
        CHECK_STATUS(mf_twofish_tables_build(MF_TWOFISH_TABLES_HUGE, 0, NULL, NULL), MF_OK);
    }
}

bool has_compiled_keying(void)
{
    return true;
}

mf_cipher compiled_cipher(bool ct, const void *key, size_t key_bytes)
{
    static mf_twofish_compiled *objects[2][4];
    static size_t next;
    mf_twofish_compiled **c = &objects[ct][next++ % 4];

    if (*c == NULL) {
        const unsigned flags =
            ct ? MF_COMPILED_OR_FULL | MF_COMPILED_CT_SET_UP : MF_COMPILED_OR_FULL;
        CHECK_STATUS(mf_twofish_compiled_new(c, flags), MF_OK);
    }
    CHECK_STATUS(mf_twofish_compiled_set_key(*c, key, key_bytes), MF_OK);
    return mf_twofish_compiled_cipher(*c);
}
