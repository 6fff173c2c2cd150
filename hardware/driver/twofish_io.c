/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Registers in memory. The range must be mapped as device memory, not cached: there the CPU keeps
 * the order that volatile gives. */
#include "twofish_io.h"

uint32_t twofish_io_read(const volatile uint32_t *device, uint32_t offset)
{
    return device[offset / sizeof *device];
}

void twofish_io_write(volatile uint32_t *device, uint32_t offset, uint32_t value)
{
    device[offset / sizeof *device] = value;
}
