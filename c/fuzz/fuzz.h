/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the fuzz targets: how the octets that the fuzzer gives become numbers, keys and texts.
 * Octets that it does not give are zero, so each input is a case.
 */
#ifndef MF_FUZZ_H
#define MF_FUZZ_H

#include <manyfish/des.h>
#include <manyfish/twofish.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program where this does not hold, as the fuzzer wants it. */
#define REQUIRE(condition) ((condition) ? (void)0 : fuzz_failed(#condition, __FILE__, __LINE__))
#define REQUIRE_OK(call) REQUIRE((call) == MF_OK)

/* The rest of an input. */
typedef struct fuzz_input {
    const unsigned char *data;
    size_t n_bytes;
} fuzz_input;

/* A cipher under a key, with the memory for it. */
typedef struct fuzz_cipher {
    mf_twofish twofish;
    mf_des des;
    mf_cipher cipher; /* points to one of these */
} fuzz_cipher;

/* Each target has this one, which libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

_Noreturn void fuzz_failed(const char *condition, const char *file, int line);

/* The next bytes, into out. */
void fuzz_bytes(fuzz_input *input, void *out, size_t n_bytes);

/* A number below bound, which is 1 to 65536. */
size_t fuzz_below(fuzz_input *input, size_t bound);

/* n_bytes of memory of exactly this size, so that the sanitizer sees what is read or written
 * beyond. free() it. */
unsigned char *fuzz_buffer(size_t n_bytes);

/* The rest of the input, as many times as its first octets say, in such memory. */
unsigned char *fuzz_text(fuzz_input *input, size_t *n_bytes);

/* Any kernel that runs here under any key: of Twofish, or of DES too. */
void fuzz_twofish(fuzz_input *input, fuzz_cipher *out);
void fuzz_any_cipher(fuzz_input *input, fuzz_cipher *out);

#endif
