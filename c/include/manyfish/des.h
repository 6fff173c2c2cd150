/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DES and Triple-DES [FIPS46-3], for existing data: old archives, messages, cards and formats.
 *
 * DES protects nothing today: anyone can try all of its 56-bit keys. The 64-bit blocks of both leak
 * after about 2^32 blocks under one key [Sweet32], and NIST has withdrawn both. For anything new
 * use <manyfish/twofish.h> and the authenticated modes of <manyfish/aead.h>.
 *
 * One type serves DES (a key of 8 bytes) and Triple-DES, which encrypts with the first key,
 * decrypts with the second and encrypts with the third (24 bytes; 16 say that the third is the
 * first). Kernels differ in speed, memory and what they leak through the cache, never in results;
 * docs/security.md says which kernel leaks what.
 *
 *   name            per key  best for
 *   bitslice-avx512  3.3 KB  with AVX-512: 512 blocks at a time; constant-time
 *   bitslice-avx2    3.3 KB  with AVX2: 256 blocks; constant-time
 *   bitslice-neon    3.3 KB  AArch64: 128 blocks; constant-time
 *   bitslice         3.3 KB  everywhere else: 64 blocks; constant-time
 *   sp4k             0.4 KB  one block at a time; tables of 4 KB
 *   sp2k             0.4 KB  few blocks a key; tables of 2 KB
 *   sp64k            0.4 KB  many blocks at a time; tables of 64 KB
 *
 * Sizes are for DES; Triple-DES takes three times as much.
 *
 * The default is the first kernel of mf_des_kernel_info that runs here.
 *
 * <manyfish/common.h> has the conventions: overlap, NULL, threads, undefined behaviour.
 */
#ifndef MANYFISH_DES_H
#define MANYFISH_DES_H

#include <manyfish/cipher.h>
#include <manyfish/common.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_DES_BLOCK_BYTES 8
#define MF_DES_MAX_KEY_BYTES 24
/* Room for the expanded key of any kernel but those that take memory of the caller's; each kernel
 * checks it when it is compiled. */
#define MF_DES_CONTEXT_BYTES 9768
/* Bytes that mf_des_init_in needs beyond mf_des_memory_bytes, since its memory may start at any
 * address. */
#define MF_DES_MEMORY_ALIGNMENT 64

/* One way to compute the cipher. Opaque: programs only use its address. */
typedef struct mf_des_kernel mf_des_kernel;

/* One expanded key. The members are private; the caller owns the memory and may copy it: a copy of
 * a context made by mf_des_init_in shares its memory. All zero bytes mean "no key". It holds
 * secrets: end its life with mf_des_wipe. */
typedef struct mf_des {
    const mf_des_kernel *kernel; /* NULL: no key */
    void *memory;                /* of the caller, where the expanded key is; NULL: it is here */
    size_t memory_bytes;
    uint32_t expanded_key[(MF_DES_CONTEXT_BYTES - 2 * sizeof(void *) - sizeof(size_t)) /
                          sizeof(uint32_t)];
} mf_des;

/* Expands a key for the default kernel: the best one that runs here, or the one that the
 * environment variable MANYFISH_DES_KERNEL named when the library was first used; see
 * mf_des_kernel_info. It names a constant-time kernel, unless the variable MANYFISH_LEAKS is "any".
 *   ctx        is filled; any earlier key in it is wiped, but not memory given to mf_des_init_in
 *   key        key_bytes bytes, read only during the call; must not overlap ctx, else
 *              MF_ERROR_OVERLAP. Parity bits are ignored; see mf_des_key_flaws
 *   key_bytes  8 (DES), 16 or 24 (Triple-DES with two and with three keys)
 * On an error ctx holds no key.
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH, MF_ERROR_OVERLAP; MF_ERROR_KERNEL, MF_ERROR_CPU and
 * MF_ERROR_CAPACITY if MANYFISH_DES_KERNEL names a kernel that is not in this build, cannot run
 * here, or needs memory of the caller's; MF_ERROR_LEAKS if it names one that is not constant-time
 * without MANYFISH_LEAKS=any; MF_ERROR_LEAKS_VALUE if MANYFISH_LEAKS has another value.
 * [FIPS46-3] */
MF_API MF_MUST_CHECK mf_status mf_des_init(mf_des *ctx, const void *key, size_t key_bytes);

