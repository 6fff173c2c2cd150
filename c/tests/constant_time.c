/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The helpers of constant_time.h.
 */
#include "constant_time.h"

#include <stdio.h>
#include <valgrind/memcheck.h>

/* --- Valgrind --------------------------------------------------------------------------------- */

const char *log_name;
static long log_start;
static unsigned errors_start;

void mark_secret(void *data, size_t n_bytes)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(data, n_bytes);
}

void mark_public(void *data, size_t n_bytes)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(data, n_bytes);
}

bool is_secret(const void *data, size_t n_bytes)
{
    unsigned char undefined_bits[MAX_BYTES + BLOCK];

    if (n_bytes > sizeof undefined_bits || VALGRIND_GET_VBITS(data, undefined_bits, n_bytes) != 1) {
        return false;
    }
    for (size_t i = 0; i < n_bytes; i++) {
        if (undefined_bits[i] == 0) {
            return false;
        }
    }
    return true;
}

static long log_length(FILE *log)
{
    return log != NULL && fseek(log, 0, SEEK_END) == 0 ? ftell(log) : 0;
}

void watch(void)
{
    FILE *log = fopen(log_name, "r");

    log_start = log_length(log);
    if (log != NULL) {
        (void)fclose(log);
    }
    errors_start = VALGRIND_COUNT_ERRORS;
}

unsigned n_reported(void)
{
    return VALGRIND_COUNT_ERRORS - errors_start;
}

/* The messages of valgrind since watch(); it reports each place in the code once only. */
static void show_log(void)
{
    FILE *log = fopen(log_name, "r");
    char line[300];

    if (log == NULL || fseek(log, log_start, SEEK_SET) != 0) {
        printf("  no log of valgrind: %s\n", log_name);
    } else {
        for (int n = 0; n < 60 && fgets(line, sizeof line, log) != NULL; n++) {
            printf("  %s", line);
        }
    }
    if (log != NULL) {
        (void)fclose(log);
    }
}

void check_silent(void)
{
    if (!CHECK(n_reported() == 0)) {
        show_log();
    }
}

/* --- What is worked on ------------------------------------------------------------------------ */

unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
unsigned char text[MAX_BYTES + BLOCK], out[MAX_BYTES + BLOCK], back[MAX_BYTES + BLOCK];
unsigned char aad[AAD], nonce[MF_OCB_MAX_NONCE_BYTES], iv[BLOCK];

void new_secrets(void)
{
    random_bytes(key, sizeof key);
    random_bytes(text, sizeof text);
    random_bytes(aad, sizeof aad);
    random_bytes(nonce, sizeof nonce);
    random_bytes(iv, sizeof iv);
    mark_secret(key, sizeof key);
    mark_secret(text, sizeof text);
    mark_secret(aad, sizeof aad);
}

void check_same_text(size_t n_bytes)
{
    mark_public(text, n_bytes);
    mark_public(back, n_bytes);
    CHECK_BYTES(back, text, n_bytes);
}
