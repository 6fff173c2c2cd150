// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Every public header compiles as C++, links with C names, and works.

#include <manyfish/aead.h>
#include <manyfish/ccm.h>
#include <manyfish/cipher.h>
#include <manyfish/common.h>
#include <manyfish/des.h>
#include <manyfish/eax.h>
#include <manyfish/gcm.h>
#include <manyfish/mac.h>
#include <manyfish/many.h>
#include <manyfish/modes.h>
#include <manyfish/ocb.h>
#include <manyfish/siv.h>
#include <manyfish/twofish.h>
#include <manyfish/twofish_choice.h>

#include <cstdio>
#include <cstring>

int main()
{
    const unsigned char key[16] = {};
    unsigned char block[MF_TWOFISH_BLOCK_BYTES] = {};
    mf_twofish twofish;
    mf_status status = mf_twofish_init(&twofish, key, sizeof key);

    if (status == MF_OK) {
        status = mf_twofish_encrypt_blocks(&twofish, block, block, 1);
    }
    if (status == MF_OK) {
        status = mf_twofish_decrypt_blocks(&twofish, block, block, 1);
    }
    mf_twofish_wipe(&twofish);
    const bool good = status == MF_OK && mf_equal(block, key, sizeof block) &&
                      std::strcmp(mf_version(), MF_VERSION) == 0;
    std::printf("C++: %s\n", good ? "passed" : "failed");
    return good ? 0 : 1;
}
