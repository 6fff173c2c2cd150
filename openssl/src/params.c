/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Parameters without libcrypto; see params.h.
 */
#include "params.h"

#include <stdint.h>
#include <string.h>

const OSSL_PARAM *param_find(const OSSL_PARAM *list, const char *name)
{
    for (const OSSL_PARAM *param = list; param != NULL && param->key != NULL; param++) {
        if (strcmp(param->key, name) == 0) {
            return param;
        }
    }
    return NULL;
}

OSSL_PARAM *param_find_to_set(OSSL_PARAM *list, const char *name)
{
    return (OSSL_PARAM *)param_find(list, name);
}

/* The number as 64 bits; sign tells whether its highest bit is one of a negative number. */
static bool read_number(const OSSL_PARAM *param, uint64_t *value, bool *high_bit)
{
    uint32_t word;

    if (param->data == NULL) {
        return false;
    }
    if (param->data_size == sizeof word) {
        memcpy(&word, param->data, sizeof word);
        *value = word;
        *high_bit = word >> 31 != 0;
        return true;
    }
    if (param->data_size == sizeof *value) {
        memcpy(value, param->data, sizeof *value);
        *high_bit = *value >> 63 != 0;
        return true;
    }
    return false;
}

bool param_get_number(const OSSL_PARAM *param, size_t *value)
{
    uint64_t number;
    bool high_bit;

    if (param->data_type != OSSL_PARAM_INTEGER && param->data_type != OSSL_PARAM_UNSIGNED_INTEGER) {
        return false;
    }
    if (!read_number(param, &number, &high_bit) || number > SIZE_MAX ||
        (param->data_type == OSSL_PARAM_INTEGER && high_bit)) {
        return false;
    }
    *value = (size_t)number;
    return true;
}

bool param_set_number(OSSL_PARAM *list, const char *name, size_t value)
{
    OSSL_PARAM *param = param_find_to_set(list, name);
    const uint32_t word = (uint32_t)value;
    const uint64_t number = value;

    if (param == NULL) {
        return true;
    }
    if (param->data_type != OSSL_PARAM_INTEGER && param->data_type != OSSL_PARAM_UNSIGNED_INTEGER) {
        return false;
    }
    param->return_size = sizeof value;
    if (param->data == NULL) {
        return true;
    }
    param->return_size = param->data_size;
    if (param->data_size == sizeof word && value <= INT32_MAX) {
        memcpy(param->data, &word, sizeof word);
    } else if (param->data_size == sizeof number) {
        memcpy(param->data, &number, sizeof number);
    } else {
        return false;
    }
    return true;
}

bool param_set_bytes(OSSL_PARAM *list, const char *name, const void *bytes, size_t n_bytes)
{
    OSSL_PARAM *param = param_find_to_set(list, name);

    if (param == NULL) {
        return true;
    }
    param->return_size = n_bytes;
    if (param->data_type == OSSL_PARAM_OCTET_PTR) {
        if (param->data != NULL) {
            *(const void **)param->data = bytes;
        }
        return true;
    }
    if (param->data_type != OSSL_PARAM_OCTET_STRING) {
        return false;
    }
    if (param->data != NULL && param->data_size < n_bytes) {
        return false;
    }
    if (param->data != NULL) {
        memcpy(param->data, bytes, n_bytes);
    }
    return true;
}

bool param_set_text(OSSL_PARAM *list, const char *name, const char *text)
{
    OSSL_PARAM *param = param_find_to_set(list, name);

    if (param == NULL) {
        return true;
    }
    param->return_size = strlen(text);
    if (param->data_type == OSSL_PARAM_UTF8_PTR) {
        if (param->data != NULL) {
            *(const void **)param->data = text;
        }
        return true;
    }
    if (param->data_type != OSSL_PARAM_UTF8_STRING) {
        return false;
    }
    if (param->data != NULL && param->data_size < strlen(text)) {
        return false;
    }
    if (param->data != NULL) {
        memcpy(param->data, text, strlen(text) + (param->data_size > strlen(text)));
    }
    return true;
}
