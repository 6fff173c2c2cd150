/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The entry of the module [provider-base(7)]: what the core calls when it loads the provider, and
 * asks of it as a whole.
 */
#include "cipher.h"
#include "names.h"
#include "params.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <stdlib.h>

static const OSSL_PARAM gettable[] = {
    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
    OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
    OSSL_PARAM_END,
};

static const OSSL_PARAM *gettable_params(void *provider_context)
{
    (void)provider_context;
    return gettable;
}

static int get_params(void *provider_context, OSSL_PARAM params[])
{
    (void)provider_context;
    return param_set_text(params, OSSL_PROV_PARAM_NAME, "Manyfish: Twofish at every speed") &&
           param_set_text(params, OSSL_PROV_PARAM_VERSION, mf_version()) &&
           param_set_text(params, OSSL_PROV_PARAM_BUILDINFO, MF_VERSION) &&
           param_set_number(params, OSSL_PROV_PARAM_STATUS, 1);
}

static const OSSL_ALGORITHM *query_operation(void *provider_context, int operation, int *no_store)
{
    (void)provider_context;
    *no_store = 0;
    return operation == OSSL_OP_CIPHER ? provider_ciphers : NULL;
}

static int self_test(void *provider_context)
{
    return provider_check(provider_context, mf_twofish_selftest(NULL));
}

static void teardown(void *provider_context)
{
    provider *p = provider_context;

    p->clear_free(p, sizeof *p, __FILE__, __LINE__);
}

#define FUNCTION(id, name)                                                                         \
    {                                                                                              \
        (id), (void (*)(void))(name)                                                               \
    }

static const OSSL_DISPATCH functions[] = {
    FUNCTION(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
    FUNCTION(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params),
    FUNCTION(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
    FUNCTION(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query_operation),
    FUNCTION(OSSL_FUNC_PROVIDER_SELF_TEST, self_test),
    {0, NULL},
};

static void take(provider *p, const OSSL_DISPATCH *from)
{
    switch (from->function_id) {
    case OSSL_FUNC_CORE_NEW_ERROR:
        p->new_error = OSSL_FUNC_core_new_error(from);
        break;
    case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
        p->set_error_debug = OSSL_FUNC_core_set_error_debug(from);
        break;
    case OSSL_FUNC_CORE_VSET_ERROR:
        p->vset_error = OSSL_FUNC_core_vset_error(from);
        break;
    case OSSL_FUNC_CORE_GET_LIBCTX:
        p->get_libctx = OSSL_FUNC_core_get_libctx(from);
        break;
    case OSSL_FUNC_CRYPTO_ZALLOC:
        p->zalloc = OSSL_FUNC_CRYPTO_zalloc(from);
        break;
    case OSSL_FUNC_CRYPTO_CLEAR_FREE:
        p->clear_free = OSSL_FUNC_CRYPTO_clear_free(from);
        break;
    default:
        break;
    }
}

/* The one name that leaves the module. */
MF_API int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                              const OSSL_DISPATCH **out, void **provider_context)
{
    provider found = {.core = handle};

    for (; in->function_id != 0; in++) {
        take(&found, in);
    }
    if (found.zalloc == NULL || found.clear_free == NULL) {
        return 0;
    }
    provider *p = provider_alloc(&found, sizeof *p);
    if (p == NULL) {
        return 0;
    }
    *p = found;
    *provider_context = p;
    *out = functions;
    names_register(p, OSSL_provider_init);
    return 1;
}
