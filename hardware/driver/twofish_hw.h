/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A driver for a Twofish core behind APB or AXI4-Lite (rtl/twofish_apb.v, rtl/twofish_axil.v). It
 * encrypts single blocks: use it below a mode of operation, never alone on data of your own.
 *
 * Conventions of all functions:
 *   device   the address of the core's first register, mapped as device memory
 *   threads  one call at a time for each device; calls for different devices may run at the same
 *            time. An interrupt handler may read STATUS and write EVENTS meanwhile
 *   time     they wait for the core by reading STATUS; the clocks depend on the core and the number
 *            of blocks, never on data or key
 * Nothing is allocated, and nothing of key or text is kept outside of the device and the caller's
 * memory, except what the compiler leaves in registers and on the stack. */
#ifndef TWOFISH_HW_H
#define TWOFISH_HW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TWOFISH_HW_BLOCK_BYTES 16

typedef enum twofish_hw_status {
    TWOFISH_HW_OK = 0,
    TWOFISH_HW_ERROR_NULL,      /* a pointer is NULL */
    TWOFISH_HW_ERROR_DEVICE,    /* there is no such core, or one with another map of registers */
    TWOFISH_HW_ERROR_KEY_BYTES, /* the core was not built for keys of this size */
    TWOFISH_HW_ERROR_DIRECTION, /* the core was built without this direction */
    TWOFISH_HW_ERROR_NO_KEY,    /* no key has been set */
    TWOFISH_HW_ERROR_BUSY,      /* somebody else uses the core */
    TWOFISH_HW_ERROR_LOST,      /* somebody else has wiped it, or written to it, during the call */
    TWOFISH_HW_ERROR_TIMEOUT    /* the core does not end; its clock may have stopped */
} twofish_hw_status;

/* Reads the core's ID and version, and wipes it. Call it first. Where the bus has no device at all,
 * the CPU may take the read for a fault.
 * TWOFISH_HW_ERROR_NULL, _DEVICE, _TIMEOUT. */
twofish_hw_status twofish_hw_open(volatile uint32_t *device);

/* The size of the core's keys in bytes: 16, 24 or 32; 0 if device is NULL. */
size_t twofish_hw_key_bytes(const volatile uint32_t *device);

/* Sets a key, and waits until the core has set it up. It replaces the key before, which is wiped.
 *   key        key_bytes bytes, only read
 *   key_bytes  twofish_hw_key_bytes(device)
 * The key before stays on TWOFISH_HW_ERROR_NULL, _KEY_BYTES and _BUSY; on _LOST and _TIMEOUT there
 * is none. */
twofish_hw_status twofish_hw_set_key(volatile uint32_t *device, const void *key, size_t key_bytes);

/* Encrypts or decrypts blocks, each for itself.
 *   out, in   n_blocks * 16 bytes each, of any alignment; the same address, or no byte in common
 *   n_blocks  may be 0; the pointers are never NULL
 * TWOFISH_HW_ERROR_NULL, _DIRECTION, _NO_KEY and _BUSY leave out unchanged. On _LOST and _TIMEOUT
 * it may hold some of the blocks. */
twofish_hw_status twofish_hw_encrypt(volatile uint32_t *device, void *out, const void *in,
                                     size_t n_blocks);
twofish_hw_status twofish_hw_decrypt(volatile uint32_t *device, void *out, const void *in,
                                     size_t n_blocks);

/* Wipes key, text and result in the core, also in the middle of a block, and waits until it is
 * done. TWOFISH_HW_ERROR_NULL, _TIMEOUT. */
twofish_hw_status twofish_hw_wipe(volatile uint32_t *device);

#ifdef __cplusplus
}
#endif

#endif
