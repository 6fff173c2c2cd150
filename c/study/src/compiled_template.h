/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The border between the owner of a key's machine code (compiled.c) and the template that it copies
 * (compiled_template.c). The template is data here: it runs only as a copy.
 */
#ifndef MF_STUDY_COMPILED_TEMPLATE_H
#define MF_STUDY_COMPILED_TEMPLATE_H

#include <stddef.h>
#include <stdint.h>

/* Is there a template for this target? x86-64 with the calling convention of System V and 64-bit
 * pointers, and an assembler for ELF. Not for MemorySanitizer, which does not see what the code
 * writes. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define MF_COMPILED_TEMPLATE 0
#endif
#endif
#if defined(MF_COMPILED_TEMPLATE)
/* none, as above */
#elif defined(__x86_64__) && defined(__LP64__) && defined(__ELF__) && defined(__GNUC__)
#define MF_COMPILED_TEMPLATE 1
#else
#define MF_COMPILED_TEMPLATE 0
#endif

/* The copies of mf_twofish_code_encrypt and mf_twofish_code_decrypt. box:
 * the four tables of full keying, 256 words each; n_blocks at least 1; out equals in or is
 * disjoint. */
typedef void mf_twofish_code(const uint32_t *box, uint8_t *out, const uint8_t *in, size_t n_blocks);

/* Four bytes of the code, from `offset` on, are to be K_subkey. */
typedef struct mf_twofish_code_site {
    uint16_t offset;
    uint16_t subkey;
} mf_twofish_code_site;

#if MF_COMPILED_TEMPLATE
#define MF_HIDDEN __attribute__((visibility("hidden")))
extern MF_HIDDEN const uint8_t mf_twofish_code_start[];
extern MF_HIDDEN const uint8_t mf_twofish_code_encrypt[];
extern MF_HIDDEN const uint8_t mf_twofish_code_decrypt[];
extern MF_HIDDEN const uint8_t mf_twofish_code_end[];
extern MF_HIDDEN const mf_twofish_code_site mf_twofish_code_sites[];
extern MF_HIDDEN const mf_twofish_code_site mf_twofish_code_sites_end[];

/* Bytes from start to end. In C, since a linker that optimises does not know what names a file has
 * in assembly, and would not find it in an archive. */
size_t mf_twofish_code_bytes(void);

/* After the code was written at another address: this thread runs nothing that it decoded before.
 */
void mf_twofish_code_renew(void);
#endif

#endif
