/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the vector types have in common. Each vec_*.h is for one instruction set and supplies
 *
 *   VEC_BYTES             bytes of a register: 16, 32 or 64. A lane is 16 of them, a word 4
 *   VEC_FN, VEC_ENTRY     what functions on vectors are declared with: inlined ones, others
 *   vec                   the type of a register
 *   vec_load, vec_store   at any alignment
 *   VEC_RELOAD            a pointer p, before a loop's loads from it: tells the compiler not to keep in
 *                         the loop what it has loaded, where there are too few registers for that
 *   vec_load_lanes        16 bytes from memory, in every lane
 *   vec_set32             a word, everywhere
 *   vec_xor, vec_xor3     of two, of three
 *   vec_add32             of words
 *   vec_rotl32            of words, n bits to the left; n is a constant
 *   vec_rotl32_third      the same for the third word of each lane, the others stay;
 *   vec_rotl32_fourth     for the fourth
 *   vec_shuffle           byte i of a lane becomes its byte pattern[i], or 0 where that is 0x80
 *   vec_join_halves       of each lane, the second half of the first and the first half of the second
 *   vec_transpose_words   4 registers: word i of a lane of register j and word j of register i
 *                         change places
 *   vec_words_to_bytes    4 registers of words become 4 registers of bytes: register i has all bytes
 *                         i of the words, in the same order for each i
 *   vec_bytes_to_words    the reverse
 *   vec_table             256 bytes to look up in, made by vec_table_make
 *   vec_lookup_2          each byte of a and b, looked up in one table
 *   vec_lookup_4          each byte of x, looked up in the table of its position in the word
 *   VEC_LANES_BLOCKS      blocks in a register with one block in a lane: as many as there are lanes,
 *                         or fewer, if vec_lookup_4 wants copies of them in several lanes
 *   vec_load_blocks,      as many blocks
 *   vec_store_blocks
 *   vec_map               each byte of x through a linear map; a mf_byte_map
 *
 * Every lookup reads the whole table, so no address depends on x.
 */
#ifndef MF_SRC_COMMON_VEC_H
#define MF_SRC_COMMON_VEC_H

#include <stddef.h>
#include <stdint.h>

#include "byte_map.h"

#define VEC_FN static inline __attribute__((always_inline, target(VEC_TARGET)))
#define VEC_ENTRY static __attribute__((target(VEC_TARGET)))

/* Before a loop of four: registers have no index, so it must go. */
#if defined(__clang__)
#define VEC_UNROLL _Pragma("clang loop unroll(full)")
#else
#define VEC_UNROLL _Pragma("GCC unroll 4")
#endif

#endif
