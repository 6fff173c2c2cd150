/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The work of each kernel for a key and for a block, for a program that counts instructions: each
 * operation stands between a call of count_begin and one of count_end, by whose names
 * bench/processors.py finds them in the trace of an emulator. The functions of the kernels are
 * called as the front end calls them, without its checks and its wiping.
 *
 * Prints a line for each pair of calls, in their order: kernel, key bits, operation, number of
 * blocks. The first, "nothing", is what the calls themselves cost.
 */
#include <manyfish/study/tables.h>
#include <manyfish/twofish.h>

#include <stdio.h>
#include <stdlib.h>

#include "twofish/kernel.h"

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, MANY = 64 };

void count_begin(void);
void count_end(void);

static volatile int calls;

void count_begin(void)
{
    calls++;
}

void count_end(void)
{
    calls--;
}

/* Called through these, so that no compiler makes the functions part of their caller. */
static void (*volatile begin)(void) = count_begin;
static void (*volatile end)(void) = count_end;

static mf_twofish twofish;
static unsigned char text[MANY * BLOCK];

typedef void crypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                          size_t n_blocks);

static void count_crypt(const char *name, unsigned k, const char *operation, crypt_blocks *crypt,
                        size_t n_blocks)
{
    begin();
    crypt(twofish.expanded_key, text, text, n_blocks);
    end();
    printf("%s %u %s %zu\n", name, 64 * k, operation, n_blocks);
}

static void count_kernel(const mf_twofish_kernel *kernel, unsigned k)
{
    uint8_t key[MF_TWOFISH_MAX_KEY_BYTES];

    for (size_t i = 0; i < sizeof key; i++) {
        key[i] = (uint8_t)(17 * i);
    }
    begin();
    kernel->set_key(twofish.expanded_key, key, k);
    end();
    printf("%s %u set-up 0\n", kernel->common.name, 64 * k);
    count_crypt(kernel->common.name, k, "encrypt", kernel->common.encrypt_blocks, 1);
    count_crypt(kernel->common.name, k, "decrypt", kernel->common.decrypt_blocks, 1);
    count_crypt(kernel->common.name, k, "encrypt", kernel->common.encrypt_blocks, MANY);
    count_crypt(kernel->common.name, k, "decrypt", kernel->common.decrypt_blocks, MANY);
}

int main(void)
{
    if (mf_twofish_tables_build(MF_TWOFISH_TABLES_BIG, 1, NULL, NULL) != MF_OK) {
        return EXIT_FAILURE;
    }
    begin();
    end();
    printf("nothing 0 nothing 0\n");
    for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
        mf_kernel_info info;

        if (mf_twofish_kernel_info(i, &info) != MF_OK) {
            return EXIT_FAILURE;
        }
        /* The huge tables would take hours to build where each instruction is listed. */
        for (unsigned k = 2; info.runnable && k <= 4; k++) {
            count_kernel(mf_twofish_kernel_of(mf_twofish_kernels[i]), k);
        }
    }
    return EXIT_SUCCESS;
}
