/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A saturated word through reduced rounds: R2 of the plaintext takes all 2^32 values, and bits of
 * the right half of the ciphertext are summed.
 */
#include "lab.h"

#include <manyfish/study/variant.h>

enum { BLOCK_BYTES = 16, KEY_BYTES = 16, CHUNK = 512 };

static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void fill(uint8_t *texts, const uint8_t *text, uint32_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t b = 0; b < BLOCK_BYTES; b++) {
            texts[BLOCK_BYTES * i + b] = text[b];
        }
        const uint32_t R2 = first + (uint32_t)i;
        for (unsigned b = 0; b < 4; b++) {
            texts[BLOCK_BYTES * i + 8 + b] = (uint8_t)(R2 >> 8 * b);
        }
    }
}

/* F0 of the last round but one, up to a constant: the round has XORed R2 to it and rotated the sum
 * by one; R2 itself has been rotated once before. F1 comes out plain. */
static void add(uint64_t found[4], const uint8_t *out, uint32_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t C0 = load32(out + BLOCK_BYTES * i);
        const uint32_t C1 = load32(out + BLOCK_BYTES * i + 4);
        const uint32_t R2 = first + (uint32_t)i;
        const uint32_t F0 = (C0 << 1 | C0 >> 31) ^ (R2 >> 1 | R2 << 31);

        found[0] += F0 & 1;
        found[1] += F0 >> 1 & 1;
        found[2] += C1 & 1;
        found[3] += C1 >> 1 & 1;
    }
}

mf_status lab_saturation(uint64_t found[4], const uint8_t *key, uint32_t rounds,
                         const uint8_t *text, uint32_t first, size_t n)
{
    const mf_twofish_variation variation = {.rounds = rounds, .no_whitening = true};
    mf_twofish_variant cipher;
    uint8_t texts[BLOCK_BYTES * CHUNK];
    mf_status status = mf_twofish_variant_init(&cipher, &variation, key, KEY_BYTES);

    for (unsigned i = 0; i < 4; i++) {
        found[i] = 0;
    }
    for (size_t done = 0; done < n && status == MF_OK; done += CHUNK) {
        const size_t part = n - done < CHUNK ? n - done : CHUNK;
        const uint32_t start = first + (uint32_t)done;

        fill(texts, text, start, part);
        status = mf_twofish_variant_encrypt_blocks(&cipher, texts, texts, part);
        add(found, texts, start, part);
    }
    mf_twofish_variant_wipe(&cipher);
    return status;
}
