/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * EVP_get_cipherbyname, with which Node, PHP and Ruby find a cipher, reads a list in which
 * libcrypto has its own ciphers only. A program may add to it (OBJ_NAME_add), and what it adds may
 * be a cipher of a provider. That provider must be active, and this one is only just being loaded;
 * so the ciphers are fetched from a second library context that has this provider alone. It lives
 * as long as the process.
 *
 * The functions for that are those of the very libcrypto that loads us, which may be a part of the
 * program: they are looked up in the file in which the core's own functions are. Where libcrypto
 * hides them nothing is added.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dladdr */
#endif

#include "names.h"

#include "cipher.h"

#if defined(_WIN32)

void names_register(const provider *p, OSSL_provider_init_fn *init)
{
    (void)p;
    (void)init;
}

#else

#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/provider.h>

#include <dlfcn.h>
#include <string.h>

enum { MAX_NAMES = 64, MAX_NAME_BYTES = 24 };

typedef struct libcrypto {
    OSSL_LIB_CTX *(*get_default)(void);
    OSSL_LIB_CTX *(*new_context)(void);
    int (*add_builtin)(OSSL_LIB_CTX *, const char *, OSSL_provider_init_fn *);
    OSSL_PROVIDER *(*load)(OSSL_LIB_CTX *, const char *, int);
    EVP_CIPHER *(*fetch)(OSSL_LIB_CTX *, const char *, const char *);
    int (*add_name)(const char *, int, const char *);
    /* For numbers; NULL where libcrypto has them no more. */
    int (*new_nid)(int);
    ASN1_OBJECT *(*new_object)(int, unsigned char *, int, const char *, const char *);
    int (*add_object)(const ASN1_OBJECT *);
    void (*free_object)(ASN1_OBJECT *);
    EVP_CIPHER *(*new_method)(int, int, int);
    void (*free_method)(EVP_CIPHER *);
} libcrypto;

/* --- finding libcrypto ------------------------------------------------------------------------ */

/* Where the file begins in which this function of libcrypto is. */
static bool find_file(const provider *p, Dl_info *info)
{
    void *function;

    memcpy(&function, &p->zalloc, sizeof function);
    return dladdr(function, info) != 0;
}

/* The function of this name, if it is in that file. */
static bool find(void *handle, const Dl_info *file, const char *name, void *function)
{
    void *address = dlsym(handle, name);
    Dl_info found;

    if (address == NULL || dladdr(address, &found) == 0 || found.dli_fbase != file->dli_fbase) {
        return false;
    }
    memcpy(function, &address, sizeof address);
    return true;
}

static bool find_for_numbers(libcrypto *c, void *handle, const Dl_info *file)
{
    return find(handle, file, "OBJ_new_nid", &c->new_nid) &&
           find(handle, file, "ASN1_OBJECT_create", &c->new_object) &&
           find(handle, file, "OBJ_add_object", &c->add_object) &&
           find(handle, file, "ASN1_OBJECT_free", &c->free_object) &&
           find(handle, file, "EVP_CIPHER_meth_free", &c->free_method) &&
           find(handle, file, "EVP_CIPHER_meth_new", &c->new_method);
}

static bool find_all(libcrypto *c, void *handle, const Dl_info *file)
{
    if (!find_for_numbers(c, handle, file)) {
        c->new_method = NULL;
    }
    return find(handle, file, "OSSL_LIB_CTX_get0_global_default", &c->get_default) &&
           find(handle, file, "OSSL_LIB_CTX_new", &c->new_context) &&
           find(handle, file, "OSSL_PROVIDER_add_builtin", &c->add_builtin) &&
           find(handle, file, "OSSL_PROVIDER_try_load", &c->load) &&
           find(handle, file, "EVP_CIPHER_fetch", &c->fetch) &&
           find(handle, file, "OBJ_NAME_add", &c->add_name);
}

