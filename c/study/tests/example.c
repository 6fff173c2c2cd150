/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A program with libmanyfish-study: Twofish with 16 rounds is Twofish, by a kernel of the library
 * too.
 */
#include <manyfish/study/variant.h>
#include <manyfish/twofish.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    static const unsigned char key[16] = {1, 2, 3};
    const mf_twofish_variation none = {.rounds = 16};
    unsigned char text[2][16] = {{0}};
    mf_twofish twofish;
    mf_twofish_variant variant;

    mf_status status = mf_twofish_init_with(&twofish, &mf_twofish_zero, key, sizeof key);
    if (status == MF_OK) {
        status = mf_twofish_variant_init(&variant, &none, key, sizeof key);
    }
    if (status == MF_OK) {
        status = mf_twofish_encrypt_blocks(&twofish, text[0], text[0], 1);
    }
    if (status == MF_OK) {
        status = mf_twofish_variant_encrypt_blocks(&variant, text[1], text[1], 1);
    }
    const int equal = memcmp(text[0], text[1], sizeof text[0]) == 0;
    printf("%s, %s\n", mf_status_text(status), equal ? "equal" : "different");
    return status == MF_OK && equal ? 0 : 1;
}
