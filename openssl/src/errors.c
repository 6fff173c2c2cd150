/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Errors in words, through the functions of the core; and its memory.
 */
#include "provider.h"

#include <openssl/err.h>
#include <openssl/evperr.h>
#include <openssl/proverr.h>

#include <stdarg.h>

/* Numbers of OpenSSL itself, whose words are in libcrypto: those nearest to each failure. A
 * provider may bring words of its own, but then libcrypto crashes when a library context is freed
 * as late as in a destructor: it takes those words out of a table whose lock it has freed before.
 * Node and others make error codes of the words; what was expected and found goes with each error.
 */
#define PROVIDER(name) ERR_PACK(ERR_LIB_PROV, 0, PROV_R_##name)
#define EVP(name) ERR_PACK(ERR_LIB_EVP, 0, EVP_R_##name)

static const struct {
    int reason;
    uint32_t number;
} numbers[] = {
    {MF_ERROR_NULL, ERR_R_PASSED_NULL_PARAMETER},
    {MF_ERROR_KEY_LENGTH, PROVIDER(INVALID_KEY_LENGTH)},
    {MF_ERROR_LENGTH, EVP(INVALID_LENGTH)},
    {MF_ERROR_OVERLAP, EVP(PARTIALLY_OVERLAPPING)},
    {MF_ERROR_NO_KEY, PROVIDER(NO_KEY_SET)},
    {MF_ERROR_KERNEL, PROVIDER(INVALID_CONFIG_DATA)},
    {MF_ERROR_LEAKS, PROVIDER(INVALID_CONFIG_DATA)},
    {MF_ERROR_LEAKS_VALUE, PROVIDER(INVALID_CONFIG_DATA)},
    {MF_ERROR_CPU, PROVIDER(INVALID_CONFIG_DATA)},
    {MF_ERROR_TAG, PROVIDER(INVALID_TAG)},
    {MF_ERROR_PADDING, PROVIDER(BAD_DECRYPT)},
    {MF_ERROR_NONCE_LENGTH, PROVIDER(INVALID_IV_LENGTH)},
    {MF_ERROR_CAPACITY, PROVIDER(OUTPUT_BUFFER_TOO_SMALL)},
    {MF_ERROR_STATE, PROVIDER(INVALID_STATE)},
    {MF_ERROR_TOO_LONG, PROVIDER(LENGTH_TOO_LARGE)},
    {MF_ERROR_SELFTEST, PROVIDER(SELF_TEST_KAT_FAILURE)},
    {MF_ERROR_TAG_LENGTH, PROVIDER(INVALID_TAG_LENGTH)},
    {MF_ERROR_MEMORY, ERR_R_MALLOC_FAILURE},
    {REASON_NO_IV, PROVIDER(INVALID_IV_LENGTH)},
    {REASON_FINISHED, PROVIDER(INVALID_STATE)},
    {REASON_NOT_STARTED, EVP(OPERATION_NOT_INITIALIZED)},
    {REASON_NO_TAG, PROVIDER(TAG_NOT_SET)},
    {REASON_TAG_DIRECTION, PROVIDER(TAG_NOT_NEEDED)},
    {REASON_EQUAL_KEYS, PROVIDER(XTS_DUPLICATED_KEYS)},
    {REASON_ONE_CALL, EVP(ONLY_ONESHOT_SUPPORTED)},
    {REASON_NO_AAD, PROVIDER(INVALID_AAD)},
    {REASON_ANNOUNCED, EVP(INVALID_LENGTH)},
    {REASON_PARAMETER, EVP(CIPHER_PARAMETER_ERROR)},
    {REASON_NUM, EVP(CANNOT_SET_PARAMETERS)},
    {REASON_LAST_BLOCK, PROVIDER(WRONG_FINAL_BLOCK_LENGTH)},
};

static uint32_t number_of(int reason)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].reason == reason) {
            return numbers[i].number;
        }
    }
    return ERR_R_INTERNAL_ERROR;
}

static void raise_error(const provider *p, int reason, const char *format, va_list arguments)
{
    if (p->new_error != NULL && p->vset_error != NULL) {
        p->new_error(p->core);
        if (p->set_error_debug != NULL) { /* the numbers do not say whose error it is */
            p->set_error_debug(p->core, "", 0, "manyfish");
        }
        p->vset_error(p->core, number_of(reason), format, arguments);
    }
}

int provider_fail(const provider *p, int reason, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    raise_error(p, reason, format, arguments);
    va_end(arguments);
    return 0;
}

int provider_check(const provider *p, mf_status status)
{
    return status == MF_OK ? 1 : provider_fail(p, (int)status, "%s", mf_status_text(status));
}

void *provider_alloc(const provider *p, size_t n_bytes)
{
    void *memory = p->zalloc(n_bytes, __FILE__, __LINE__);

    if (memory == NULL) {
        (void)provider_fail(p, MF_ERROR_MEMORY, "%zu bytes were asked for", n_bytes);
    }
    return memory;
}

void provider_free(const provider *p, void *memory, size_t n_bytes)
{
    if (memory != NULL) {
        p->clear_free(memory, n_bytes, __FILE__, __LINE__);
    }
}
