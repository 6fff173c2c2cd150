/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The instructions that this machine has. Asked once; any number of threads may ask.
 */
#ifndef MF_SRC_COMMON_CPU_H
#define MF_SRC_COMMON_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* Features of the CPU, each only if the system saves its registers too. A new combination that a
 * kernel needs gets a row in mf_cpu_names. */
enum {
    MF_CPU_ANY = 0,
    MF_CPU_SSSE3 = 1 << 0,
    MF_CPU_AVX2 = 1 << 1,
    MF_CPU_GFNI = 1 << 2,
    MF_CPU_AVX512 = 1 << 3, /* F, BW, VL and VBMI */
    MF_CPU_PCLMUL = 1 << 4,
    MF_CPU_VPCLMUL = 1 << 5,
    MF_CPU_NEON = 1 << 6,
    MF_CPU_PMULL = 1 << 7,
    MF_CPU_SIMD128 = 1 << 8 /* of WebAssembly */
};

/* The words of CPUID that describe an x86 processor and its system; 0 for those they lack. */
typedef struct mf_cpu_x86 {
    uint32_t leaf_1_ecx;
    uint32_t leaf_7_ebx;
    uint32_t leaf_7_ecx;
    uint32_t xcr0; /* the registers that the system saves */
} mf_cpu_x86;

/* The features of such a machine. [IntelSDM, 1, 13.3] */
uint32_t mf_cpu_of_x86(const mf_cpu_x86 *x86);

/* True if this machine has all of these features. */
bool mf_cpu_has(uint32_t features);

/* Their names, separated by spaces; "" for none, NULL for a combination that no kernel needs.
 * Static storage. */
const char *mf_cpu_names(uint32_t features);

/* For tests: from now on only these features are seen, as far as the machine has them; ~0 gives all
 * back. Not while other threads use the library. */
void mf_cpu_mask(uint32_t features);

/* The value of an environment variable, or NULL if it is unset or if the program runs with more
 * rights than the user who set it; only Linux and macOS are asked for that. */
const char *mf_getenv(const char *name);

#endif