/* The same for the kernel of the given name ("sp2k", ...); NULL means the default.
 * A name given here may be that of any kernel, whatever the environment says.
 * Also MF_ERROR_KERNEL (no such name), MF_ERROR_CPU (cannot run here) and MF_ERROR_CAPACITY (its
 * expanded key does not fit into ctx: take mf_des_init_in). */
MF_API MF_MUST_CHECK mf_status mf_des_init_kernel(mf_des *ctx, const char *kernel, const void *key,
                                                  size_t key_bytes);

/* The same for a kernel that is given by its address, one of those below. A static link with
 * sections collected (-ffunction-sections -fdata-sections -Wl,--gc-sections) then contains this
 * kernel alone. Also MF_ERROR_NULL (no kernel), MF_ERROR_CPU and MF_ERROR_CAPACITY, as above. */
MF_API MF_MUST_CHECK mf_status mf_des_init_with(mf_des *ctx, const mf_des_kernel *kernel,
                                                const void *key, size_t key_bytes);

/* The kernels, named as in the table above. A build has those of its kind of processor: a program
 * that takes the address of another does not link. */
extern MF_API const mf_des_kernel mf_des_bitslice_avx512; /* x86-64 */
extern MF_API const mf_des_kernel mf_des_bitslice_avx2;   /* x86-64 */
extern MF_API const mf_des_kernel mf_des_bitslice_neon;   /* AArch64, little-endian */
extern MF_API const mf_des_kernel mf_des_bitslice;
extern MF_API const mf_des_kernel mf_des_sp4k;
extern MF_API const mf_des_kernel mf_des_sp2k;
extern MF_API const mf_des_kernel mf_des_sp64k;

/* The same as by name, with the expanded key in memory of the caller's; for any kernel, and the
 * only way for those whose expanded key is too large for ctx.
 *   memory        memory_bytes bytes anywhere, of which those that the kernel needs are written; it
 *                 must not overlap ctx or key, else MF_ERROR_OVERLAP. It belongs to ctx, and to
 *                 copies of ctx, until mf_des_wipe of one of them, which wipes the expanded key
 *                 there: after that the others hold no key, as long as nothing else is written
 *                 there. The memory outlives them all; to free it is for the caller
 *   memory_bytes  at least mf_des_memory_bytes + MF_DES_MEMORY_ALIGNMENT, else MF_ERROR_CAPACITY
 * On an error memory is untouched. */
MF_API MF_MUST_CHECK mf_status mf_des_init_in(mf_des *ctx, const char *kernel, void *memory,
                                              size_t memory_bytes, const void *key,
                                              size_t key_bytes);

/* Another key in a context that holds one, for the same kernel and in the same memory: quicker than
 * a new context, most of which has to be wiped.
 *   key, key_bytes  as for mf_des_init; memory given to mf_des_init_in must be large enough for a
 *                   key of this size, else MF_ERROR_CAPACITY
 * On an error the earlier key is still there. Of an earlier key that was longer, nothing is left.
 * Copies that share memory have the new key too.
 * MF_ERROR_NULL, MF_ERROR_NO_KEY, MF_ERROR_KEY_LENGTH, MF_ERROR_OVERLAP. */
MF_API MF_MUST_CHECK mf_status mf_des_set_key(mf_des *ctx, const void *key, size_t key_bytes);

/* Sets *n_bytes to the size of the expanded key that the kernel of the given name (NULL: the
 * default) has for a key of key_bytes.
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH, MF_ERROR_KERNEL, MF_ERROR_CPU, and for the default
 * MF_ERROR_LEAKS and MF_ERROR_LEAKS_VALUE; then *n_bytes is untouched. */
MF_API MF_MUST_CHECK mf_status mf_des_memory_bytes(const char *kernel, size_t key_bytes,
                                                   size_t *n_bytes);

/* Encrypts or decrypts n_blocks independent blocks of 8 bytes each.
 *   out, in    8 * n_blocks bytes; the same buffer or disjoint
 * On an error out is untouched.
 * MF_ERROR_NULL, MF_ERROR_NO_KEY, MF_ERROR_OVERLAP, MF_ERROR_LENGTH (8 * n_blocks overflows). */
MF_API MF_MUST_CHECK mf_status mf_des_encrypt_blocks(const mf_des *ctx, void *out, const void *in,
                                                     size_t n_blocks);
