/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * There is nothing for study here.
 */
#include "study.h"

void build_big_tables(void)
{
}

void build_tables(void)
{
}

bool has_compiled_keying(void)
{
    return false;
}

mf_cipher compiled_cipher(bool ct, const void *key, size_t key_bytes)
{
    const mf_cipher none = {0};

    (void)ct;
    (void)key;
    (void)key_bytes;
    return none;
}
