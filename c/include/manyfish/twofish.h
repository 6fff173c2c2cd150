/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish, the 128-bit block cipher of Schneier, Kelsey, Whiting, Wagner, Hall and Ferguson (1998)
 * [Twofish98, 4], with keys of 128, 192 and 256 bits.
 *
 * A block cipher alone protects nothing: equal blocks stay equal, and changes go unnoticed. Use the
 * authenticated modes of <manyfish/aead.h>; they call the functions here.
 *
 * The keying options of [Twofish98, 5.1.1] are kernels. They differ in speed, memory and what they
 * leak through the cache, never in results; docs/security.md says which kernel leaks what.
 *
 *   name      per key  best for
 *   zero       0.2 KB   one block a key; least memory
 *   minimal   1.2 KB   few blocks a key
 *   partial   1.2 KB   some tens of blocks a key
 *   full      4.2 KB   many blocks a key
 *   bitslice  2.4 KB   constant time without a vector unit; 9 blocks at a time and more
 *   avx512, avx2-gfni, avx2, ssse3, neon, simd128
 *             1.2 KB   constant time; those for AVX2 and AVX-512 are also the fastest for ten
 *                      blocks at a time and more
 *
 * The default is the first kernel of mf_twofish_kernel_info that runs here; it is constant-time on
 * every machine. The first four use lookup tables indexed by secrets, and run only if you name
 * them. <manyfish/twofish_choice.h> finds the kernel that costs least for a given number of blocks.
 *
 * More kernels and compiled keying [Twofish98, 5.1] are in libmanyfish-study, with headers of its
 * own.
 *
 * <manyfish/common.h> has the conventions: overlap, NULL, threads, undefined behaviour.
 */
#ifndef MANYFISH_TWOFISH_H
#define MANYFISH_TWOFISH_H

#include <manyfish/cipher.h>
#include <manyfish/common.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_TWOFISH_BLOCK_BYTES 16
#define MF_TWOFISH_MAX_KEY_BYTES 32
/* Room for the expanded key of any kernel; each kernel checks it when it is compiled. */
#define MF_TWOFISH_CONTEXT_BYTES 4352

/* One way to compute the cipher. Opaque: programs only use its address. */
typedef struct mf_twofish_kernel mf_twofish_kernel;

/* One expanded key. The members are private; the caller owns the memory and may copy it. All zero
 * bytes mean "no key". It holds secrets: end its life with mf_twofish_wipe. */
typedef struct mf_twofish {
    const mf_twofish_kernel *kernel; /* NULL: no key */
    uint32_t expanded_key[(MF_TWOFISH_CONTEXT_BYTES - sizeof(void *)) / sizeof(uint32_t)];
} mf_twofish;

/* Expands a key for the default kernel: the best one that runs here, or the one that the
 * environment variable MANYFISH_KERNEL named when the library was first used; see
 * mf_twofish_kernel_info. It names a constant-time kernel, unless the variable MANYFISH_LEAKS is
 * "any".
 *   ctx        is filled; any earlier key in it is wiped
 *   key        key_bytes bytes, read only during the call; must not overlap ctx, else
 *              MF_ERROR_OVERLAP
 *   key_bytes  16, 24 or 32; for shorter keys see mf_twofish_pad_key
 * On an error ctx holds no key.
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH, MF_ERROR_OVERLAP; MF_ERROR_KERNEL, MF_ERROR_CPU and
 * MF_ERROR_TABLES if MANYFISH_KERNEL names a kernel that is not in this build, cannot run here, or
 * needs tables that have not been built; MF_ERROR_LEAKS if it names one that is not constant-time
 * without MANYFISH_LEAKS=any; MF_ERROR_LEAKS_VALUE if MANYFISH_LEAKS has another value. [Twofish98,
 * 4.3] */
MF_API MF_MUST_CHECK mf_status mf_twofish_init(mf_twofish *ctx, const void *key, size_t key_bytes);

/* The same for the kernel of the given name ("full", ...); NULL means the default.
 * A name given here may be that of any kernel, whatever the environment says.
 * Also MF_ERROR_KERNEL (no such name) and MF_ERROR_CPU (cannot run here); of kernels of
 * libmanyfish-study MF_ERROR_TABLES (the tables that it needs are not ready) and
 * MF_ERROR_KEY_LENGTH (it takes shorter keys). */