MF_API MF_MUST_CHECK mf_status mf_des_decrypt_blocks(const mf_des *ctx, void *out, const void *in,
                                                     size_t n_blocks);

/* Wipes the key, also in memory given to mf_des_init_in; afterwards ctx holds none. NULL is
 * allowed. Cannot fail. */
MF_API void mf_des_wipe(mf_des *ctx);

/* The name of the kernel that this context uses, or NULL if it holds no key. Static storage. */
MF_API const char *mf_des_kernel_name(const mf_des *ctx);

/* The cipher as the modes take it. It points to ctx, which must stay in place while it is used. If
 * ctx is NULL, has no key or is wiped later, the modes answer MF_ERROR_NO_KEY. Cannot fail. */
MF_API mf_cipher mf_des_cipher(const mf_des *ctx);

/* The kernels of this build, best first; index counts from 0. In mf_kernel_info, expanded_key_bytes
 * is the size for Triple-DES.
 * mf_des_kernel_info fills *info, or returns MF_ERROR_KERNEL if index is too large and
 * MF_ERROR_NULL if info is NULL. */
MF_API size_t mf_des_kernel_count(void);
MF_API MF_MUST_CHECK mf_status mf_des_kernel_info(size_t index, mf_kernel_info *info);

/* Runs a chain of known answers for all three key sizes, forwards and back, on the kernel of the
 * given name, and compares its bulk path with single blocks; NULL means the default. A kernel that
 * takes memory of the caller's is given it in memory, which is wiped afterwards; for others memory
 * may be NULL. MF_OK, MF_ERROR_SELFTEST, or why the kernel cannot be had, as mf_des_init_in says.
 * Uses about 24 KB of stack. */
MF_API MF_MUST_CHECK mf_status mf_des_selftest(const char *kernel, void *memory,
                                               size_t memory_bytes);

/* --- Keys ------------------------------------------------------------------------------------- */

/* Flaws of a key; a key may have several. Numbers are part of the binary interface. */
enum {
    /* A part of 8 bytes is one of the 4 weak keys (16 equal subkeys: encrypting twice gives the
     * plaintext again), of the 12 semi-weak ones (2 different subkeys: another key decrypts what it
     * encrypts) or of the 48 possibly weak ones (4 different subkeys) [SP800-67, 3.3.2]. */
    MF_DES_WEAK = 1,
    MF_DES_SEMI_WEAK = 2,
    MF_DES_POSSIBLY_WEAK = 4,
    MF_DES_DEGENERATE = 8, /* of Triple-DES, the first two or the last two parts are equal: it is
                              DES */
    MF_DES_TWO_KEYS = 16,  /* of 24 bytes, the first and the third part are equal, as if there were
                              16 */
    MF_DES_PARITY = 32     /* a byte has an even number of ones */
};

/* Sets *flaws to a sum of the above, or to 0. Parity bits count for MF_DES_PARITY alone. Nothing
 * refuses such keys by itself. Time depends on key_bytes only.
 *   key        key_bytes bytes: 8, 16 or 24, or one part of a longer key
 * On an error *flaws is untouched. MF_ERROR_NULL, MF_ERROR_KEY_LENGTH. */
MF_API MF_MUST_CHECK mf_status mf_des_key_flaws(unsigned *flaws, const void *key, size_t key_bytes);

/* MF_OK if the key has none of the flaws in refused (a sum of the above), or else
 * MF_ERROR_WEAK_KEY, or MF_ERROR_PARITY if parity is the only one of them. For callers that want
 * such keys refused: before mf_des_init. MF_ERROR_NULL, MF_ERROR_KEY_LENGTH. [SP800-67, 3.3.2] */
MF_API MF_MUST_CHECK mf_status mf_des_check_key(const void *key, size_t key_bytes,
                                                unsigned refused);

/* Sets the last bit of each byte so that the number of ones is odd [FIPS46-3].
 *   out, key   key_bytes bytes, any number; the same buffer or disjoint
 * On an error out is untouched. MF_ERROR_NULL, MF_ERROR_OVERLAP. */
MF_API MF_MUST_CHECK mf_status mf_des_set_parity(void *out, const void *key, size_t key_bytes);

#ifdef __cplusplus
}
#endif

#endif
