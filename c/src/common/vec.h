/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Common to the vector types. Each vec_*.h is for one instruction set and supplies
 *
 *   VEC_BYTES             bytes of a register: 16, 32 or 64. A lane is 16 of them, a word 4
 *   VEC_FN, VEC_ENTRY     what functions on vectors are declared with: inlined ones, others
 *   vec                   the type of a register
 *   vec_load, vec_store   at any alignment
 *   VEC_RELOAD            a pointer p, before a loop's loads from it: tells the compiler not to
 *                         keep in the loop what it has loaded, where there are too few registers
 *                         for that
 *   vec_load_lanes        16 bytes from memory, in every lane
 *   vec_set32             a word, everywhere
 *   vec_set_mask          a word that is 0 or all ones, everywhere
 *   vec_xor, vec_xor3     of two, of three
 *   vec_and, vec_or, vec_not, vec_and_not   by bits; a without b
 *   vec_select            by bits: of the second where the first has ones, else of the third
 *   vec_ternary           any function of three bits
 *   vec_shr64, vec_shl64  by n bits within each 8 bytes; n is a constant
 *   vec_blocks_to_bytes   8 registers of blocks of 8 bytes become 8 of bytes: register i has all
 *                         bytes i, in the same order for each i
 *   vec_bytes_to_blocks   the reverse
 *   vec_exchange          of two registers, the upper half of each field of 2n bits of the first
 *                         and the lower half of that of the second; n, which divides 8, is a
 *                         constant, and a vector has ones in the lower halves
 *   vec_add32             of words
 *   vec_rotl32            of words, n bits to the left; n is a constant
 *   vec_shr32             words divided by 2^n; n is a constant
 *   vec_rotl32_third      the same for the third word of each lane, the others stay;
 *   vec_rotl32_fourth     for the fourth
 *   vec_shuffle           byte i of a lane becomes its byte pattern[i], or 0 where that is 0x80
 *   vec_join_halves       of each lane, the second half of the first and the first half of the
 *                         second
 *   vec_transpose_words   4 registers: word i of a lane of register j and word j of register i
 *                         change places
 *   vec_words_to_bytes    4 registers of words become 4 registers of bytes: register i has all
 *                         bytes i of the words, in the same order for each i
 *   vec_bytes_to_words    the reverse
 *   vec_words_to_bytes_turned
 *                         vec_words_to_bytes, after the words of r[2] and r[3] were rotated by 8
 *                         bits to the left
 *   vec_table             256 bytes to look up in, made by vec_table_make
 *   vec_lookup            each byte of x, looked up in one table
 *   vec_lookup_bytes      the same in 256 bytes as they stand, where that takes no preparation
 *   vec_lookup_places     each byte of x, looked up in the table of its position in the word, which
 *                         is in a vec_places, made by vec_places_all
 *   vec_lookup_words      each byte of x, looked up in the table of the position of its word in the
 *                         lane
 *   vec_lookup_two        two registers x, each looked up in one of two tables, and two registers y
 *   vec_load_blocks,      one block in every lane
 *   vec_store_blocks
 *   vec_load_some,        n blocks, each in a lane, the others 0; 0 is allowed, and touches no
 *                         memory
 *   vec_store_some
 *   vec_rotl32_each,      of words, each by the number of bits in the same word of another vector
 *   vec_shl32_each
 *   vec_load_pair         8 bytes from memory, everywhere
 *   vec_swap_words        the words of each 8 bytes change places
 *   vec_first_halves,     of each lane, the first half of a and then of b; the second halves
 *   vec_second_halves
 *   vec_xor_and           a, changed by b where a mask has ones
 *   vec_map               each byte of x through a linear map; a mf_byte_map
 *   vec_divide            each byte divided by x in GF(2^8), of which the modulus less x^8 is
 *                         given, a constant with its last bit set
 *   vec_low_nibbles,      bits 0 to 3 of each byte, bits 4 to 7 of each, as bytes below 16
 *   vec_high_nibbles
 *
 * A type may lack the functions of a layout (twofish/vector/round.h) that its kernels do not use.
 * Every lookup reads the whole table, so no address depends on x.
 */
#ifndef MF_SRC_COMMON_VEC_H
#define MF_SRC_COMMON_VEC_H

#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

/* Tests that emulate the instructions define these before. */
#ifndef VEC_FN
#if defined(VEC_TARGET)
#define VEC_FN static inline __attribute__((always_inline, target(VEC_TARGET)))
#define VEC_ENTRY static __attribute__((target(VEC_TARGET)))
#else /* what every machine of this kind has */
#define VEC_FN static inline __attribute__((always_inline))
#define VEC_ENTRY static
#endif
#endif

/* Hides from the optimiser where the register x comes from. */
#ifndef VEC_HIDE
#define VEC_HIDE(x) __asm__ volatile("" : "+x"(x))
#endif

/* Before a loop of four: registers have no index, so it must go. */
#if defined(__clang__)
#define VEC_UNROLL _Pragma("clang loop unroll(full)")
#define VEC_UNROLL_8 VEC_UNROLL
#define VEC_LOOP _Pragma("clang loop unroll(disable)") /* before one that shall stay a loop */
#else
#define VEC_UNROLL _Pragma("GCC unroll 4")
#define VEC_UNROLL_8 _Pragma("GCC unroll 8") /* the same for a loop of eight */
#endif

/* Before a loop over the registers of a word of the state. */
#ifndef VEC_EACH
#define VEC_EACH VEC_UNROLL
#endif

#endif
