/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A reader of the vector files: NIST response form, as vectors/README.md describes it. Lines are
 * NAME = VALUE; an empty line ends a case; lines that begin with # or [ carry nothing for us, and
 * neither do names that this reader does not know.
 */
#ifndef MF_TEST_RSP_H
#define MF_TEST_RSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { RSP_MAX_BYTES = 8192, RSP_MAX_WORD = 32, RSP_MAX_STRINGS = 4 };

/* One value in hexadecimal; one of 0 bytes may be present. */
typedef struct rsp_bytes {
    bool present;
    size_t n_bytes;
    unsigned char bytes[RSP_MAX_BYTES];
} rsp_bytes;

typedef struct rsp_case {
    unsigned line; /* of its first field */
    rsp_bytes key, key_2, family_key, pt, ct, iv, nonce, tweak, aad, msg, tag;
    rsp_bytes aad_strings[RSP_MAX_STRINGS]; /* AAD_1, .. */
    unsigned n_aad;
    unsigned counter_bits;
    unsigned segment_bits;
    unsigned sector_bytes;
    unsigned outer;
    unsigned iterations;
    unsigned rounds;
    unsigned whitening;
    char padding[RSP_MAX_WORD];
    char set[RSP_MAX_WORD];
    char variant[RSP_MAX_WORD];
} rsp_case;

typedef struct rsp_file {
    FILE *stream;
    unsigned line;
    bool malformed; /* the line of that number could not be read */
} rsp_file;

/* Opens folder/name; false if there is no such file. */
bool rsp_open(rsp_file *file, const char *folder, const char *name);

/* Reads the next case; false at the end of the file or at a malformed line. */
bool rsp_next(rsp_file *file, rsp_case *vector);

void rsp_close(rsp_file *file);

/* Decodes hexadecimal digits up to the first other character; *end is set to it. Returns the number
 * of bytes; at most max_bytes are written, and an odd last digit is not taken. */
size_t rsp_hex(unsigned char *out, size_t max_bytes, const char *text, const char **end);

#endif
