/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * No template of compiled keying: for targets that none is written for. There is never code, and
 * all works as `full`.
 */
#include "compiled_template.h"

#if defined(MF_COMPILED_NONE)

const uint8_t mf_twofish_code_start[1] = {0};
const uint8_t mf_twofish_code_encrypt[1] = {0};
const uint8_t mf_twofish_code_decrypt[1] = {0};

size_t mf_twofish_code_bytes(void)
{
    return 0;
}

void mf_twofish_code_write(uint8_t *code, const uint32_t K[MF_TWOFISH_SUBKEYS])
{
    (void)code;
    (void)K;
}

void mf_twofish_code_publish(const uint8_t *code, size_t n_bytes)
{
    (void)code;
    (void)n_bytes;
}

void mf_twofish_code_serialise(void)
{
}

#endif
