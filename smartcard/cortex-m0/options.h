/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The options, given by -D to all files alike, those that include twofish_thumb.h among them:
 *
 * KEEPS_...        1 for one of FLY, SUBKEYS, CONSTANT_TIME, SBOXES and MDS: what is kept of a key,
 *                  and so which of fly.S, subkeys.S, constant_time.S, sboxes.S and mds.S goes with
 *                  set_key.S; CONSTANT_TIME keeps what SUBKEYS does. Or
 *                  1 for MASKED, which has files of its own: masked_thumb.h
 * KEY_BITS         128, 192 or 256
 * MDS_TABLES       1: the last q and MDS are in tables of 4 KB of flash, 0: MDS is computed; mds.S
 *                  takes 1, constant_time.S has none in any case
 * UNROLLED         1: mds.S with all rounds written out
 * SAVES_REGISTERS  0: fly.S does not keep R4 to R7, which is no function for C then
 */
#ifndef MANYFISH_SMARTCARD_CORTEX_M0_OPTIONS_H
#define MANYFISH_SMARTCARD_CORTEX_M0_OPTIONS_H

#ifndef KEEPS_FLY
#define KEEPS_FLY 0
#endif
#ifndef KEEPS_SUBKEYS
#define KEEPS_SUBKEYS 0
#endif
#ifndef KEEPS_CONSTANT_TIME
#define KEEPS_CONSTANT_TIME 0
#endif
#ifndef KEEPS_SBOXES
#define KEEPS_SBOXES 0
#endif
#ifndef KEEPS_MDS
#define KEEPS_MDS 0
#endif
#ifndef KEEPS_MASKED
#define KEEPS_MASKED 0
#endif
#if KEEPS_FLY + KEEPS_SUBKEYS + KEEPS_CONSTANT_TIME + KEEPS_SBOXES + KEEPS_MDS + KEEPS_MASKED != 1
#error "define one of KEEPS_FLY, _SUBKEYS, _CONSTANT_TIME, _SBOXES, _MDS and _MASKED as 1"
#endif

#ifndef KEY_BITS
#define KEY_BITS 128
#endif
#if KEY_BITS != 128 && KEY_BITS != 192 && KEY_BITS != 256
#error "KEY_BITS is 128, 192 or 256"
#endif

#ifndef MDS_TABLES
#define MDS_TABLES 1
#endif
#if KEEPS_MDS && !MDS_TABLES
#error "KEEPS_MDS needs MDS_TABLES to make its own"
#endif

#ifndef UNROLLED
#define UNROLLED 0
#endif
#if UNROLLED && !KEEPS_MDS
#error "only KEEPS_MDS can be UNROLLED"
#endif

#ifndef SAVES_REGISTERS
#define SAVES_REGISTERS 1
#endif
#if !SAVES_REGISTERS && !KEEPS_FLY
#error "only KEEPS_FLY has SAVES_REGISTERS"
#endif

#endif