/* A library that is loaded has a handle by its name; the program itself by no name. */
static bool find_libcrypto(const provider *p, libcrypto *c)
{
    Dl_info file;

    if (!find_file(p, &file)) {
        return false;
    }
    void *library = dlopen(file.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    void *program = dlopen(NULL, RTLD_LAZY);
    return (library != NULL && find_all(c, library, &file)) ||
           (program != NULL && find_all(c, program, &file));
}

/* Nothing is ever taken out of that list, so this module must stay. */
static bool stay(OSSL_provider_init_fn *init)
{
    void *function;
    Dl_info own;

    memcpy(&function, &init, sizeof function);
    return dladdr(function, &own) != 0 &&
           dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != NULL;
}

/* --- adding ----------------------------------------------------------------------------------- */

static bool add_name(const libcrypto *c, const char *name, const EVP_CIPHER *cipher)
{
    return c->add_name(name, OBJ_NAME_TYPE_CIPHER_METH, (const char *)cipher) != 0;
}

/* A number of its own (NID), without an OID: there is none for most of these modes. 0: none. */
static int new_number(const libcrypto *c, const char *name)
{
    const int nid = c->new_nid(1);
    ASN1_OBJECT *object = c->new_object(nid, NULL, 0, name, name);
    const bool added = object != NULL && c->add_object(object) != 0;

    c->free_object(object);
    return added ? nid : NID_undef;
}

/* A fetched cipher takes its number from what is listed by its name; so that is, for a moment, a
 * cipher which has nothing but a number. */
static EVP_CIPHER *list_number(const libcrypto *c, const char *name)
{
    EVP_CIPHER *method = NULL;

    if (c->new_method != NULL) {
        method = c->new_method(new_number(c, name), BLOCK_BYTES, BLOCK_BYTES);
    }
    if (method != NULL && !add_name(c, name, method)) {
        c->free_method(method);
        method = NULL;
    }
    return method;
}

/* The list of libcrypto keeps no copy of a name. It does not tell TWOFISH from twofish. */
typedef struct listed {
    char name[MAX_NAME_BYTES];
    EVP_CIPHER *method; /* that it had first */
    bool is_alias;      /* of the one before */
} listed;

/* All names of all algorithms; the number of them. */
static size_t split_names(listed list[])
{
    size_t n = 0;

    for (const OSSL_ALGORITHM *a = provider_ciphers; a->algorithm_names != NULL; a++) {
        const char *names = a->algorithm_names;

        for (bool is_alias = false; *names != '\0' && n < MAX_NAMES; is_alias = true) {
            const size_t n_bytes = strcspn(names, ":");

            if (n_bytes < MAX_NAME_BYTES) {
                memcpy(list[n].name, names, n_bytes);
                list[n++].is_alias = is_alias;
            }
            names += n_bytes + (names[n_bytes] == ':');
        }
    }
    return n;
}

/* The first fetch makes all ciphers, so all numbers come before it. A method that cannot be
 * replaced stays: what is listed must exist. */
static void add_all(const libcrypto *c, OSSL_LIB_CTX *context)
{
    static listed list[MAX_NAMES];
    const size_t n = split_names(list);
    const EVP_CIPHER *cipher = NULL;

    for (size_t i = 0; i < n; i++) {
        list[i].method = list[i].is_alias ? NULL : list_number(c, list[i].name);
    }
    for (size_t i = 0; i < n; i++) {
        if (!list[i].is_alias) {
            cipher = c->fetch(context, list[i].name, NULL);
        }
        if (cipher != NULL && add_name(c, list[i].name, cipher) && list[i].method != NULL) {
            c->free_method(list[i].method);
        }
    }
}

/* OpenSSL has no pointer for its default context, or one. */
static bool in_default_context(const provider *p, const libcrypto *c)
{
    const OSSL_LIB_CTX *context = (const OSSL_LIB_CTX *)p->get_libctx(p->core);

    return context == NULL || context == c->get_default();
}

void names_register(const provider *p, OSSL_provider_init_fn *init)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    static _Atomic(OSSL_LIB_CTX *) kept; /* leak checkers look here */
    libcrypto c;

    if (p->get_libctx == NULL || !find_libcrypto(p, &c) || !in_default_context(p, &c) ||
        !stay(init) || atomic_flag_test_and_set(&done)) {
        return;
    }
    OSSL_LIB_CTX *context = c.new_context();
    atomic_store(&kept, context);
    if (context != NULL && c.add_builtin(context, "manyfish", init) != 0 &&
        c.load(context, "manyfish", 1) != NULL) {
        add_all(&c, context);
    }
}

#endif
