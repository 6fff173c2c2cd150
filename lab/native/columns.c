/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sequences of bytes that a column of h gives to the 20 subkeys of either parity, for keys of
 * 128 bits.
 */
#include "lab.h"

#include <manyfish/study/parts.h>

enum { COLUMNS = 4, PAIRS = 20, CHOICES = 65536 };

typedef uint8_t column[CHOICES][PAIRS];

/* out[0] to out[3] belong to A_i, out[4] to out[7] to B_i. */
static void put_choice(column *out, uint32_t choice, uint8_t box[COLUMNS][256])
{
    for (size_t j = 0; j < COLUMNS; j++) {
        for (size_t i = 0; i < PAIRS; i++) {
            out[j][choice][i] = box[j][2 * i];
            out[COLUMNS + j][choice][i] = box[j][2 * i + 1];
        }
    }
}

mf_status lab_column_sequences(uint8_t *out)
{
    mf_status status = MF_OK;

    for (uint32_t choice = 0; choice < CHOICES && status == MF_OK; choice++) {
        const uint32_t L[2] = {0x01010101 * (choice & 0xFF), 0x01010101 * (choice >> 8)};
        uint8_t box[COLUMNS][256];
        status = mf_twofish_parts_boxes(box, L, 2);
        if (status == MF_OK) {
            put_choice((column *)(void *)out, choice, box);
        }
    }
    return status;
}
