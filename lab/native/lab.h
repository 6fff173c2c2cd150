/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of the lab: what its experiments compute that is too slow in Python. Each file beside
 * this one has the functions of one heading below, over the public headers of the library only.
 *
 * Conventions
 * - Names begin with lab_. Sizes are counts of elements, unless the name ends in _bytes.
 * - Arrays are contiguous, aligned as their type, and belong to the caller; outputs overlap
 *   nothing.
 * - Numbers of boxes, keys, positions and seeds come from tasks that Python has checked. A function
 *   that can fail returns an mf_status, and its outputs are then not to be used; the others return
 *   void.
 * - Equal arguments give equal results on every machine, of either byte order, with and without
 *   vectors.
 * - A call works on one thread, keeps nothing for the next one and takes less than ten seconds.
 *   Python lets other threads run meanwhile.
 * - Nothing here protects anything: tables are looked up at addresses that depend on keys.
 */
#ifndef LAB_H
#define LAB_H

#include <manyfish/common.h>

#include <stddef.h>
#include <stdint.h>

/* --- about.c: what the results of a run name -------------------------------------------------- */

/* A hash of the files of this folder as 64 hexadecimal digits. Static storage. */
MF_API const char *lab_sources(void);

/* --- streams.c: output of Twofish under many keys --------------------------------------------- */

/* Encrypts n_keys * blocks_per_key blocks of 16 bytes, blocks_per_key under each key in turn.
 *   out, in      the blocks of the first key, of the second, ..
 *   keys         n_keys * key_bytes bytes
 *   key_bytes    16, 24 or 32
 *   family_keys  one of 32 bytes for each key; NULL: none
 *   rounds       1 to 124; Twofish has 16
 * Errors are those of mf_twofish_variant_init. */
MF_API mf_status lab_encrypt(uint8_t *out, const uint8_t *in, size_t blocks_per_key,
                             const uint8_t *keys, size_t key_bytes, const uint8_t *family_keys,
                             size_t n_keys, unsigned rounds);

/* Encrypts a block of 16 bytes, then what this gave, and so on: CBC of zero blocks.
 *   out    n_blocks blocks
 *   first  the block that goes in first
 * key, key_bytes, rounds and errors as above. */
MF_API mf_status lab_chain(uint8_t *out, size_t n_blocks, const uint8_t *first, const uint8_t *key,
                           size_t key_bytes, unsigned rounds);

/* --- columns.c: what one column of h can give to the subkeys ---------------------------------- */

/* Byte j of h before the matrix, for each value of the two bytes of a list that reach it.
 *   out  2 * 4 * 65536 * 20 bytes: out[e][j][l0 + 256 * l1][i] for input 2i + e in each byte, where
 *        l0 and l1 are byte j of L[0] and of L[1]; e is 0 for A_i and 1 for B_i [Twofish98,
 *        4.3.4] */
MF_API mf_status lab_column_sequences(uint8_t *out);

/* --- sbox_*.c: figures of S-boxes of 8 by 8 bits [Twofish98, 7.2] ----------------------------- */

/* The boxes t_0(key_0 ^ t_1(key_1 ^ ... t_k(x))) of n keys, one after the other, 256 bytes each.
 * tables: t_0..t_k, of 256 bytes; key_i: bits 8i..8i+7 of a key, which has no bits above 8k; k:
 * 0..4. Keys that have their high bytes in common with the key before them are cheaper. */
MF_API void lab_sbox_make(uint8_t *boxes, const uint32_t *keys, size_t n, const uint8_t *tables,
                          unsigned k);

/* dp[i]: of box i, the largest number of x with s(x) ^ s(x ^ d) = e, over all d other than 0 and
 * all e; 2..256. Needs no permutation. */
MF_API void lab_sbox_dp(uint16_t *dp, const uint8_t *boxes, size_t n);

/* Adds to counts[c] how many of the boxes outer(key ^ inner(x)) have the figure c, for n inner
 * boxes of 256 bytes and all 256 keys each. */
MF_API void lab_sbox_dp_of(uint64_t counts[257], const uint8_t *inner, size_t n,
                           const uint8_t *outer);

/* lp[i]: the largest |sum over x of (-1)^(a.x + b.s(x))|, over all a and all b other than 0;
 * 16..256. Needs no permutation. */
MF_API void lab_sbox_lp(uint16_t *lp, const uint8_t *boxes, size_t n);

/* figures[3 i ..]: of box i, which is a permutation, the number of fixed points, that of cycles
 * (fixed points among them) and the length of the longest. Adds to lengths[l] how many cycles of
 * length l the boxes have together. */
MF_API void lab_sbox_cycles(uint16_t *figures, uint64_t lengths[257], const uint8_t *boxes,
                            size_t n);

/* Adds to ranks[r] how many of the boxes outer(key ^ inner(x)) have 2^(8 - r) - 1 sums of output
 * bits without a monomial of degree 7, for n inner boxes of 256 bytes and all 256 keys each. Of
 * permutations these sums have a degree below 7; others may have the degree 8. */
