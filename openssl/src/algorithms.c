/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of algorithms. OpenSSL tells a function only which provider it is in, not which
 * algorithm it was called for; so each algorithm has two small functions of its own.
 */
#include "cipher.h"

#define FUNCTION(id, name)                                                                         \
    {                                                                                              \
        (id), (void (*)(void))(name)                                                               \
    }

#define ALGORITHM(bits, mode_name, keys)                                                           \
    static const algorithm algorithm_##mode_name##_##bits = {&mode_##mode_name,                    \
                                                             (keys) * (bits) / 8};                 \
    static void *new_##mode_name##_##bits(void *provider_context)                                  \
    {                                                                                              \
        return cipher_new(provider_context, &algorithm_##mode_name##_##bits);                      \
    }                                                                                              \
    static int get_params_##mode_name##_##bits(OSSL_PARAM params[])                                \
    {                                                                                              \
        return cipher_get_params(params, &algorithm_##mode_name##_##bits);                         \
    }                                                                                              \
    static const OSSL_DISPATCH functions_##mode_name##_##bits[] = {                                \
        FUNCTION(OSSL_FUNC_CIPHER_NEWCTX, new_##mode_name##_##bits),                               \
        FUNCTION(OSSL_FUNC_CIPHER_GET_PARAMS, get_params_##mode_name##_##bits),                    \
        FUNCTION(OSSL_FUNC_CIPHER_FREECTX, cipher_free),                                           \
        FUNCTION(OSSL_FUNC_CIPHER_DUPCTX, cipher_duplicate),                                       \
        FUNCTION(OSSL_FUNC_CIPHER_ENCRYPT_INIT, cipher_encrypt_init),                              \
        FUNCTION(OSSL_FUNC_CIPHER_DECRYPT_INIT, cipher_decrypt_init),                              \
        FUNCTION(OSSL_FUNC_CIPHER_UPDATE, cipher_update),                                          \
        FUNCTION(OSSL_FUNC_CIPHER_FINAL, cipher_final),                                            \
        FUNCTION(OSSL_FUNC_CIPHER_CIPHER, cipher_once),                                            \
        FUNCTION(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params),                          \
        FUNCTION(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params),                          \
        FUNCTION(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, cipher_gettable_params),                        \
        FUNCTION(OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params),                \
        FUNCTION(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params),                \
        {0, NULL},                                                                                 \
    };

#define ALL_SIZES(mode_name, keys)                                                                 \
    ALGORITHM(128, mode_name, keys)                                                                \
    ALGORITHM(192, mode_name, keys)                                                                \
    ALGORITHM(256, mode_name, keys)

ALL_SIZES(ecb, 1)
ALL_SIZES(cbc, 1)
ALL_SIZES(ctr, 1)
ALL_SIZES(cfb, 1)
ALL_SIZES(cfb8, 1)
ALL_SIZES(cfb1, 1)
ALL_SIZES(ofb, 1)
ALL_SIZES(xts, 2)
/* The bits of both keys together, as cryptsetup has it in the name. */
ALGORITHM(256, lrw, 1)
ALGORITHM(320, lrw, 1)
ALGORITHM(384, lrw, 1)
ALL_SIZES(ocb, 1)
ALL_SIZES(gcm, 1)
ALL_SIZES(ccm, 1)
ALL_SIZES(siv, 2)

#define ROW(names, mode_name, bits)                                                                \
    {                                                                                              \
        names, "provider=manyfish", functions_##mode_name##_##bits, NULL                           \
    }
#define ROWS(upper, mode_name)                                                                     \
    ROW("TWOFISH-128-" upper, mode_name, 128), ROW("TWOFISH-192-" upper, mode_name, 192),          \
        ROW("TWOFISH-256-" upper, mode_name, 256)

/* TWOFISH256 is CBC, as AES256 is. */
const OSSL_ALGORITHM provider_ciphers[] = {
    ROWS("ECB", ecb),
    ROW("TWOFISH-128-CBC:TWOFISH128", cbc, 128),
    ROW("TWOFISH-192-CBC:TWOFISH192", cbc, 192),
    ROW("TWOFISH-256-CBC:TWOFISH256", cbc, 256),
    ROWS("CTR", ctr),
    ROWS("CFB", cfb),
    ROWS("CFB8", cfb8),
    ROWS("CFB1", cfb1),
    ROWS("OFB", ofb),
    ROWS("XTS", xts),
    ROW("TWOFISH-256-LRW", lrw, 256),
    ROW("TWOFISH-320-LRW", lrw, 320),
    ROW("TWOFISH-384-LRW", lrw, 384),
    ROWS("OCB", ocb),
    ROWS("GCM", gcm),
    ROWS("CCM", ccm),
    ROWS("SIV", siv),
    {NULL, NULL, NULL, NULL},
};
