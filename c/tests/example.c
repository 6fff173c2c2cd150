/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The example of README.md, complete: a message encrypted, opened again, and printed. A real
 * program takes its key from a key derivation or a random generator, and a nonce never used before.
 */
#include <manyfish/aead.h>
#include <manyfish/twofish.h>

#include <stdio.h>

int main(void)
{
    unsigned char key[] = "an example, not a secret, but 32";
    unsigned char text[] = "Hello, fish", tag[MF_OCB_TAG_BYTES];
    mf_twofish twofish;
    mf_ocb ocb;

    mf_status status = mf_twofish_init(&twofish, key, 32);
    const mf_cipher cipher = mf_twofish_cipher(&twofish);
    if (status == MF_OK) {
        status = mf_ocb_init(&ocb, &cipher);
    }
    if (status == MF_OK) {
        status = mf_ocb_encrypt(&ocb, "nonce 1", 7, NULL, 0, text, text, sizeof text, tag);
    }
    if (status == MF_OK) {
        status = mf_ocb_decrypt(&ocb, "nonce 1", 7, NULL, 0, text, text, sizeof text, tag);
    }
    printf("%s: %s\n", mf_status_text(status), status == MF_OK ? (const char *)text : "no text");
    mf_ocb_wipe(&ocb);
    mf_twofish_wipe(&twofish);
    mf_wipe(key, sizeof key);
    return status == MF_OK ? 0 : 1;
}