MF_API void lab_sbox_ranks(uint64_t ranks[9], const uint8_t *inner, size_t n, const uint8_t *outer);

/* immune[i]: of box i, the least degree of a polynomial of the input bits, other than 0, that is 0
 * wherever some sum of output bits is 1, or wherever it is 0; 1..4. For permutations. */
MF_API void lab_sbox_immunity(uint16_t *immune, const uint8_t *boxes, size_t n);

/* equations[i]: of box i, how many independent polynomials of degree 2 or less in the bits of x and
 * of s(x) are 0 for all x. Needs no permutation. */
MF_API void lab_sbox_quadratic(uint16_t *equations, const uint8_t *boxes, size_t n);

/* --- key_collisions.c: key bytes of a column of h that cannot be told apart [Twofish99, 8.1.2] */

/* Counts the pairs of different inner key bytes of one column of h of which the first n outputs can
 * be made equal by a choice of the outer key bytes, that is, differ from each other by one constant
 * before the outer key byte. A value of the inner key bytes is l_1 + 2^8 l_2 + 2^16 l_3, as far as
 * k has them.
 *   pairs      n_outputs + 1 numbers; pairs[n] gets how many pairs agree in the first n outputs at
 *              least; pairs[0] is 0, and every two values agree in one output
 *   found      2 * capacity numbers: the first values of pairs that agree in at least wanted
 *              outputs
 *   n_found    how many such pairs there are, which may be more than capacity
 *   wanted     at least 4
 *   t          k tables of 256 bytes, t_1 to t_k of the column; t_0 is a permutation and changes
 *              nothing
 *   k          2, 3 or 4
 *   x          n_outputs bytes, 4 to 32: the inputs
 * It takes up to 140 MB of memory, and a second for k = 4; both grow if t has an extreme number of
 * pairs. MF_ERROR_KEY_LENGTH (k), MF_ERROR_LENGTH (n_outputs or wanted), MF_ERROR_MEMORY. */
MF_API mf_status lab_key_collisions(uint64_t *pairs, uint32_t *found, size_t *n_found,
                                    size_t capacity, size_t wanted, const uint8_t *t, unsigned k,
                                    const uint8_t *x, size_t n_outputs);

/* --- bit_sequences.c: S-boxes that give equal sequences of one output bit [Twofish99, 8.3] ---- */

/* Counts the S-boxes of one column of which one bit of the output is the same function of the input
 * as that of another S-box, or its complement, in the first 65 + part_bits inputs. A part is what
 * has one pattern of the first differences, so equal sequences are in the same part.
 *   n_boxes    gets how many S-boxes, of the 2^8k, are in this part
 *   n_repeats  gets n_boxes less the number of different sequences: 0 if all differ
 *   b          256 bytes, 0 or 1: the bit for each value that stands before t_0
 *   t          k tables of 256 bytes, t_1 to t_k of the column
 *   k          2, 3 or 4
 *   part       below 2^part_bits: bit i is the difference of the bits for the inputs 0 and i + 1
 *   part_bits  0 to 8, and at least 8 for k = 4
 * It takes up to 560 MB of memory and some seconds.
 * MF_ERROR_KEY_LENGTH (k), MF_ERROR_LENGTH (part or part_bits), MF_ERROR_CAPACITY (a part is far
 * above the average), MF_ERROR_MEMORY. */
MF_API mf_status lab_bit_sequences(uint64_t *n_boxes, uint64_t *n_repeats, const uint8_t *b,
                                   const uint8_t *t, unsigned k, unsigned part, unsigned part_bits);

/* --- avalanche.c: what changes with one bit of the input -------------------------------------- */

enum { LAB_AVALANCHE_MAX_BLOCKS = 16 }; /* of one key, where bits of the key change */

/* Encrypts blocks under keys, and again with each bit of the block or of the key changed, by
 * Twofish with 1 to 124 rounds and with or without whitening (whitening is 0 or 1). Bit n of bytes
 * is bit n % 8 of byte n / 8.
 *   counts    [input bits][128]: how often the output bit changed with the input bit is added to
 *             them; 128 input bits, or 8 * key_bytes
 *   weights   [129]: at n: how often n output bits changed is added to it
 *   changed   [n_keys]: how many output bits changed under the key, over all blocks and input bits
 *   keys      n_keys keys of key_bytes bytes, which are 16, 24 or 32
 *   blocks    n_blocks blocks of 16 bytes for each key
 * MF_ERROR_KEY_LENGTH, MF_ERROR_ROUNDS, MF_ERROR_LENGTH (too many blocks for a change of keys). */
MF_API mf_status lab_avalanche_of_blocks(uint32_t *counts, uint64_t *weights, uint64_t *changed,
                                         unsigned rounds, unsigned whitening, const uint8_t *keys,
                                         size_t key_bytes, size_t n_keys, const uint8_t *blocks,
                                         size_t n_blocks);
MF_API mf_status lab_avalanche_of_keys(uint32_t *counts, uint64_t *weights, uint64_t *changed,
                                       unsigned rounds, unsigned whitening, const uint8_t *keys,
                                       size_t key_bytes, size_t n_keys, const uint8_t *blocks,
                                       size_t n_blocks);

