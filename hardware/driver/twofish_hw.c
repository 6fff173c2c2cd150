/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The driver of twofish_hw.h: docs/hardware.md has the registers. Words of keys and blocks are
 * little-endian, as in the paper, so a little-endian CPU loads and stores them as they are. */
#include "twofish_hw.h"

#include "twofish_io.h"
#include "twofish_regs.h"

/* More reads of STATUS than clocks that any core works on a block or a key. */
enum { PATIENCE = 4096 };

static uint32_t load(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void store(unsigned char *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(word >> 8 * i);
    }
}

/* Words of bytes to registers that follow each other. */
static void put(volatile uint32_t *device, uint32_t offset, const unsigned char *bytes,
                uint32_t n_words)
{
    for (uint32_t i = 0; i < n_words; i++) {
        twofish_io_write(device, offset + 4 * i, load(bytes + 4 * (size_t)i));
    }
}

static uint32_t status(const volatile uint32_t *device)
{
    return twofish_io_read(device, TWOFISH_STATUS);
}

/* Waits until the core is not busy; then it must have what `wanted` says. */
static twofish_hw_status wait_for(const volatile uint32_t *device, uint32_t wanted)
{
    for (int i = 0; i < PATIENCE; i++) {
        uint32_t now = status(device);
        if (!(now & TWOFISH_STATUS_BUSY)) {
            return (now & wanted) == wanted ? TWOFISH_HW_OK : TWOFISH_HW_ERROR_LOST;
        }
    }
    return TWOFISH_HW_ERROR_TIMEOUT;
}

twofish_hw_status twofish_hw_wipe(volatile uint32_t *device)
{
    if (!device) {
        return TWOFISH_HW_ERROR_NULL;
    }
    twofish_io_write(device, TWOFISH_CONTROL, TWOFISH_CONTROL_CLEAR);
    return wait_for(device, 0);
}

twofish_hw_status twofish_hw_open(volatile uint32_t *device)
{
    if (!device) {
        return TWOFISH_HW_ERROR_NULL;
    }
    if (twofish_io_read(device, TWOFISH_ID) != TWOFISH_ID_VALUE ||
        twofish_io_read(device, TWOFISH_VERSION) != TWOFISH_VERSION_VALUE) {
        return TWOFISH_HW_ERROR_DEVICE;
    }
    return twofish_hw_wipe(device);
}

size_t twofish_hw_key_bytes(const volatile uint32_t *device)
{
    return device ? 4 * (twofish_io_read(device, TWOFISH_FEATURES) & TWOFISH_FEATURES_KEY_WORDS)
                  : 0;
}

twofish_hw_status twofish_hw_set_key(volatile uint32_t *device, const void *key, size_t key_bytes)
{
    if (!device || !key) {
        return TWOFISH_HW_ERROR_NULL;
    }
    if (key_bytes != twofish_hw_key_bytes(device)) {
        return TWOFISH_HW_ERROR_KEY_BYTES;
    }
    if (status(device) & TWOFISH_STATUS_BUSY) {
        return TWOFISH_HW_ERROR_BUSY;
    }
    /* Somebody may have written a part of a key before. */
    twofish_hw_status wiped = twofish_hw_wipe(device);
    if (wiped != TWOFISH_HW_OK) {
        return wiped;
    }
    put(device, TWOFISH_KEY, key, (uint32_t)key_bytes / 4);
    return wait_for(device, TWOFISH_STATUS_KEY_SET);
}

static twofish_hw_status crypt_block(volatile uint32_t *device, unsigned char *out,
                                     const unsigned char *in, uint32_t command)
{
    put(device, TWOFISH_TEXT, in, TWOFISH_TEXT_WORDS);
    twofish_io_write(device, TWOFISH_CONTROL, command);
    twofish_hw_status done = wait_for(device, TWOFISH_STATUS_RESULT);
    for (uint32_t i = 0; done == TWOFISH_HW_OK && i < TWOFISH_RESULT_WORDS; i++) {
        store(out + 4 * (size_t)i, twofish_io_read(device, TWOFISH_RESULT + 4 * i));
    }
    return done;
}

static twofish_hw_status crypt(volatile uint32_t *device, void *out, const void *in,
                               size_t n_blocks, uint32_t feature, uint32_t command)
{
    if (!device || !out || !in) {
        return TWOFISH_HW_ERROR_NULL;
    }
    if (!(twofish_io_read(device, TWOFISH_FEATURES) & feature)) {
        return TWOFISH_HW_ERROR_DIRECTION;
    }
    uint32_t now = status(device);
    if (now & TWOFISH_STATUS_BUSY) {
        return TWOFISH_HW_ERROR_BUSY;
    }
    if (!(now & TWOFISH_STATUS_KEY_SET)) {
        return TWOFISH_HW_ERROR_NO_KEY;
    }
    twofish_hw_status done = TWOFISH_HW_OK;
    for (size_t i = 0; done == TWOFISH_HW_OK && i < n_blocks; i++) {
        size_t at = TWOFISH_HW_BLOCK_BYTES * i;
        done = crypt_block(device, (unsigned char *)out + at, (const unsigned char *)in + at,
                           TWOFISH_CONTROL_START | command);
    }
    return done;
}

twofish_hw_status twofish_hw_encrypt(volatile uint32_t *device, void *out, const void *in,
                                     size_t n_blocks)
{
    return crypt(device, out, in, n_blocks, TWOFISH_FEATURES_ENCRYPT, 0);
}

twofish_hw_status twofish_hw_decrypt(volatile uint32_t *device, void *out, const void *in,
                                     size_t n_blocks)
{
    return crypt(device, out, in, n_blocks, TWOFISH_FEATURES_DECRYPT, TWOFISH_CONTROL_DECRYPT);
}
