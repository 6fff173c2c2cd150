/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One loaded provider: the functions that the core of OpenSSL gave it
 * [provider-base(7)]. The provider links no libcrypto; these are all that it may call.
 */
#ifndef MF_PROVIDER_H
#define MF_PROVIDER_H

#include <manyfish/common.h>

#include <openssl/core_dispatch.h>

typedef struct provider {
    const OSSL_CORE_HANDLE *core;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_FUNC_core_get_libctx_fn *get_libctx;
    OSSL_FUNC_CRYPTO_zalloc_fn *zalloc;
    OSSL_FUNC_CRYPTO_clear_free_fn *clear_free;
} provider;

/* Why a call failed: a number of mf_status, or one of these. errors.c has OpenSSL's numbers. */
enum reason {
    REASON_NO_IV = 100,
    REASON_FINISHED,
    REASON_NOT_STARTED,
    REASON_NO_TAG,
    REASON_TAG_DIRECTION,
    REASON_EQUAL_KEYS,
    REASON_ONE_CALL,
    REASON_NO_AAD,
    REASON_ANNOUNCED,
    REASON_PARAMETER,
    REASON_NUM,
    REASON_LAST_BLOCK
};

/* Puts an error with this reason on the caller's queue, with a text that says what was found; 0. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 3, 4)))
#endif
int provider_fail(const provider *p, int reason, const char *format, ...);

/* 1 for MF_OK; else the same with the text of the status. */
int provider_check(const provider *p, mf_status status);

/* Zeroed memory, or NULL and an error on the queue. */
void *provider_alloc(const provider *p, size_t n_bytes);

/* Wipes and frees it. NULL is allowed. */
void provider_free(const provider *p, void *memory, size_t n_bytes);

#endif
