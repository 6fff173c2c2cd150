/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The template of compiled keying for AArch64, little-endian: Twofish with the subkeys as constants
 * in the instructions [Twofish98, 5.1.1]. It refers to no address, so a copy runs anywhere; it lies
 * among the constants, so it runs only as a copy.
 *
 * A subkey is made by MOVZ and MOVK, 16 bits each, which take no time of the loads that a block
 * waits for; mf_subkey notes the place of the two in mf_twofish_code_sites. T_0 takes both subkeys
 * while T_1 is on its way, and a shifted operand is 2 T_1. docs/decisions/compiled-keying.md has
 * the counts, beside loads of literals.
 *
 * Registers: w4 to w7 hold R_0 to R_3; x0 and x8 to x10: the four tables; x1: out; x2: in; x3:
 * blocks left. w11 to w17 belong to the round. It has no stack. Debuggers find no way out of a
 * copy: it has no unwind tables.
 */
#include "compiled_template.h"

#if defined(MF_COMPILED_AARCH64)

#include <string.h>

/* At a site the two instructions from `offset` on are to make K_subkey. */
/* clang-format off */
__asm__(
    /* K_k in the register w. */
    "    .macro mf_subkey w, k\n"
    "77: .pushsection .rodata.mf_twofish_code_sites,\"a\",%progbits\n"
    "    .short  77b - mf_twofish_code_start, \\k\n"
    "    .popsection\n"
    "    movz    \\w, #0\n"
    "    movk    \\w, #0, lsl #16\n"
    "    .endm\n"

    /* T_0 and T_1 of the words a, b, with K_k and K_(k+1): F_0 comes to be in w14, F_1 in w13. The
     * bytes of b go to the tables in another order: that is its rotation by 8 bits. */
    "    .macro mf_f k, a, b\n"
    "    and     w11, \\a, #255\n"
    "    ubfx    w12, \\a, #8, #8\n"
    "    lsr     w15, \\b, #24\n"
    "    and     w16, \\b, #255\n"
    "    ubfx    w13, \\a, #16, #8\n"
    "    lsr     w14, \\a, #24\n"
    "    ubfx    w17, \\b, #8, #8\n"
    "    ldr     w11, [x0, x11, lsl #2]\n"
    "    ldr     w12, [x8, x12, lsl #2]\n"
    "    ldr     w15, [x0, x15, lsl #2]\n"
    "    ldr     w16, [x8, x16, lsl #2]\n"
    "    ldr     w13, [x9, x13, lsl #2]\n"
    "    ldr     w14, [x10, x14, lsl #2]\n"
    "    ldr     w17, [x9, x17, lsl #2]\n"
    "    eor     w11, w11, w12\n"
    "    ubfx    w12, \\b, #16, #8\n"
    "    ldr     w12, [x10, x12, lsl #2]\n"
    "    eor     w13, w13, w14\n"
    "    mf_subkey w14, \\k\n"
    "    eor     w11, w11, w13\n"
    "    mf_subkey w13, \\k+1\n"
    "    eor     w15, w15, w16\n"
    "    add     w14, w14, w11\n"
    "    add     w13, w13, w11\n"
    "    eor     w17, w17, w12\n"
    "    eor     w15, w15, w17\n"
    "    add     w14, w14, w15\n"
    "    add     w13, w13, w15, lsl #1\n"
    "    .endm\n"

    /* A round on the words a, b, c, d. `ror #31` rotates left by 1. */
    "    .macro mf_encrypt k, a, b, c, d\n"
    "    mf_f    \\k, \\a, \\b\n"
    "    eor     \\c, \\c, w14\n"
    "    ror     \\c, \\c, #1\n"
    "    eor     \\d, w13, \\d, ror #31\n"
    "    .endm\n"

    /* Back. */
    "    .macro mf_decrypt k, a, b, c, d\n"
    "    mf_f    \\k, \\a, \\b\n"
    "    eor     \\d, \\d, w13\n"
    "    ror     \\d, \\d, #1\n"
    "    eor     \\c, w14, \\c, ror #31\n"
    "    .endm\n"

    "    .macro mf_whiten k, a, b, c, d\n"
    "    mf_subkey w11, \\k\n"
    "    mf_subkey w12, \\k+1\n"
    "    mf_subkey w13, \\k+2\n"
    "    mf_subkey w14, \\k+3\n"
    "    eor     \\a, \\a, w11\n"
    "    eor     \\b, \\b, w12\n"
    "    eor     \\c, \\c, w13\n"
    "    eor     \\d, \\d, w14\n"
    "    .endm\n"

    /* The subkeys k of the input whitening up to the loop over blocks, and back. The first
     * instruction is `bti c`, by a name that all assemblers know. */
    "    .macro mf_begin k\n"
    "    hint    #34\n"
    "    add     x8, x0, #1024\n"
    "    add     x9, x0, #2048\n"
    "    add     x10, x0, #3072\n"
    "1:  ldp     w4, w5, [x2]\n"
    "    ldp     w6, w7, [x2, #8]\n"
    "    add     x2, x2, #16\n"
    "    mf_whiten \\k, w4, w5, w6, w7\n"
    "    .endm\n"
    "    .macro mf_end k\n"
    "    mf_whiten \\k, w6, w7, w4, w5\n"
    "    stp     w6, w7, [x1]\n"
    "    stp     w4, w5, [x1, #8]\n"
    "    add     x1, x1, #16\n"
    "    subs    x3, x3, #1\n"
    "    b.ne    1b\n"
    "    ret\n"
    "    .endm\n"

    "    .macro mf_symbol name\n"
    "    .globl  \\name\n"
    "    .hidden \\name\n"
    "\\name:\n"
    "    .endm\n"

    "    .pushsection .rodata.mf_twofish_code_sites,\"a\",%progbits\n"
    "    .balign 4\n"
    "    mf_symbol  mf_twofish_code_sites\n"
    "    .popsection\n"

    "    .pushsection .rodata.mf_twofish_code,\"a\",%progbits\n"
    "    .balign 64\n"
    "    mf_symbol  mf_twofish_code_start\n"
    "    mf_symbol  mf_twofish_code_encrypt\n"
    "    mf_begin   0\n"
    ".irp k, 8, 12, 16, 20, 24, 28, 32, 36\n"
    "    mf_encrypt \\k, w4, w5, w6, w7\n"
    "    mf_encrypt \\k+2, w6, w7, w4, w5\n"
    ".endr\n"
    "    mf_end     4\n"
    "    .balign 64\n"
    "    mf_symbol  mf_twofish_code_decrypt\n"
    "    mf_begin   4\n"
    ".irp k, 36, 32, 28, 24, 20, 16, 12, 8\n"
    "    mf_decrypt \\k+2, w4, w5, w6, w7\n"
    "    mf_decrypt \\k, w6, w7, w4, w5\n"
    ".endr\n"
    "    mf_end     0\n"
    "    mf_symbol  mf_twofish_code_end\n"
    "    .popsection\n"

    "    .pushsection .rodata.mf_twofish_code_sites,\"a\",%progbits\n"
    "    mf_symbol  mf_twofish_code_sites_end\n"
    "    .popsection\n");
