/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads an image in the Intel HEX format, records 00 (data) and 01 (end), 16 bits of address. */
#ifndef MANYFISH_SMARTCARD_IHEX_H
#define MANYFISH_SMARTCARD_IHEX_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Calls put(state, address, byte) for each byte of the file's data. Returns false, after a message
 * on standard error with the file's name and line, if the file cannot be read, is not in this
 * format, or put returns false.
 */
bool ihex_read(const char *path, bool (*put)(void *state, uint16_t address, uint8_t byte),
               void *state);

#endif
