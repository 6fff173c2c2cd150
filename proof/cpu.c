/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs single instructions of x86-64 on the processor, for src/trust.rs. Reads requests from the
 * standard input and writes the state after each to the standard output. A first byte on the output
 * says whether the processor has AVX-512 with VBMI, a second one whether it has GFNI, and a third
 * one whether it has VPCLMULQDQ.
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MEMORY_BYTES = 128, MEMORY_AT = 0x10000000, CODE_BYTES = 15, PAGE = 4096 };

typedef struct state {
    uint64_t integers[16]; /* rsp is ignored */
    uint64_t flags;
    uint8_t memory[MEMORY_BYTES]; /* at MEMORY_AT */
    uint64_t masks[8];
    uint8_t vectors[32][64];
} state;

typedef struct request {
    uint8_t code[CODE_BYTES + 1]; /* the last one: how many */
    state before;
} request;

typedef void run_function(state *s, const void *code);

/* The first 8 integers are rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi. */
#define ALL_VECTORS(f)                                                                             \
    f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define HIGH_VECTORS(f)                                                                            \
    f(16) f(17) f(18) f(19) f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29) f(30) f(31)
#define ALL_MASKS(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7)

#define LOAD_ZMM(i) "vmovdqu64 328+64*" #i "(%rdi), %zmm" #i "\n"
#define STORE_ZMM(i) "vmovdqu64 %zmm" #i ", 328+64*" #i "(%rdi)\n"
#define LOAD_YMM(i) "vmovdqu 328+64*" #i "(%rdi), %ymm" #i "\n"
#define STORE_YMM(i) "vmovdqu %ymm" #i ", 328+64*" #i "(%rdi)\n"
#define LOAD_K(i) "kmovq 264+8*" #i "(%rdi), %k" #i "\n"
#define STORE_K(i) "kmovq %k" #i ", 264+8*" #i "(%rdi)\n"

_Static_assert(offsetof(state, flags) == 128 && offsetof(state, masks) == 264 &&
                   offsetof(state, vectors) == 328,
               "the offsets below");

#define FUNCTION(name, load, store)                                                                \
    __asm__(".globl " name "\n" name ":\n"                                                         \
            "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"                   \
            "push %rdi\nlea 1f(%rip), %rax\npush %rax\npush %rsi\n" load "pushq 128(%rdi)\n"       \
            "mov (%rdi), %rax\nmov 8(%rdi), %rcx\nmov 16(%rdi), %rdx\nmov 24(%rdi), %rbx\n"        \
            "mov 40(%rdi), %rbp\nmov 48(%rdi), %rsi\nmov 64(%rdi), %r8\nmov 72(%rdi), %r9\n"       \
            "mov 80(%rdi), %r10\nmov 88(%rdi), %r11\nmov 96(%rdi), %r12\nmov 104(%rdi), %r13\n"    \
            "mov 112(%rdi), %r14\nmov 120(%rdi), %r15\nmov 56(%rdi), %rdi\n"                       \
            "popfq\nret\n"                                                                         \
            "1: pushfq\npush %rdi\nmov 16(%rsp), %rdi\n"                                           \
            "mov %rax, (%rdi)\nmov %rcx, 8(%rdi)\nmov %rdx, 16(%rdi)\nmov %rbx, 24(%rdi)\n"        \
            "mov %rbp, 40(%rdi)\nmov %rsi, 48(%rdi)\nmov %r8, 64(%rdi)\nmov %r9, 72(%rdi)\n"       \
            "mov %r10, 80(%rdi)\nmov %r11, 88(%rdi)\nmov %r12, 96(%rdi)\nmov %r13, 104(%rdi)\n"    \
            "mov %r14, 112(%rdi)\nmov %r15, 120(%rdi)\n" store                                     \
            "pop %rax\nmov %rax, 56(%rdi)\npop %rax\nmov %rax, 128(%rdi)\n"                        \
            "pop %rdi\npop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\n"               \
            "vzeroupper\nret\n")

FUNCTION("run_512", ALL_VECTORS(LOAD_ZMM) HIGH_VECTORS(LOAD_ZMM) ALL_MASKS(LOAD_K),
         ALL_VECTORS(STORE_ZMM) HIGH_VECTORS(STORE_ZMM) ALL_MASKS(STORE_K));
FUNCTION("run_256", ALL_VECTORS(LOAD_YMM), ALL_VECTORS(STORE_YMM));
run_function run_512, run_256;

static uint8_t *map(uintptr_t at, int rights)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at != 0 ? MAP_FIXED : 0);
    void *p = mmap((void *)at, PAGE, rights, flags, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static int answer(run_function *run, uint8_t *code, uint8_t *memory, const request *r)
{
    state after = r->before;
    memcpy(code, r->code, r->code[CODE_BYTES]);
    code[r->code[CODE_BYTES]] = 0xC3; /* ret */
    memcpy(memory, r->before.memory, MEMORY_BYTES);
    run(&after, code);
    memcpy(after.memory, memory, MEMORY_BYTES);
    return fwrite(&after, sizeof after, 1, stdout) == 1 && fflush(stdout) == 0;
}

int main(void)
{
    uint8_t *code = map(0, PROT_READ | PROT_WRITE | PROT_EXEC);
    uint8_t *memory = map(MEMORY_AT, PROT_READ | PROT_WRITE);
    unsigned a, b = 0, c = 0, d;
    request r;

    if (code == NULL || memory == NULL) {
        fputs("cpu: no memory that can be written and run\n", stderr);
        return 1;
    }
    __get_cpuid_count(7, 0, &a, &b, &c, &d);
    const uint8_t has[3] = {(c & bit_AVX512VBMI) != 0 && (b & bit_AVX512VL) != 0,
                            (c & bit_GFNI) != 0, (c & bit_VPCLMULQDQ) != 0};
    if (fwrite(has, sizeof has, 1, stdout) != 1 || fflush(stdout) != 0) {
        return 1;
    }
    while (fread(&r, sizeof r, 1, stdin) == 1) {
        if (!answer(has[0] ? run_512 : run_256, code, memory, &r)) {
            return 1;
        }
    }
    return 0;
}
