/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish with compiled keying [Twofish98, 5.1.1]: the tables of kernel `full`, and machine code of
 * the key's own, in which the subkeys are constants. For many blocks under one key that go one by
 * one, as in CBC encryption; from four blocks in a call on it does what `full` does.
 *
 * It needs x86-64 or little-endian AArch64 with ELF (Linux, the BSDs), and a system that lets a
 * program make memory executable. Memory is never writable and executable at once, so each new key
 * costs two calls of the system that change its protection: more than the rest of the set-up
 * together. Other threads may have to be interrupted for it too. Keep an object for a key that is
 * used long, or ask for two views (MF_COMPILED_TWO_VIEWS), which need no such call.
 *
 * When it pays, on an AMD Zen 5 (docs/keying-options.md): Compiled keying saves 4 to 8 of the 221
 * cycles that full keying takes for a block that waits for the one before (2 to 3 %). Its set-up
 * takes 7,865 more with a 128-bit key, so it pays from 1,000 to 2,200 such blocks under a key on.
 * mf_twofish_compiled_cost compares it with what mf_twofish_choose finds.
 *
 * It leaks what `full` leaks: key and data index its lookup tables (docs/security.md).
 *
 * The memory belongs to the object, which cannot be copied, moved to another place or handed to
 * another process; after fork() parent and child each have their own, but with two views the child
 * has none.
 *
 * Conventions (overlap, NULL, threads, what is undefined) stand in <manyfish/common.h>. An object
 * must not be used by others while a key is set.
 */
#ifndef MANYFISH_STUDY_COMPILED_H
#define MANYFISH_STUDY_COMPILED_H

#include <manyfish/cipher.h>
#include <manyfish/common.h>
#include <manyfish/twofish_choice.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For mf_twofish_compiled_new: where no code can be made, be as `full` instead of failing. */
#define MF_COMPILED_OR_FULL 1U

/* The same, at most one of these: how the tables and the subkeys of each key are made, if not as by
 * kernel `full`. CT_SET_UP: without an address from the key, as by
 * mf_twofish_init_kernel_ct_set_up. BIG, HUGE: by the shared tables of <manyfish/study/tables.h>,
 * as by `full-big` and `full-huge`; what is used of them is copied, so that they are not needed
 * after the set-up. HUGE takes keys of 128 bits only. */
#define MF_COMPILED_CT_SET_UP 2U
#define MF_COMPILED_BIG 4U
#define MF_COMPILED_HUGE 8U

/* The code lies at two addresses: where it is executed it is never writable, where it is written
 * never executable. A later key then takes some hundred cycles more than by `full`, without a call
 * of the system (docs/decisions/compiled-keying.md). In return
 *   - an attacker who can write to any address of this process can change the code at any time, not
 *     only while a key is set (docs/decisions/compiled-keying.md);
 *   - after fork() the object of the child has neither key nor code: its functions return
 *     MF_ERROR_NO_KEY or MF_ERROR_EXECUTABLE, and mf_twofish_compiled_free gives back what is left.
 *     Do not fork() while another thread makes an object: the child may keep a view of its keys;
 *   - other threads than the one that set the key take some 150 cycles more a call.
 * It needs Linux from 5.1 on. Elsewhere, and under emulators that do not see what is written at the
 * other address, it is as if the system refused: MF_ERROR_EXECUTABLE, or as `full`. So it is under
 * each policy that refuses the code of one address. */
#define MF_COMPILED_TWO_VIEWS 16U

/* A place for one key and its code. Opaque; made by mf_twofish_compiled_new. */
typedef struct mf_twofish_compiled mf_twofish_compiled;

/* Makes an object without a key: maps about 16 KB and copies the code into it.
 *   compiled  is set to the object, or to NULL on an error
 *   flags     of those above, joined by |
 * MF_ERROR_NULL, MF_ERROR_BLOCK (other flags), MF_ERROR_MEMORY; and, never with
 * MF_COMPILED_OR_FULL, MF_ERROR_KERNEL (this build has no such code) and MF_ERROR_EXECUTABLE (the
 * system refuses, or has no two views). */