MF_API MF_MUST_CHECK mf_status mf_twofish_init_kernel(mf_twofish *ctx, const char *kernel,
                                                      const void *key, size_t key_bytes);

/* The same, with a key set-up in which no address and no branch depends on the key, also for the
 * kernels full, partial, minimal and zero: their S-boxes and subkeys are then computed as
 * constant-time kernels do it. Encryption and decryption still leak as before.
 * Also MF_ERROR_POLICY: the kernel has no such set-up, which is so with the three that need shared
 * tables. */
MF_API MF_MUST_CHECK mf_status mf_twofish_init_kernel_ct_set_up(mf_twofish *ctx, const char *kernel,
                                                                const void *key, size_t key_bytes);

/* The same for a kernel given by its address, one of those below. A static link with
 * sections collected (-ffunction-sections -fdata-sections -Wl,--gc-sections) then contains this
 * kernel alone. Also MF_ERROR_NULL (no kernel), MF_ERROR_CPU, MF_ERROR_TABLES and
 * MF_ERROR_KEY_LENGTH, as above. */
MF_API MF_MUST_CHECK mf_status mf_twofish_init_with(mf_twofish *ctx,
                                                    const mf_twofish_kernel *kernel,
                                                    const void *key, size_t key_bytes);

/* The same in the caller's memory, just as large as this kernel needs; an mf_twofish has room for
 * any kernel.
 *   ctx           set to the context, which lies in memory, or to NULL on an error. It is const:
 *                 pass it only to functions that read a context, and do not copy it
 *   memory        memory_bytes bytes anywhere; disjoint from ctx and key, else MF_ERROR_OVERLAP.
 *                 mf_wipe(memory, memory_bytes) wipes the key: then ctx holds none
 *   memory_bytes  at least mf_twofish_memory_bytes(kernel), else MF_ERROR_CAPACITY
 * On an error *ctx is NULL and memory is untouched. Also the errors of mf_twofish_init_with. */
MF_API MF_MUST_CHECK mf_status mf_twofish_init_in(const mf_twofish **ctx, void *memory,
                                                  size_t memory_bytes,
                                                  const mf_twofish_kernel *kernel, const void *key,
                                                  size_t key_bytes);

/* How much memory that is; 0 if kernel is NULL. */
MF_API size_t mf_twofish_memory_bytes(const mf_twofish_kernel *kernel);

/* The same as constants, for the kernels of every build: the expanded key behind the address of its
 * kernel, and what its alignment may cost. */
#define MF_TWOFISH_KEY_MEMORY_BYTES(expanded_key_bytes)                                            \
    (2 * sizeof(void *) - 1 + (expanded_key_bytes))
#define MF_TWOFISH_ZERO_MEMORY_BYTES MF_TWOFISH_KEY_MEMORY_BYTES(180)
#define MF_TWOFISH_MINIMAL_MEMORY_BYTES MF_TWOFISH_KEY_MEMORY_BYTES(1188)
#define MF_TWOFISH_PARTIAL_MEMORY_BYTES MF_TWOFISH_KEY_MEMORY_BYTES(1184)
#define MF_TWOFISH_FULL_MEMORY_BYTES MF_TWOFISH_KEY_MEMORY_BYTES(4256)

/* The kernels, named as in the table above. A build has those of its kind of processor: a program
 * that takes the address of another does not link. */
extern MF_API const mf_twofish_kernel mf_twofish_zero;
extern MF_API const mf_twofish_kernel mf_twofish_minimal;
extern MF_API const mf_twofish_kernel mf_twofish_partial;
extern MF_API const mf_twofish_kernel mf_twofish_full;
extern MF_API const mf_twofish_kernel mf_twofish_bitslice;
extern MF_API const mf_twofish_kernel mf_twofish_avx512;    /* x86-64 */
extern MF_API const mf_twofish_kernel mf_twofish_avx2_gfni; /* x86-64 */
extern MF_API const mf_twofish_kernel mf_twofish_avx2;      /* x86-64 */
extern MF_API const mf_twofish_kernel mf_twofish_ssse3;     /* x86-64 */
extern MF_API const mf_twofish_kernel mf_twofish_neon;      /* AArch64, little-endian */
extern MF_API const mf_twofish_kernel mf_twofish_simd128;   /* WebAssembly with SIMD */