/* --- saturation.c: a saturated word through reduced rounds ------------------------------------ */

/* Encrypts n plaintexts, without whitening, whose word R2 is first, first + 1, .. modulo 2^32 and
 * whose other bytes are those of text, and counts those in which a bit of F's outputs in the last
 * round but one is set, up to a constant of all plaintexts.
 *   found  bit 0 of F0, bit 1 of F0, bit 0 of F1, bit 1 of F1
 *   key    16 bytes
 *   text   16 bytes; 8 to 11 are not read
 *   n      at most 2^26 in ten seconds */
MF_API mf_status lab_saturation(uint64_t found[4], const uint8_t *key, uint32_t rounds,
                                const uint8_t *text, uint32_t first, size_t n);

/* --- five_rounds.c: a saturated word through five rounds -------------------------------------- */

/* Sums over five rounds without whitening of 256 * n_blocks plaintexts that differ in R2 only, 2^24
 * blocks being all 2^32 values of R2. Block n has those with T0 + T1 + K in the second round (T0 =
 * g of the word that R2 goes into, K = K_10) from 256 n to 256 n + 255; T1 + K is a constant.
 *   odd       for each lane: which values of its byte at the input of g in the fifth round come an
 *             odd number of times, 256 bits for T0 and 256 for T1: bytes of words 0 and 1 of the
 *             ciphertexts
 *   sum       the sum of bit 1 of word 3 of the ciphertexts, modulo 2
 *   key       16 bytes
 *   text      16 bytes; 8 to 11 are not read
 *   n_blocks  at most 2^21 in ten seconds
 * MF_ERROR_MEMORY. */
MF_API mf_status lab_five_rounds(uint64_t odd[4][2][4], uint32_t *sum, const uint8_t *key,
                                 const uint8_t *text, uint32_t first, uint32_t n_blocks);

/* --- pair_differences.c: how alike the differences of two keys are [Twofish99, 7.2.3] --------- */

/* Counts pairs of sequences of 20 bytes by two figures of the 20 bytewise differences (exclusive
 * or).
 *   pairs       21 * 21 numbers: pairs[21 * m + z] gets how many pairs there are in which the most
 *               frequent difference comes m times and the difference 0 comes z times
 *   sequences   20 * n bytes: byte i of sequence a is at 640 * (a / 32) + 32 * i + a % 32
 *   n           a multiple of 32
 *   begin, end  the first sequence of a pair, a, is in begin <= a < end, and the second one in a <
 *               b < n
 * It takes about ten nanoseconds a pair. MF_ERROR_LENGTH (n, begin or end). */
MF_API mf_status lab_pair_differences(uint64_t *pairs, const uint8_t *sequences, size_t n,
                                      size_t begin, size_t end);

/* --- lanes.c: the search for S behind sums of bits of g --------------------------------------- */

/* The shares of the lanes, the four S-boxes of a 128-bit key, in sums of bits over sets of texts,
 * each for the 2^16 pairs of bytes of S that it depends on: its byte of S_0 plus 2^8 times that of
 * S_1.
 *   sums    for each lane two words for each pair, in order; bit s of both together belongs to set
 *           s
 *   masks   the bits of T0 and of T1 that are added
 *   odd     for each lane and set: which values of the lane's byte at the input of g come an odd
 *           number of times, 256 bits for T0 and 256 for T1
 *   n_sets  at most 128 */
MF_API mf_status lab_lane_sums(uint64_t *sums, const uint32_t masks[2], const uint64_t (*odd)[2][4],
                               size_t n_sets);

/* All ways to take one element of each of four lists whose exclusive or is zero.
 *   found   the places: that in list[0], plus 2^16, 2^32 and 2^48 times the others
 *   room    of found; n_found counts what did not fit as well
 *   n       elements of the lists, at most 2^16 each; lists 0 and 2 should be the longer ones
 *   first   only ways whose first two elements have a sum with the low 16 bits first, first + 1,
 *           .., first + n_sums - 1
 *   n_sums  of these sums; all are 2^16
 * MF_ERROR_MEMORY; MF_ERROR_LENGTH: the sums are far from random, found is not complete. */
MF_API mf_status lab_join(uint64_t *found, size_t room, size_t *n_found,
                          const uint64_t *const list[4], const size_t n[4], uint32_t first,
                          uint32_t n_sums);

/* Tries S = known | guess, with S_0 in the low 32 bits, for guesses first, first + 1, ..
 *   found   those for which the sums of all sets are right; room and counts[0] as above
 *   counts  how many those are, and how often g was computed
 *   halves  for each set 256 inputs (R0, R1) of F
 *   sums    for each set the right sum of bit 0 of T0 + T1 */
MF_API mf_status lab_guess(uint64_t *found, size_t room, uint64_t counts[2], uint64_t known,
                           uint32_t first, uint32_t n_guesses, const uint32_t *halves,
                           const uint8_t *sums, size_t n_sets);

#endif
