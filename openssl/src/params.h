/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reading and writing of OSSL_PARAM [OSSL_PARAM(3)]: the helpers of libcrypto cannot be called from
 * a module that does not link it.
 */
#ifndef MF_PROVIDER_PARAMS_H
#define MF_PROVIDER_PARAMS_H

#include <openssl/core.h>

#include <stdbool.h>
#include <stddef.h>

/* The parameter of this name in a list that may be NULL; NULL if there is none. */
const OSSL_PARAM *param_find(const OSSL_PARAM *list, const char *name);
OSSL_PARAM *param_find_to_set(OSSL_PARAM *list, const char *name);

/* Reads a number that is not negative, of 4 or 8 bytes, signed or not. False if it is none. */
bool param_get_number(const OSSL_PARAM *param, size_t *value);

/* Each sets a parameter of that name if there is one. False if it is there, but of another type, or
 * too small. A string may be wanted as a copy or as a pointer; without a buffer the caller only
 * gets its size. */
bool param_set_number(OSSL_PARAM *list, const char *name, size_t value);
bool param_set_bytes(OSSL_PARAM *list, const char *name, const void *bytes, size_t n_bytes);
bool param_set_text(OSSL_PARAM *list, const char *name, const char *text);

#endif