/* Pads a key of 0 to 32 bytes with zeros at its end to the next of 16, 24 or 32 bytes, as the paper
 * defines shorter keys [Twofish98, 4.3.1]. A short key is easily guessed: this is for old data.
 *   padded        32 bytes, all written; disjoint from key, else MF_ERROR_OVERLAP
 *   padded_bytes  set to 16, 24 or 32
 *   key           key_bytes bytes; above 32 is MF_ERROR_KEY_LENGTH
 * On an error both outputs are untouched. MF_ERROR_NULL. */
MF_API MF_MUST_CHECK mf_status mf_twofish_pad_key(unsigned char padded[MF_TWOFISH_MAX_KEY_BYTES],
                                                  size_t *padded_bytes, const void *key,
                                                  size_t key_bytes);

/* Encrypts or decrypts n_blocks independent blocks of 16 bytes each.
 *   out, in    16 * n_blocks bytes; the same buffer or disjoint
 * On an error out is untouched.
 * MF_ERROR_NULL, MF_ERROR_NO_KEY, MF_ERROR_OVERLAP, MF_ERROR_LENGTH (16 * n_blocks overflows). */
MF_API MF_MUST_CHECK mf_status mf_twofish_encrypt_blocks(const mf_twofish *ctx, void *out,
                                                         const void *in, size_t n_blocks);
MF_API MF_MUST_CHECK mf_status mf_twofish_decrypt_blocks(const mf_twofish *ctx, void *out,
                                                         const void *in, size_t n_blocks);

/* Encrypts or decrypts n_blocks blocks under each of n_keys keys: no context, and for tens of keys
 * a fraction of the time of expanding one after the other, where the kernel has a way to work on
 * many at once. [Twofish98, 4, 4.3]
 *   kernel     its name; NULL means the default, as in mf_twofish_init
 *   out, in    16 * n_blocks * n_keys bytes, those of one key after those of the other; the same
 *              buffer or disjoint
 *   keys       key_bytes * n_keys bytes, one key after the other, read only during the call;
 *              disjoint from out
 *   key_bytes  16, 24 or 32
 * On an error out is untouched. Uses up to 24 KB of stack.
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH, MF_ERROR_OVERLAP, MF_ERROR_LENGTH (16 * n_blocks * n_keys or
 * key_bytes * n_keys overflows), and what mf_twofish_init_kernel says of a kernel. */
MF_API MF_MUST_CHECK mf_status mf_twofish_encrypt_each(const char *kernel, void *out,
                                                       const void *in, size_t n_blocks,
                                                       const void *keys, size_t key_bytes,
                                                       size_t n_keys);
MF_API MF_MUST_CHECK mf_status mf_twofish_decrypt_each(const char *kernel, void *out,
                                                       const void *in, size_t n_blocks,
                                                       const void *keys, size_t key_bytes,
                                                       size_t n_keys);

/* Wipes the key; afterwards ctx holds none. NULL is allowed. Cannot fail. */
MF_API void mf_twofish_wipe(mf_twofish *ctx);

/* The name of the kernel that this context uses, or NULL if it holds no key. Static storage. */
MF_API const char *mf_twofish_kernel_name(const mf_twofish *ctx);

/* The cipher as the modes take it. It points to ctx, which must stay in place while it is used. If
 * ctx is NULL, has no key or is wiped later, the modes answer MF_ERROR_NO_KEY. Cannot fail. */
MF_API mf_cipher mf_twofish_cipher(const mf_twofish *ctx);

/* The kernels of this build, best first; index counts from 0.
 * mf_twofish_kernel_info fills *info, or returns MF_ERROR_KERNEL if index is too large and
 * MF_ERROR_NULL if info is NULL. */
MF_API size_t mf_twofish_kernel_count(void);
MF_API MF_MUST_CHECK mf_status mf_twofish_kernel_info(size_t index, mf_kernel_info *info);

/* Runs the official 49-step table test on the kernel of the given name, in both directions, for
 * each key size that it takes, and compares its bulk path with single blocks; NULL means the
 * default. MF_OK, MF_ERROR_SELFTEST, or an error of mf_twofish_init_kernel if the kernel cannot
 * run. Uses about 20 KB of stack. */
MF_API MF_MUST_CHECK mf_status mf_twofish_selftest(const char *kernel);

#ifdef __cplusplus
}
#endif

#endif
