/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A mode with a key and a message in work, and the contract between those who cross from Java
 * (jni_*.c) and those who know a mode (keys.c, plain.c, aead.c, mac.c). Nothing here knows of Java
 * but the names of modes and ciphers, which are those of org.manyfish.mode.
 */
#ifndef MANYFISH_JAVA_MODE_H
#define MANYFISH_JAVA_MODE_H

#include <manyfish/aead.h>
#include <manyfish/des.h>
#include <manyfish/mac.h>
#include <manyfish/many.h>
#include <manyfish/modes.h>
#include <manyfish/twofish.h>

/* Expanded keys, and the ciphers that modes know them by. XTS and SIV have two, both of Twofish. */
typedef struct keys {
    void *expanded; /* allocated for what the cipher needs: Java may have many */
    size_t expanded_bytes;
    mf_cipher cipher[2];
} keys;

struct mode_row;

/* The target of a handle of Java. It never moves, since members point to its keys. */
typedef struct mode {
    const struct mode_row *row;
    bool encrypting;
    keys keys;
    unsigned char iv[MF_MAX_BLOCK_BYTES]; /* the chain of CBC, the tweak of XTS */
    union {
        mf_ctr ctr;
        mf_cfb cfb;
        mf_ofb ofb;
        mf_xts xts;
        mf_eax eax;
        mf_ocb ocb;
        mf_gcm gcm;
        mf_siv siv;
        mf_cmac cmac;
    } state;
    /* CCM and SIV want their associated data at the end: the pieces, then the nonce. */
    unsigned char *held;
    size_t held_bytes;
    size_t aad_bytes;
    bool has_aad;
    /* Room for the descriptions of many messages, kept from one call to the next. */
    mf_message *messages;
    size_t max_messages;
} mode;

/* One mode. Functions that are NULL are for modes that have no such step; they fail as the
 * functions of manyfish that they call do. */
typedef struct mode_row {
    const char *name; /* as ModeName has it, or CMAC, or CBC_PADDED */
    size_t n_keys;
    bool whole; /* it takes messages by finish alone */
    bool tag;   /* finish has one */

    /* Once, after the keys. */
    mf_status (*init)(mode *m);
    /* Begins a message; iv_bytes 0 for none. */
    mf_status (*start)(mode *m, const unsigned char *iv, size_t iv_bytes);
    mf_status (*aad)(mode *m, const unsigned char *aad, size_t n_bytes);
    /* out and in are the same or disjoint; n_bytes is a multiple of what the mode works on. */
    mf_status (*update)(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes);
    /* The last piece, and for modes with a tag this one, written or compared. */
    mf_status (*finish)(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                        unsigned char *tag, size_t tag_bytes);
    /* Whole messages, each with its own status, whatever is in work by the functions above. */
    mf_status (*many)(mode *m, mf_message *messages, size_t n);
} mode_row;

/* plain.c, aead.c and mac.c; each list ends in a row without a name. */
extern const mode_row plain_modes[];
extern const mode_row aead_modes[];
extern const mode_row mac_modes[];

/* keys.c. Expands n_keys keys of equal length, one after the other in key, for a cipher by its name
 * in CipherName; kernel may be NULL. MF_ERROR_BLOCK if there is no such cipher, or none with two
 * keys. Whatever comes of it, k ends with keys_wipe. */
MF_MUST_CHECK mf_status keys_init(keys *k, const char *cipher, const char *kernel, size_t n_keys,
                                  const unsigned char *key, size_t key_bytes);
void keys_wipe(keys *k);

/* mode.c. The row with this name, or NULL. */
const mode_row *mode_row_of(const char *name);

/* mode.c. Wipes m and what it holds; m is of no use afterwards. */
void mode_wipe(mode *m);

#endif
