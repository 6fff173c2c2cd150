/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How firmware uses the driver: two blocks of CTR [SP800-38A, 6.5] are XORed into a message. */
#include "twofish_hw.h"

#include <string.h>

/* 32 bytes are encrypted, or decrypted, which is the same in CTR. Neither `counter` nor the block
 * after it is ever used again under this key. */
twofish_hw_status example(volatile uint32_t *device, const unsigned char key[16],
                          const unsigned char counter[16], unsigned char message[32])
{
    unsigned char stream[32];
    memcpy(stream, counter, 16);
    memcpy(stream + 16, counter, 16);
    stream[31]++; /* the last byte of counter is below 255 */
    twofish_hw_status status = twofish_hw_open(device);
    if (status != TWOFISH_HW_OK) {
        return status; /* the device may be another one */
    }
    status = twofish_hw_set_key(device, key, 16);
    if (status == TWOFISH_HW_OK) {
        status = twofish_hw_encrypt(device, stream, stream, 2);
    }
    for (int i = 0; status == TWOFISH_HW_OK && i < 32; i++) {
        message[i] ^= stream[i];
    }
    twofish_hw_status wiped = twofish_hw_wipe(device);
    return status != TWOFISH_HW_OK ? status : wiped;
}
