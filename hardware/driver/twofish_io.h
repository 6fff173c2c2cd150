/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How the driver reaches the registers. twofish_io.c does it through a pointer; where a bus needs
 * something else, link other functions of these names in its place. */
#ifndef TWOFISH_IO_H
#define TWOFISH_IO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One access of 32 bits each; those of a device happen in the order of the calls: a write has been
 * answered before the next access begins, so device memory must not post writes.
 *   device  the address of its register 0
 *   offset  in bytes, a multiple of 4, below TWOFISH_WINDOW_BYTES
 * No errors; what a refused access does is up to the bus and the CPU. Calls for different devices
 * may run at the same time. */
uint32_t twofish_io_read(const volatile uint32_t *device, uint32_t offset);
void twofish_io_write(volatile uint32_t *device, uint32_t offset, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
