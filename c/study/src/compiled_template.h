/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The border between the owner of a key's machine code (compiled.c) and the template that it
 * copies. The template is data here: it runs only as a copy.
 *
 * One file for each instruction set: compiled_template_x86_64.c, compiled_template_aarch64.c, and
 * compiled_template_none.c for all others. Each needs the calling convention that its system has,
 * and an assembler for ELF.
 */
#ifndef MF_STUDY_COMPILED_TEMPLATE_H
#define MF_STUDY_COMPILED_TEMPLATE_H

#include <stddef.h>
#include <stdint.h>

#include "twofish/schedule.h"

/* Which file is compiled. None under MemorySanitizer, which does not see what the code writes. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define MF_COMPILED_NONE 1
#endif
#endif
#if defined(MF_COMPILED_NONE)
/* as above */
#elif defined(__LP64__) && defined(__ELF__) && defined(__GNUC__) && defined(__x86_64__)
#define MF_COMPILED_X86_64 1
#elif defined(__LP64__) && defined(__ELF__) && defined(__GNUC__) && defined(__AARCH64EL__)
#define MF_COMPILED_AARCH64 1
#else
#define MF_COMPILED_NONE 1
#endif

#if defined(MF_COMPILED_NONE)
#define MF_COMPILED_HIDDEN
#else
#define MF_COMPILED_HIDDEN __attribute__((visibility("hidden")))
#endif

/* The copies of mf_twofish_code_encrypt and mf_twofish_code_decrypt. box:
 * the four tables of full keying, 256 words each; n_blocks at least 1; out equals in or is
 * disjoint. */
typedef void mf_twofish_code(const uint32_t *box, uint8_t *out, const uint8_t *in, size_t n_blocks);

extern MF_COMPILED_HIDDEN const uint8_t mf_twofish_code_start[];
extern MF_COMPILED_HIDDEN const uint8_t mf_twofish_code_encrypt[];
extern MF_COMPILED_HIDDEN const uint8_t mf_twofish_code_decrypt[];
extern MF_COMPILED_HIDDEN const uint8_t mf_twofish_code_end[];

/* A place of the template that makes a subkey; its file says how. */
typedef struct mf_code_site {
    uint16_t offset;
    uint16_t subkey;
} mf_code_site;

extern MF_COMPILED_HIDDEN const mf_code_site mf_twofish_code_sites[];
extern MF_COMPILED_HIDDEN const mf_code_site mf_twofish_code_sites_end[];

/* Bytes of the template; 0: this target has none, and none of the functions below is called. In C,
 * since a linker that optimises does not know what names a file has in assembly, and would not find
 * it in an archive. */
size_t mf_twofish_code_bytes(void);

/* Writes the subkeys into a copy. */
void mf_twofish_code_write(uint8_t *code, const uint32_t K[MF_TWOFISH_SUBKEYS]);

/* After writing: no cache of instructions keeps what was at `code` before, which is where it will
 * be executed; it may have been written through another address. */
void mf_twofish_code_publish(const uint8_t *code, size_t n_bytes);

/* After that: this thread executes what is there now, nothing that it decoded before. */
void mf_twofish_code_serialise(void);

#endif
