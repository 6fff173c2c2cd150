/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel of the C library as it is, one block a call. Its source is included, so
 * that the compiler drops its row in the list of kernels; what is for many blocks and for other
 * lengths of key stays. C_KERNEL is the kernel's name, KEY_TYPE that of its expanded key, MEMORY
 * the bytes of that before twofish_s.
 */
#include <manyfish/twofish.h>

#define TEXT_OF(x) #x
#define VALUE_OF(x) TEXT_OF(x)
/* clang-format off */
#define SOURCE_OF(kernel) TEXT_OF(twofish/kernels/kernel.c)
/* clang-format on */
#include SOURCE_OF(C_KERNEL)

/* The kernel's row, which is gone once the compiler has read the functions from it. */
#define ROW_OF(kernel) mf_twofish_##kernel
#define ROW(kernel) ROW_OF(kernel)

enum { K = KEY_BITS / 64 };

/* The user of the program reads and writes these. */
_Alignas(uint32_t) uint8_t twofish_text[16];
_Alignas(uint32_t) uint8_t twofish_key[8 * K];
uint32_t twofish_memory[sizeof(KEY_TYPE) / 4];

/* The last part of key memory has this name. Kernel `zero` keeps S there. */
__asm__(".global twofish_s\n.set twofish_s, twofish_memory + " VALUE_OF(MEMORY));

void twofish_set_key(void);
void twofish_encrypt(void);
void twofish_decrypt(void);

void twofish_set_key(void)
{
    ROW(C_KERNEL).set_key(twofish_memory, twofish_key, K);
}

void twofish_encrypt(void)
{
    ROW(C_KERNEL).common.encrypt_blocks(twofish_memory, twofish_text, twofish_text, 1);
}

void twofish_decrypt(void)
{
    ROW(C_KERNEL).common.decrypt_blocks(twofish_memory, twofish_text, twofish_text, 1);
}
