/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The template of compiled keying for x86-64: Twofish with the subkeys as constants in the
 * instructions [Twofish98, 5.1.1]. It refers to no address, so a copy runs anywhere; it lies among
 * the constants, so it runs only as a copy.
 *
 * A subkey is the last four bytes of its instruction. After each stands mf_subkey, which notes its
 * place in mf_twofish_code_sites; the number here only makes the assembler leave all four bytes.
 *
 * LEA adds T_0, T_1 or 2 T_1, and a constant: PHT and key addition are one instruction a word.
 *
 * A block waits for the lookups of a round, then for those of the next, and little else can be done
 * meanwhile, so the order of instructions counts. Those below were searched: the quickest of about
 * 1,500 on a Zen 4, among those that llvm-mca thinks best for Sapphire Rapids (15.0 cycles a round;
 * what gcc makes of `full` has 17.0, by clang 20.0). The first that came to mind took 20 cycles a
 * block more. Each g is two lookups XORed, twice, then both: a chain of four would be longer.
 *
 * Registers: eax, ebx, ecx, edx hold R_0 to R_3, since these have names for their second byte. rdi:
 * the tables; r9: out; r10: in; on the stack: blocks left. All others belong to the round. Nothing
 * secret goes to the stack. Debuggers find no way out of a copy: it has no unwind tables.
 */
#include "compiled_template.h"

#if defined(MF_COMPILED_X86_64)

#include <string.h>

