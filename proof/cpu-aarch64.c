/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs single instructions of AArch64 on the processor or an emulator of it, for src/trust.rs.
 * Reads requests from the standard input and writes the state after each to the standard output.
 * First it writes the addresses of the instruction and of the memory.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

enum { MEMORY_BYTES = 512, PAGE = 4096 };

typedef struct state {
    uint64_t integers[32]; /* x0 to x30, sp */
    uint64_t next;         /* after: how far from the instruction the next one is, 4 or 8 */
    uint64_t flags;
    uint8_t vectors[32][16];
    uint8_t memory[MEMORY_BYTES];
} state;

typedef struct request {
    uint64_t code;
    state before;
} request;

_Static_assert(offsetof(state, next) == 256 && offsetof(state, flags) == 264 &&
                   offsetof(state, vectors) == 272 && offsetof(state, memory) % 16 == 0,
               "the offsets below");

__attribute__((aligned(16))) state current;
uint64_t saved[2]; /* sp, tpidr_el0 */

extern uint32_t page[], code[];
void run(void); /* the instruction at code, from the current state */

/* All but x0 and x1. */
#define INTEGERS(f)                                                                                \
    f(2, 3) f(4, 5) f(6, 7) f(8, 9) f(10, 11) f(12, 13) f(14, 15) f(16, 17) f(18, 19) f(20, 21)    \
        f(22, 23) f(24, 25) f(26, 27) f(28, 29)
#define VECTORS(f)                                                                                 \
    f(0, 1) f(2, 3) f(4, 5) f(6, 7) f(8, 9) f(10, 11) f(12, 13) f(14, 15) f(16, 17) f(18, 19)      \
        f(20, 21) f(22, 23) f(24, 25) f(26, 27) f(28, 29) f(30, 31)
/* Those that a function leaves as they were, on the stack. */
#define OWN(f)                                                                                     \
    f("x19", "x20", "0") f("x21", "x22", "16") f("x23", "x24", "32") f("x25", "x26", "48")         \
        f("x27", "x28", "64") f("x29", "x30", "80") f("d8", "d9", "96") f("d10", "d11", "112")     \
            f("d12", "d13", "128") f("d14", "d15", "144")

#define LOAD_PAIR(i, j) "ldp x" #i ", x" #j ", [x0, #8*" #i "]\n"
#define STORE_PAIR(i, j) "stp x" #i ", x" #j ", [x0, #8*" #i "]\n"
#define LOAD_VECTOR(i, j) "ldp q" #i ", q" #j ", [x0, #272+16*" #i "]\n"
#define STORE_VECTOR(i, j) "stp q" #i ", q" #j ", [x0, #272+16*" #i "]\n"
#define LOAD_SAVED(i, j, at) "ldp " i ", " j ", [sp, #" at "]\n"
#define STORE_SAVED(i, j, at) "stp " i ", " j ", [sp, #" at "]\n"

#define LOAD_INTEGERS INTEGERS(LOAD_PAIR)
#define STORE_INTEGERS INTEGERS(STORE_PAIR)
#define LOAD_VECTORS VECTORS(LOAD_VECTOR)
#define STORE_VECTORS VECTORS(STORE_VECTOR)
#define LOAD_OWN OWN(LOAD_SAVED) "add sp, sp, #160\n"
#define STORE_OWN "sub sp, sp, #160\n" OWN(STORE_SAVED)
#define AT_SAVED "adrp x0, saved\nadd x0, x0, :lo12:saved\n"
#define AT_CURRENT "adrp x0, current\nadd x0, x0, :lo12:current\n"

__asm__(
    ".text\n.globl run\nrun:\n" STORE_OWN AT_SAVED
    "mov x1, sp\nstr x1, [x0]\nmrs x1, tpidr_el0\nstr x1, [x0, #8]\n" AT_CURRENT
    "ldr x1, [x0, #248]\nmov sp, x1\nldr x1, [x0, #264]\nmsr nzcv, x1\n" LOAD_VECTORS LOAD_INTEGERS
    "ldr x30, [x0, #240]\nldp x0, x1, [x0]\nb code\n");

/* x0 waits in tpidr_el0, the only other register that a program may set. */
#define RETURN(name, next)                                                                         \
    __asm__(name ":\nmsr tpidr_el0, x0\n" AT_CURRENT "str x1, [x0, #8]\n" STORE_INTEGERS           \
                 "str x30, [x0, #240]\nmrs x1, tpidr_el0\nstr x1, [x0]\n"                          \
                 "mov x1, sp\nstr x1, [x0, #248]\nmov x1, #" next "\nstr x1, [x0, #256]\n"         \
                 "mrs x1, nzcv\nstr x1, [x0, #264]\n" STORE_VECTORS AT_SAVED                       \
                 "ldr x1, [x0]\nmov sp, x1\nldr x1, [x0, #8]\nmsr tpidr_el0, x1\n" LOAD_OWN        \
                 "ret\n")

RETURN("return_4", "4");
RETURN("return_8", "8");

/* In a page of its own, which can be written. */
__asm__(".balign 4096\n.globl page, code\npage:\n.skip 64\ncode:\nnop\nb return_4\nb return_8\n"
        ".balign 4096\n");

int main(void)
{
    const uint64_t places[2] = {(uintptr_t)code, (uintptr_t)current.memory};
    request r;

    if (mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        fputs("cpu-aarch64: no memory that can be written and run\n", stderr);
        return 1;
    }
    if (fwrite(places, sizeof places, 1, stdout) != 1 || fflush(stdout) != 0) {
        return 1;
    }
    while (fread(&r, sizeof r, 1, stdin) == 1) {
        code[0] = (uint32_t)r.code;
        __builtin___clear_cache((char *)code, (char *)(code + 1));
        current = r.before;
        run();
        if (fwrite(&current, sizeof current, 1, stdout) != 1 || fflush(stdout) != 0) {
            return 1;
        }
    }
    return 0;
}
