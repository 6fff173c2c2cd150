/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * XTS and CBC with ciphertext stealing, of any length: the text comes back, from place to place and
 * in place; sectors of XTS are units under their numbers.
 */
#include <manyfish/modes.h>

#include "fuzz.h"

static void stealing(fuzz_input *input)
{
    fuzz_cipher key;
    unsigned char iv[16];
    size_t n_bytes = 0;
    const mf_cts variant = (mf_cts)(1 + fuzz_below(input, 3));
    fuzz_any_cipher(input, &key);
    fuzz_bytes(input, iv, sizeof iv);
    unsigned char *text = fuzz_text(input, &n_bytes);
    unsigned char *sealed = fuzz_buffer(n_bytes);
    const mf_status status = mf_cts_encrypt(&key.cipher, variant, iv, sealed, text, n_bytes);
    REQUIRE(status == (n_bytes < key.cipher.block_bytes ? MF_ERROR_LENGTH : MF_OK));
    if (status == MF_OK) {
        unsigned char *found = fuzz_buffer(n_bytes);
        REQUIRE_OK(mf_cts_decrypt(&key.cipher, variant, iv, found, sealed, n_bytes));
        REQUIRE(memcmp(found, text, n_bytes) == 0);
        REQUIRE_OK(mf_cts_encrypt(&key.cipher, variant, iv, found, found, n_bytes));
        REQUIRE(memcmp(found, sealed, n_bytes) == 0);
        free(found);
    }
    free(text);
    free(sealed);
}

static void unit(const mf_xts *xts, const unsigned char *tweak, const unsigned char *text,
                 size_t n_bytes)
{
    unsigned char *sealed = fuzz_buffer(n_bytes), *found = fuzz_buffer(n_bytes);
    const mf_status status = mf_xts_encrypt(xts, tweak, sealed, text, n_bytes);
    REQUIRE(status == (n_bytes < 16 ? MF_ERROR_LENGTH : MF_OK));
    if (status == MF_OK) {
        REQUIRE_OK(mf_xts_decrypt(xts, tweak, found, sealed, n_bytes));
        REQUIRE(memcmp(found, text, n_bytes) == 0);
        REQUIRE_OK(mf_xts_encrypt(xts, tweak, found, found, n_bytes));
        REQUIRE(memcmp(found, sealed, n_bytes) == 0);
    }
    free(sealed);
    free(found);
}

static void sectors(const mf_xts *xts, uint64_t first, size_t sector, const unsigned char *text,
                    size_t n_bytes)
{
    const size_t count = n_bytes / sector;
    unsigned char *together = fuzz_buffer(count * sector), *alone = fuzz_buffer(sector);
    REQUIRE_OK(mf_xts_encrypt_sectors(xts, first, sector, together, text, count * sector));
    for (size_t i = 0; i < count; i++) {
        unsigned char tweak[16] = {0};
        for (unsigned byte = 0; byte < 8; byte++)
            tweak[byte] = (unsigned char)((first + i) >> 8 * byte);
        REQUIRE_OK(mf_xts_encrypt(xts, tweak, alone, text + i * sector, sector));
        REQUIRE(memcmp(alone, together + i * sector, sector) == 0);
    }
    REQUIRE_OK(mf_xts_decrypt_sectors(xts, first, sector, together, together, count * sector));
    REQUIRE(memcmp(together, text, count * sector) == 0);
    free(together);
    free(alone);
}

static void xts(fuzz_input *input)
{
    fuzz_cipher data, tweak_key;
    mf_xts xts;
    unsigned char tweak[16];
    size_t n_bytes = 0;
    const size_t sector = 16 + fuzz_below(input, 600);
    uint64_t first = 0;
    fuzz_twofish(input, &data);
    fuzz_twofish(input, &tweak_key);
    fuzz_bytes(input, tweak, sizeof tweak);
    memcpy(&first, tweak, 4); /* no number overflows */
    unsigned char *text = fuzz_text(input, &n_bytes);
    REQUIRE_OK(mf_xts_init(&xts, &data.cipher, &tweak_key.cipher));
    unit(&xts, tweak, text, n_bytes);
    if (n_bytes >= sector)
        sectors(&xts, first, sector, text, n_bytes);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    fuzz_input input = {data, n_bytes};
    if (fuzz_below(&input, 2) == 0)
        xts(&input);
    else
        stealing(&input);
    return 0;
}