/* At a site four bytes of the code, from `offset` on, are to be K_subkey. */
/* clang-format off */
__asm__(
    ".macro mf_subkey k\n"
    "77: .pushsection .rodata.mf_twofish_code_sites,\"a\",@progbits\n"
    "    .short  77b - mf_twofish_code_start - 4, \\k\n"
    "    .popsection\n"
    ".endm\n"

    /* A round on the words a, b, c, d, with K_k and K_(k+1). T_0 comes to be in r11d, T_1 in r13d.
     * The bytes of b go to the tables in another order: that is its rotation by 8 bits. `roll $31`
     * rotates right by 1. */
    ".macro mf_encrypt k, a, b, c, d\n"
    "    movl    %e\\b\\()x, %r15d\n"
    "    shrl    $24, %r15d\n"
    "    movl    %e\\a\\()x, %r8d\n"
    "    shrl    $16, %r8d\n"
    "    movl    %e\\a\\()x, %r12d\n"
    "    shrl    $24, %r12d\n"
    "    movzbl  %\\a\\()l, %r11d\n"
    "    movzbl  %\\a\\()h, %esi\n"
    "    roll    $1, %e\\d\\()x\n"
    "    movl    (%rdi,%r11,4), %r11d\n"
    "    movl    1024(%rdi,%rsi,4), %esi\n"
    "    movzbl  %\\b\\()l, %r13d\n"
    "    movzbl  %\\b\\()h, %ebp\n"
    "    movl    %e\\b\\()x, %r14d\n"
    "    shrl    $16, %r14d\n"
    "    movzbl  %r8b, %r8d\n"
    "    xorl    3072(%rdi,%r12,4), %r11d\n"
    "    xorl    2048(%rdi,%r8,4), %esi\n"
    "    movl    1024(%rdi,%r13,4), %r13d\n"
    "    movzbl  %r14b, %r14d\n"
    "    movl    2048(%rdi,%rbp,4), %ebp\n"
    "    xorl    3072(%rdi,%r14,4), %ebp\n"
    "    xorl    %esi, %r11d\n"
    "    xorl    (%rdi,%r15,4), %r13d\n"
    "    xorl    %ebp, %r13d\n"
    "    leal    0x55555555(%r11,%r13), %r12d\n"
    "    mf_subkey \\k\n"
    "    leal    0x55555555(%r11,%r13,2), %r15d\n"
    "    mf_subkey \\k+1\n"
    "    xorl    %r15d, %e\\d\\()x\n"
    "    xorl    %r12d, %e\\c\\()x\n"
    "    roll    $31, %e\\c\\()x\n"
    ".endm\n"

    /* Back. T_0 is in r13d, T_1 in r11d. */
    ".macro mf_decrypt k, a, b, c, d\n"
    "    movzbl  %\\a\\()h, %ebp\n"
    "    roll    $1, %e\\c\\()x\n"
    "    movl    %e\\a\\()x, %r14d\n"
    "    shrl    $16, %r14d\n"
    "    movl    %e\\b\\()x, %r12d\n"
    "    shrl    $24, %r12d\n"
    "    movl    %e\\a\\()x, %r15d\n"
    "    shrl    $24, %r15d\n"
    "    movzbl  %\\a\\()l, %r13d\n"
    "    movzbl  %\\b\\()l, %r11d\n"
    "    movl    1024(%rdi,%rbp,4), %ebp\n"
    "    movl    %e\\b\\()x, %r8d\n"
    "    shrl    $16, %r8d\n"
    "    movzbl  %r8b, %r8d\n"
    "    movl    1024(%rdi,%r11,4), %r11d\n"
    "    movzbl  %\\b\\()h, %esi\n"
    "    xorl    (%rdi,%r12,4), %r11d\n"
    "    movl    (%rdi,%r13,4), %r13d\n"
    "    movzbl  %r14b, %r14d\n"
    "    xorl    2048(%rdi,%r14,4), %ebp\n"
    "    xorl    3072(%rdi,%r15,4), %r13d\n"
    "    xorl    %ebp, %r13d\n"
    "    movl    2048(%rdi,%rsi,4), %esi\n"
    "    xorl    3072(%rdi,%r8,4), %esi\n"
    "    xorl    %esi, %r11d\n"
    "    leal    0x55555555(%r13,%r11), %r15d\n"
    "    mf_subkey \\k\n"
    "    leal    0x55555555(%r13,%r11,2), %r12d\n"
    "    mf_subkey \\k+1\n"
    "    xorl    %r15d, %e\\c\\()x\n"
    "    xorl    %r12d, %e\\d\\()x\n"
    "    roll    $31, %e\\d\\()x\n"
    ".endm\n"

    ".macro mf_whiten k, a, b, c, d\n"
    "    xorl    $0x55555555, %e\\a\\()x\n"
    "    mf_subkey  \\k\n"
    "    xorl    $0x55555555, %e\\b\\()x\n"
    "    mf_subkey  \\k+1\n"
    "    xorl    $0x55555555, %e\\c\\()x\n"
    "    mf_subkey  \\k+2\n"
    "    xorl    $0x55555555, %e\\d\\()x\n"
    "    mf_subkey  \\k+3\n"
    ".endm\n"

    /* The subkeys k of the input whitening up to the loop over blocks, and back. */
    ".macro mf_begin k\n"
    "    endbr64\n"
    "    pushq   %rbx\n"
    "    pushq   %rbp\n"
    "    pushq   %r12\n"
    "    pushq   %r13\n"
    "    pushq   %r14\n"
    "    pushq   %r15\n"
    "    pushq   %rcx\n"
    "    movq    %rsi, %r9\n"
    "    movq    %rdx, %r10\n"
    "1:  movl    (%r10), %eax\n"
    "    movl    4(%r10), %ebx\n"
    "    movl    8(%r10), %ecx\n"
    "    movl    12(%r10), %edx\n"
    "    addq    $16, %r10\n"
    "    mf_whiten  \\k, a, b, c, d\n"
    ".endm\n"
    ".macro mf_end k\n"
    "    mf_whiten  \\k, c, d, a, b\n"
    "    movl    %ecx, (%r9)\n"
    "    movl    %edx, 4(%r9)\n"
    "    movl    %eax, 8(%r9)\n"
    "    movl    %ebx, 12(%r9)\n"
    "    addq    $16, %r9\n"
    "    decq    (%rsp)\n"
    "    jnz     1b\n"
    "    popq    %rcx\n"
    "    popq    %r15\n"
    "    popq    %r14\n"
    "    popq    %r13\n"
    "    popq    %r12\n"
    "    popq    %rbp\n"
    "    popq    %rbx\n"
    "    ret\n"
    ".endm\n"

    ".macro mf_symbol name\n"
    "    .globl  \\name\n"
    "    .hidden \\name\n"
    "\\name:\n"
    ".endm\n"

    "    .pushsection .rodata.mf_twofish_code_sites,\"a\",@progbits\n"
    "    .balign 4\n"
    "    mf_symbol  mf_twofish_code_sites\n"
    "    .popsection\n"

    "    .pushsection .rodata.mf_twofish_code,\"a\",@progbits\n"
    "    .balign 64\n"
    "    mf_symbol  mf_twofish_code_start\n"
    "    mf_symbol  mf_twofish_code_encrypt\n"
    "    mf_begin   0\n"
    ".irp k, 8, 12, 16, 20, 24, 28, 32, 36\n"
    "    mf_encrypt \\k, a, b, c, d\n"
    "    mf_encrypt \\k+2, c, d, a, b\n"
    ".endr\n"
    "    mf_end     4\n"
    "    .balign 64\n"
    "    mf_symbol  mf_twofish_code_decrypt\n"
    "    mf_begin   4\n"
    ".irp k, 36, 32, 28, 24, 20, 16, 12, 8\n"
    "    mf_decrypt \\k+2, a, b, c, d\n"
    "    mf_decrypt \\k, c, d, a, b\n"
    ".endr\n"
    "    mf_end     0\n"
    "    mf_symbol  mf_twofish_code_end\n"
    "    .popsection\n"

    "    .pushsection .rodata.mf_twofish_code_sites,\"a\",@progbits\n"
    "    mf_symbol  mf_twofish_code_sites_end\n"
    "    .popsection\n");
