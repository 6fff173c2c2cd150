/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The operations that the benchmark asks of a library, in the same words for each. A file beside
 * this one answers for one library, compiled against its own headers: so the compiler knows its
 * types, and src/foreign.rs only these.
 */
#ifndef PEER_H
#define PEER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCK_BYTES 16
#define DES_BLOCK_BYTES 8
#define TAG_BYTES 16
#define MAX_KEY_BYTES 32
/* Of OCB, GCM and CCM: the first bytes of the IV; EAX takes all of it. */
#define NONCE_BYTES 12

/* The numbers of Operation in src/operation.rs. */
enum operation {
    OP_ECB_ENCRYPT,
    OP_ECB_DECRYPT,
    OP_CBC_ENCRYPT,
    OP_CBC_DECRYPT,
    OP_CTR_ENCRYPT, /* the whole block counts, big-endian */
    OP_XTS_ENCRYPT, /* the message is one data unit, the IV its tweak */
    OP_OCB_ENCRYPT, /* [RFC7253]; no associated data here, nor in the next three */
    OP_GCM_ENCRYPT,
    OP_EAX_ENCRYPT,
    OP_CCM_ENCRYPT,
    OP_CMAC /* leaves the message as it is */
};

/* The numbers of Cipher there. */
enum cipher {
    CIPHER_TWOFISH,
    CIPHER_DES /* with 24 bytes of key it is Triple-DES; the first five operations only */
};

struct keys {
    const unsigned char *data;
    const unsigned char *tweak; /* for XTS, of the same length */
    size_t n_bytes;             /* 16, 24 or 32; of DES 8 or 24 */
    enum cipher cipher;
};

struct peer {
    const char *name;
    const char *(*version)(void);
    /* Memory for an operation under a key; NULL where the library lacks the cipher, the
     * operation or the key length. */
    void *(*open)(enum operation operation, const struct keys *keys);
    /* Expands another key over the one of OP_ECB_ENCRYPT; 0 on success. */
    int (*set_key)(void *state, const unsigned char *key, size_t n_bytes);
    /* Works on a whole message in place: n_bytes are a positive multiple of the block, iv has 16
     * bytes, of which DES takes the first 8;
     * tag has room for 16, which only authenticated modes write. 0 on success. */
    int (*run)(void *state, const unsigned char *iv, unsigned char *data, size_t n_bytes,
               unsigned char *tag);
    void (*close)(void *state);
};

/* The libraries that were found when this was built; NULL after the last. */
extern const struct peer *const peers[];

#ifdef __cplusplus
}
#endif

#endif
