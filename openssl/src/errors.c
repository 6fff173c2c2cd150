/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Errors in words, through the functions of the core; and its memory.
 */
#include "provider.h"

#include <openssl/core.h>

#include <stdarg.h>

/* The member is not const in OpenSSL, which only reads it. */
#define ITEM(reason, text)                                                                         \
    {                                                                                              \
        (unsigned)(reason), (void *)(text)                                                         \
    }

/* Short, and in the words of OpenSSL's own providers where they have them, for Node and others make
 * error codes of them; what was expected and found goes with each error. */
const OSSL_ITEM provider_reasons[] = {
    ITEM(MF_ERROR_NULL, "passed null parameter"),
    ITEM(MF_ERROR_KEY_LENGTH, "invalid key length"),
    ITEM(MF_ERROR_LENGTH, "invalid data length"),
    ITEM(MF_ERROR_OVERLAP, "partially overlapping buffers"),
    ITEM(MF_ERROR_NO_KEY, "no key set"),
    ITEM(MF_ERROR_KERNEL, "unknown kernel"),
    ITEM(MF_ERROR_LEAKS, "kernel that leaks not allowed"),
    ITEM(MF_ERROR_LEAKS_VALUE, "unknown value of MANYFISH_LEAKS"),
    ITEM(MF_ERROR_CPU, "kernel not supported here"),
    ITEM(MF_ERROR_TAG, "wrong tag"),
    ITEM(MF_ERROR_PADDING, "bad decrypt"),
    ITEM(MF_ERROR_NONCE_LENGTH, "invalid iv length"),
    ITEM(MF_ERROR_CAPACITY, "output buffer too small"),
    ITEM(MF_ERROR_STATE, "wrong order of calls"),
    ITEM(MF_ERROR_TOO_LONG, "too much data"),
    ITEM(MF_ERROR_SELFTEST, "self test failed"),
    ITEM(MF_ERROR_TAG_LENGTH, "invalid tag length"),
    ITEM(MF_ERROR_TABLES, "kernel without tables"),
    ITEM(MF_ERROR_MEMORY, "malloc failure"),
    ITEM(REASON_NO_IV, "no iv set"),
    ITEM(REASON_FINISHED, "message finished"),
    ITEM(REASON_NOT_STARTED, "not initialized"),
    ITEM(REASON_NO_TAG, "tag not set"),
    ITEM(REASON_TAG_DIRECTION, "no tag in this direction"),
    ITEM(REASON_EQUAL_KEYS, "xts duplicated keys"),
    ITEM(REASON_ONE_CALL, "message in one call only"),
    ITEM(REASON_NO_AAD, "no associated data in this mode"),
    ITEM(REASON_ANNOUNCED, "not the announced length"),
    ITEM(REASON_PARAMETER, "invalid parameter"),
    ITEM(REASON_NUM, "cannot set num"),
    ITEM(REASON_LAST_BLOCK, "wrong final block length"),
    ITEM(0, NULL),
};

static void raise_error(const provider *p, int reason, const char *format, va_list arguments)
{
    if (p->new_error != NULL && p->vset_error != NULL) {
        p->new_error(p->core);
        p->vset_error(p->core, (uint32_t)reason, format, arguments);
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