MF_API MF_MUST_CHECK mf_status mf_twofish_compiled_new(mf_twofish_compiled **compiled,
                                                       unsigned flags);

/* Expands a key, any number of times; nothing is left of the earlier one. The first key costs no
 * more than the later ones.
 *   key        key_bytes bytes, read only during the call
 *   key_bytes  16, 24 or 32; for shorter keys see mf_twofish_pad_key
 * On an error the object holds no key.
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH, MF_ERROR_OVERLAP (the key lies in the object);
 * MF_ERROR_TABLES (the shared tables asked for are not ready), MF_ERROR_POLICY (this build has no
 * constant-time set-up); MF_ERROR_EXECUTABLE if the system has begun to refuse: with
 * MF_COMPILED_OR_FULL it goes on as `full` then. [Twofish98, 4.3] */
MF_API MF_MUST_CHECK mf_status mf_twofish_compiled_set_key(mf_twofish_compiled *compiled,
                                                           const void *key, size_t key_bytes);

/* Encrypts or decrypts n_blocks independent blocks of 16 bytes each.
 *   out, in    16 * n_blocks bytes; the same buffer or disjoint
 * On an error out is untouched.
 * MF_ERROR_NULL, MF_ERROR_NO_KEY, MF_ERROR_OVERLAP, MF_ERROR_LENGTH (16 * n_blocks overflows). */
MF_API MF_MUST_CHECK mf_status mf_twofish_compiled_encrypt_blocks(
    const mf_twofish_compiled *compiled, void *out, const void *in, size_t n_blocks);
MF_API MF_MUST_CHECK mf_status mf_twofish_compiled_decrypt_blocks(
    const mf_twofish_compiled *compiled, void *out, const void *in, size_t n_blocks);

/* The cipher as the modes take it. It points to the object, which must outlive it. If compiled is
 * NULL or has no key, the modes answer MF_ERROR_NO_KEY. Cannot fail. */
MF_API mf_cipher mf_twofish_compiled_cipher(const mf_twofish_compiled *compiled);

/* True if it runs code of its own; false if it is as `full`, and for NULL. Cannot fail. */
MF_API MF_MUST_CHECK bool mf_twofish_compiled_is_code(const mf_twofish_compiled *compiled);

/* Bytes of memory that it occupies, code and tables, whole pages; 0 for NULL. Cannot fail. */
MF_API MF_MUST_CHECK size_t mf_twofish_compiled_bytes(const mf_twofish_compiled *compiled);

/* The expected cost of an object of one view, to be compared with the cost in a mf_twofish_choice
 * for the same expectation. mf_twofish_choose itself names kernels only. The set-up is the cheaper
 * one of those allowed, as with `full`: if mf_twofish_choose names `full` with ct_set_up, or
 * nothing but text may leak, take MF_COMPILED_CT_SET_UP.
 *   cost       set, in the unit of the table; to UINT64_MAX if the table does not know `full`.
 *              Untouched on an error
 *   key_bytes  16, 24 or 32
 * It is the cost of `full` in the table, with differences that we measured (compiled_costs.h).
 * Asks nothing of the system, which may still refuse. Errors of mf_twofish_expected_cost for
 * `full`; MF_ERROR_KERNEL if this build has no such code, MF_ERROR_POLICY also if an object is
 * larger than max_key_bytes. */
MF_API MF_MUST_CHECK mf_status mf_twofish_compiled_cost(uint64_t *cost, size_t key_bytes,
                                                        const mf_twofish_expectation *expectation);

/* Wipes the key and what was made of it, the code too, and gives the memory back. NULL is allowed.
 * Cannot fail. */
MF_API void mf_twofish_compiled_free(mf_twofish_compiled *compiled);

#ifdef __cplusplus
}
#endif

#endif
