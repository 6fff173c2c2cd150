/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sixteen rounds of DES, or three times sixteen, for kernels on words [FIPS46-3], written once. A
 * kernel brings its own f and gets encryption and decryption of one block or of several interleaved
 * ones; after inlining nothing of the function pointer is left.
 */
#ifndef MF_SRC_DES_ROUNDS_H
#define MF_SRC_DES_ROUNDS_H

#include "kernel.h"
#include "permutations.h"
#include "schedule.h"

/* l ^ P(S(E(r) ^ K)), on halves as permutations.h leaves them. K is what the kernel keeps for a
 * round; tables are what it keeps for all. */
typedef uint32_t mf_des_f(uint32_t l, uint32_t r, const void *K, const void *tables);

/* The tables and keys of a kernel's rounds. */
typedef struct mf_des_rounds {
    const void *tables;
    const void *K;      /* for the first round of encryption */
    size_t round_bytes; /* of each round */
    size_t n_rounds;    /* 16, or 48 for Triple-DES */
} mf_des_rounds;

MF_INLINE mf_des_rounds mf_des_rounds_of(const mf_des_subkeys *k, const void *tables)
{
    const mf_des_rounds rounds = {mf_opaque_pointer(tables), k->K, sizeof k->K[0],
                                  k->n_keys * (size_t)MF_DES_ROUNDS};
    return rounds;
}

/* The word at an offset in bytes. Offsets are of the size of an address, or gcc computes them
 * apart. */
MF_INLINE uint32_t mf_des_word(const void *tables, size_t offset, size_t table)
{
    const void *word = (const uint8_t *)tables + offset + table;
    return *(const uint32_t *)word;
}

/* Before a loop over the lanes, which have to be in registers. */
#if defined(__clang__)
#define MF_DES_UNROLL _Pragma("clang loop unroll(full)")
#else
#define MF_DES_UNROLL _Pragma("GCC unroll 8")
#endif

/* The halves of up to eight blocks. */
typedef struct mf_des_halves {
    uint32_t l[8];
    uint32_t r[8];
} mf_des_halves;

MF_INLINE void mf_des_load(mf_des_halves *x, unsigned n, const uint8_t *in)
{
    MF_DES_UNROLL
    for (unsigned i = 0; i + 1 < n; i += 2) {
        const uint8_t *block = in + i * (size_t)MF_DES_BLOCK_BYTES;
        mf_des_ip_2(x->l + i, x->r + i, mf_load64_be(block),
                    mf_load64_be(block + MF_DES_BLOCK_BYTES));
    }
    if (n % 2 != 0) {
        const uint64_t block = mf_load64_be(in + (n - 1) * (size_t)MF_DES_BLOCK_BYTES);
        x->l[n - 1] = (uint32_t)(block >> 32);
        x->r[n - 1] = (uint32_t)block;
        mf_des_ip(&x->l[n - 1], &x->r[n - 1]);
    }
}

MF_INLINE void mf_des_store(uint8_t *out, mf_des_halves *x, unsigned n)
{
    MF_DES_UNROLL
    for (unsigned i = 0; i + 1 < n; i += 2) {
        uint8_t *block = out + i * (size_t)MF_DES_BLOCK_BYTES;
        uint64_t first;
        uint64_t second;

        mf_des_inverse_ip_2(&first, &second, x->l + i, x->r + i);
        mf_store64_be(block, first);
        mf_store64_be(block + MF_DES_BLOCK_BYTES, second);
    }
    if (n % 2 != 0) {
        mf_des_inverse_ip(&x->l[n - 1], &x->r[n - 1]);
        mf_store64_be(out + (n - 1) * (size_t)MF_DES_BLOCK_BYTES,
                      (uint64_t)x->l[n - 1] << 32 | x->r[n - 1]);
    }
}

MF_INLINE void mf_des_two_rounds(mf_des_f *f, mf_des_halves *x, unsigned n, const uint8_t *K,
                                 ptrdiff_t step, const void *tables)
{
    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        x->l[i] = f(x->l[i], x->r[i], K, tables);
    }
    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        x->r[i] = f(x->r[i], x->l[i], K + step, tables);
    }
}

/* Between two passes the permutations cancel out: what is left is the swap. */
MF_INLINE void mf_des_swap_halves(mf_des_halves *x, unsigned n)
{
    MF_DES_UNROLL
    for (unsigned i = 0; i < n; i++) {
        const uint32_t l = x->l[i];
        x->l[i] = x->r[i];
        x->r[i] = l;
    }
}

/* n neighbouring blocks, interleaved so that some compute while others wait for memory. */
MF_INLINE void mf_des_crypt_n(mf_des_f *f, unsigned n, const mf_des_rounds *k, uint8_t *out,
                              const uint8_t *in, bool decrypt)
{
    const ptrdiff_t step = (decrypt ? -1 : 1) * (ptrdiff_t)k->round_bytes;
    const uint8_t *K = (const uint8_t *)k->K + (decrypt ? (k->n_rounds - 1) * k->round_bytes : 0);
    mf_des_halves x;

    mf_des_load(&x, n, in);
    for (size_t pass = 0; pass < k->n_rounds; pass += MF_DES_ROUNDS) {
        for (size_t i = 0; i < MF_DES_ROUNDS; i += 2, K += 2 * step) {
            mf_des_two_rounds(f, &x, n, K, step, k->tables);
        }
        mf_des_swap_halves(&x, n);
    }
    mf_des_store(out, &x, n);
}

/* As many of the n_blocks as make up groups of n; returns how many these were. */
MF_INLINE size_t mf_des_crypt_groups(mf_des_f *f, unsigned n, const mf_des_rounds *k, uint8_t *out,
                                     const uint8_t *in, size_t n_blocks, bool decrypt)
{
    const size_t end = n_blocks - n_blocks % n;

    for (size_t i = 0; i < end; i += n) {
        mf_des_crypt_n(f, n, k, out + i * MF_DES_BLOCK_BYTES, in + i * MF_DES_BLOCK_BYTES, decrypt);
    }
    return end;
}

/* All blocks: `lanes` at a time by f while they last, then four, then one by one by f_one. */
MF_INLINE void mf_des_crypt(mf_des_f *f, mf_des_f *f_one, unsigned lanes, const mf_des_rounds *k,
                            uint8_t *out, const uint8_t *in, size_t n_blocks, bool decrypt)
{
    size_t done = mf_des_crypt_groups(f, lanes, k, out, in, n_blocks, decrypt);

    if (lanes > 4) {
        done += mf_des_crypt_groups(f, 4, k, out + done * MF_DES_BLOCK_BYTES,
                                    in + done * MF_DES_BLOCK_BYTES, n_blocks - done, decrypt);
    }
    mf_des_crypt_groups(f_one, 1, k, out + done * MF_DES_BLOCK_BYTES,
                        in + done * MF_DES_BLOCK_BYTES, n_blocks - done, decrypt);
}

#endif