/* clang-format on */

size_t mf_twofish_code_bytes(void)
{
    return (size_t)(mf_twofish_code_end - mf_twofish_code_start);
}

/* No register keeps a subkey: a function that is called next may save one, to align its stack. */
static void forget_registers(void)
{
    __asm__ volatile("xorl    %%eax, %%eax\n\t"
                     "xorl    %%ecx, %%ecx\n\t"
                     "xorl    %%edx, %%edx\n\t"
                     "xorl    %%esi, %%esi\n\t"
                     "xorl    %%edi, %%edi\n\t"
                     "xorl    %%r8d, %%r8d\n\t"
                     "xorl    %%r9d, %%r9d\n\t"
                     "xorl    %%r10d, %%r10d\n\t"
                     "xorl    %%r11d, %%r11d"
                     :
                     :
                     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
}

void mf_twofish_code_write(uint8_t *code, const uint32_t K[MF_TWOFISH_SUBKEYS])
{
    for (const mf_code_site *s = mf_twofish_code_sites; s != mf_twofish_code_sites_end; s++) {
        memcpy(code + s->offset, &K[s->subkey], sizeof K[0]);
    }
    forget_registers();
}

/* The caches of these processors see what is written. */
void mf_twofish_code_publish(const uint8_t *code, size_t n_bytes)
{
    (void)code;
    (void)n_bytes;
}

/* IRET to the next instruction: of those that serialise [IntelSDM, 3, 9.3], the one that all of
 * these processors have and no virtual machine intercepts. With a shadow stack it would need a
 * return address there, so CPUID serialises then. The stack below the red zone is free. */
void mf_twofish_code_serialise(void)
{
    uint64_t a = 0;
    uint64_t b;
    __asm__ volatile("rdsspq  %0\n\t"
                     "testq   %0, %0\n\t"
                     "jnz     1f\n\t"
                     "movq    %%rsp, %0\n\t"
                     "leaq    -128(%%rsp), %%rsp\n\t"
                     "movl    %%ss, %k1\n\t"
                     "pushq   %1\n\t"
                     "pushq   %0\n\t"
                     "pushfq\n\t"
                     "movl    %%cs, %k1\n\t"
                     "pushq   %1\n\t"
                     "leaq    2f(%%rip), %1\n\t"
                     "pushq   %1\n\t"
                     "iretq\n"
                     "1:\n\t"
                     "xorl    %%eax, %%eax\n\t"
                     "cpuid\n"
                     "2:"
                     : "+a"(a), "=b"(b)
                     :
                     : "rcx", "rdx", "cc", "memory");
}

#endif
