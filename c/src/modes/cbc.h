/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The end of padding that CBC of one message and of many share.
 */
#ifndef MF_SRC_MODES_CBC_H
#define MF_SRC_MODES_CBC_H

#include <stddef.h>
#include <stdint.h>

/* The number of padding bytes at the end of the last block, or 0 if they are wrong, or none. Reads
 * the whole block whatever the padding is, without a branch on it. [RFC5652, 6.3] */
size_t mf_pkcs7_bytes(const uint8_t *last, size_t block);

#endif