/* clang-format on */

size_t mf_twofish_code_bytes(void)
{
    return (size_t)(mf_twofish_code_end - mf_twofish_code_start);
}

/* MOVZ or MOVK with another constant, which has 16 bits. */
static void put(uint8_t *instruction, uint32_t constant)
{
    const unsigned at = 5;
    uint32_t word;

    memcpy(&word, instruction, sizeof word);
    word = (word & ~(UINT32_C(0xFFFF) << at)) | constant << at;
    memcpy(instruction, &word, sizeof word);
}

void mf_twofish_code_write(uint8_t *code, const uint32_t K[MF_TWOFISH_SUBKEYS])
{
    for (const mf_code_site *s = mf_twofish_code_sites; s != mf_twofish_code_sites_end; s++) {
        put(code + s->offset, K[s->subkey] & 0xFFFF);
        put(code + s->offset + 4, K[s->subkey] >> 16);
    }
}

/* These processors have caches of instructions that see no write; a builtin of the compiler knows
 * their lines. It takes addresses that may be written, and only reads there. */
void mf_twofish_code_publish(const uint8_t *code, size_t n_bytes)
{
    char *start = (char *)(uintptr_t)code;
    __builtin___clear_cache(start, start + n_bytes);
}

void mf_twofish_code_serialise(void)
{
    __asm__ volatile("isb" : : : "memory");
}

#endif
