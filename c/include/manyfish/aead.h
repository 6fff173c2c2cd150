/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Authenticated encryption: all modes of it, each in a header of its own. Nobody without the key
 * can read the message, or change it or its associated data unnoticed. OCB3 [RFC7253] is the one to
 * prefer; EAX, GCM, CCM and SIV are for data and protocols that exist.
 *
 * What holds for all of them:
 *
 * A nonce must never be used twice under one key (SIV forgives it). Under one key encrypt at most
 * 2^48 blocks of 16 bytes.
 *
 * Nonce and associated data may lie anywhere, in the output too: they are read before anything is
 * written. A tag that is written may lie where one of the inputs was, for that is done last.
 */
#ifndef MANYFISH_AEAD_H
#define MANYFISH_AEAD_H

#include <manyfish/ccm.h>
#include <manyfish/eax.h>
#include <manyfish/gcm.h>
#include <manyfish/ocb.h>
#include <manyfish/siv.h>

#endif
