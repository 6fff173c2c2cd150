/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The S-boxes of many keys, layer by layer from the innermost permutation [Twofish98, 4.3.2].
 */
#include "lab.h"

#include <string.h>

enum { LAYERS = 5 };

/* How many layers, from the outermost, differ between two keys. */
static unsigned changed(uint32_t key, uint32_t last)
{
    unsigned n = 0;
    for (uint32_t difference = key ^ last; difference; difference >>= 8) {
        n++;
    }
    return n;
}

static void make_layer(uint8_t *out, const uint8_t *in, const uint8_t *table, uint8_t key)
{
    for (unsigned x = 0; x < 256; x++) {
        out[x] = table[in[x] ^ key];
    }
}

void lab_sbox_make(uint8_t *boxes, const uint32_t *keys, size_t n, const uint8_t *tables,
                   unsigned k)
{
    uint8_t layer[LAYERS][256];
    memcpy(layer[k], tables + (size_t)256 * k, 256);
    for (size_t i = 0; i < n; i++) {
        for (unsigned l = i ? changed(keys[i], keys[i - 1]) : k; l-- > 0;) {
            make_layer(layer[l], layer[l + 1], tables + (size_t)256 * l,
                       (uint8_t)(keys[i] >> 8 * l));
        }
        memcpy(boxes + 256 * i, layer[0], 256);
    }
}
