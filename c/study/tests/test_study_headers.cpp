// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Every header for study compiles as C++, and links with C names.

#include <manyfish/study/compiled.h>
#include <manyfish/study/des.h>
#include <manyfish/study/parts.h>
#include <manyfish/study/small.h>
#include <manyfish/study/tables.h>
#include <manyfish/study/variant.h>

#include <cstdio>

int main()
{
    const unsigned char key[16] = {};
    mf_twofish twofish;
    mf_twofish_variant_wipe(nullptr);
    mf_twofish_compiled_free(nullptr);
    const bool good = mf_twofish_parts_mds(0) == 0 &&
                      !mf_twofish_tables_ready(MF_TWOFISH_TABLES_BIG) &&
                      mf_twofish_init_kernel(&twofish, "full-big", key, 16) == MF_ERROR_TABLES;
    std::printf("C++: %s\n", good ? "passed" : "failed");
    return good ? 0 : 1;
}
