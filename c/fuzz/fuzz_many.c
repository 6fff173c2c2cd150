/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many messages under a key by any kernel and mode, of any lengths, in place or apart, against the
 * functions for one message; then the way back, with some of them altered. Texts, tags, statuses
 * and lengths are the same.
 */
#include <manyfish/many.h>

#include "fuzz.h"

enum { MAX_MESSAGES = 90, BLOCK = MF_MAX_BLOCK_BYTES };

/* --- Modes ------------------------------------------------------------------------------------ */

/* The context of the mode in use. */
static union {
    mf_cmac cmac;
    mf_ocb ocb;
    mf_eax eax;
    mf_gcm gcm;
    mf_siv siv;
} key;
static mf_cipher cipher;

/* A function for many messages with its key, and that for one of them. */
typedef mf_status many_messages(mf_message *messages, size_t n);
typedef mf_status one_message(mf_message *m);

#define MANY(name, ...)                                                                            \
    static mf_status name##_many(mf_message *messages, size_t n)                                   \
    {                                                                                              \
        return mf_##name##_many(__VA_ARGS__, messages, n);                                         \
    }

static mf_status init_cipher(const mf_cipher *other)
{
    (void)other;
    return MF_OK;
}

/* The functions for one message take a block for granted, and CBC changes it. */
static bool has_iv(const mf_message *m, unsigned char iv[BLOCK])
{
    if (m->nonce_bytes != cipher.block_bytes)
        return false;
    memcpy(iv, m->nonce, m->nonce_bytes);
    return true;
}

#define WITH_IV(name, call)                                                                        \
    static mf_status name##_one(mf_message *m)                                                     \
    {                                                                                              \
        unsigned char iv[BLOCK];                                                                   \
        return has_iv(m, iv) ? (call) : MF_ERROR_NONCE_LENGTH;                                     \
    }

static size_t padded_bytes(size_t n_bytes)
{
    return n_bytes - n_bytes % cipher.block_bytes + cipher.block_bytes;
}

WITH_IV(cbc_encrypt, mf_cbc_encrypt(&cipher, iv, m->out, m->in, m->n_bytes))
WITH_IV(cbc_decrypt, mf_cbc_decrypt(&cipher, iv, m->out, m->in, m->n_bytes))
WITH_IV(cbc_encrypt_padded, mf_cbc_encrypt_padded(&cipher, iv, m->out, padded_bytes(m->n_bytes),
                                                  &m->out_bytes, m->in, m->n_bytes))
WITH_IV(cbc_decrypt_padded,
        mf_cbc_decrypt_padded(&cipher, iv, m->out, m->n_bytes, &m->out_bytes, m->in, m->n_bytes))
MANY(cbc_encrypt, &cipher)
MANY(cbc_decrypt, &cipher)
MANY(cbc_encrypt_padded, &cipher)
MANY(cbc_decrypt_padded, &cipher)

static mf_status crypt_cfb(mf_status (*crypt)(mf_cfb *, void *, const void *, size_t),
                           const mf_message *m, const unsigned char *iv)
{
    mf_cfb cfb;
    REQUIRE_OK(mf_cfb_init(&cfb, &cipher, iv, (unsigned)(8 * cipher.block_bytes)));
    return crypt(&cfb, m->out, m->in, m->n_bytes);
}

static mf_status crypt_ofb(const mf_message *m, const unsigned char *iv)
{
    mf_ofb ofb;
    REQUIRE_OK(mf_ofb_init(&ofb, &cipher, iv));
    return mf_ofb_crypt(&ofb, m->out, m->in, m->n_bytes);
}

static mf_status crypt_ctr(const mf_message *m, const unsigned char *first, unsigned counter_bits)
{
    mf_ctr ctr;
    REQUIRE_OK(mf_ctr_init(&ctr, &cipher, first, counter_bits));
    return mf_ctr_crypt(&ctr, m->out, m->in, m->n_bytes);
}

WITH_IV(cfb_encrypt, crypt_cfb(mf_cfb_encrypt, m, iv))
WITH_IV(cfb_decrypt, crypt_cfb(mf_cfb_decrypt, m, iv))
WITH_IV(ofb_crypt, crypt_ofb(m, iv))
WITH_IV(ctr_crypt, crypt_ctr(m, iv, (unsigned)(8 * cipher.block_bytes)))
WITH_IV(ctr_32_crypt, crypt_ctr(m, iv, 32))
MANY(cfb_encrypt, &cipher)
MANY(cfb_decrypt, &cipher)
MANY(ofb_crypt, &cipher)
MANY(ctr_crypt, &cipher, (unsigned)(8 * cipher.block_bytes))

static mf_status ctr_32_crypt_many(mf_message *messages, size_t n)
{
    return mf_ctr_crypt_many(&cipher, 32, messages, n);
}

static mf_status init_cmac(const mf_cipher *other)
{
    (void)other;
    return mf_cmac_init(&key.cmac, &cipher);
}

static mf_status cmac_compute_one(mf_message *m)
{
    return mf_cmac_compute(&key.cmac, m->in, m->n_bytes, m->tag, m->tag_bytes);
}

static mf_status cmac_verify_one(mf_message *m)
{
    return mf_cmac_verify(&key.cmac, m->in, m->n_bytes, m->tag, m->tag_bytes);
}

MANY(cmac_compute, &key.cmac)
MANY(cmac_verify, &key.cmac)

/* A function for one message of a mode with nonce, associated data and tag. */
#define SEALING_ONE(name, call, ...)                                                               \
    static mf_status name##_one(mf_message *m)                                                     \
    {                                                                                              \
        return call(__VA_ARGS__);                                                                  \
    }

/* Both directions; `init` makes the key. */
#define SEALING(name, at, init, ...)                                                               \
    static mf_status init_##name(const mf_cipher *other)                                           \
    {                                                                                              \
        (void)other;                                                                               \
        return init;                                                                               \
    }                                                                                              \
    SEALING_ONE(name##_encrypt, mf_##name##_encrypt, at, __VA_ARGS__)                              \
    SEALING_ONE(name##_decrypt, mf_##name##_decrypt, at, __VA_ARGS__)                              \
    MANY(name##_encrypt, at)                                                                       \
    MANY(name##_decrypt, at)

#define MESSAGE m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, m->out, m->in, m->n_bytes, m->tag

SEALING(ocb, &key.ocb, mf_ocb_init(&key.ocb, &cipher), MESSAGE)
SEALING(eax, &key.eax, mf_eax_init(&key.eax, &cipher), MESSAGE, m->tag_bytes)
SEALING(gcm, &key.gcm, mf_gcm_init(&key.gcm, &cipher), MESSAGE, m->tag_bytes)
SEALING(ccm, &cipher, MF_OK, MESSAGE, m->tag_bytes)
SEALING(siv, &key.siv, mf_siv_init(&key.siv, &cipher, other),
        &(mf_siv_string){m->aad, m->aad_bytes}, m->aad != NULL, m->nonce, m->nonce_bytes, m->out,
        m->in, m->n_bytes, m->tag)

typedef enum lengths { ANY_LENGTH, WHOLE_BLOCKS, PADDED } lengths;

typedef struct mode {
    mf_status (*init)(const mf_cipher *other);
    many_messages *encrypt_many, *decrypt_many;
    one_message *encrypt_one, *decrypt_one;
    lengths lengths;
    bool takes_iv;    /* else a nonce of any length */
    size_t tag_bytes; /* of all tags; 0: any length, or there are none */
    bool wide;        /* for blocks of 16 bytes only */
} mode;

/* A row of the table: the functions of a mode are named alike. */
#define FUNCTIONS(forth, back) forth##_many, back##_many, forth##_one, back##_one

static const mode modes[] = {
    {init_cipher, FUNCTIONS(cbc_encrypt, cbc_decrypt), WHOLE_BLOCKS, true, 0, false},
    {init_cipher, FUNCTIONS(cbc_encrypt_padded, cbc_decrypt_padded), PADDED, true, 0, false},
    {init_cipher, FUNCTIONS(cfb_encrypt, cfb_decrypt), ANY_LENGTH, true, 0, false},
    {init_cipher, FUNCTIONS(ofb_crypt, ofb_crypt), ANY_LENGTH, true, 0, false},
    {init_cipher, FUNCTIONS(ctr_crypt, ctr_crypt), ANY_LENGTH, true, 0, false},
    {init_cipher, FUNCTIONS(ctr_32_crypt, ctr_32_crypt), ANY_LENGTH, true, 0, false},
    {init_cmac, FUNCTIONS(cmac_compute, cmac_verify), ANY_LENGTH, false, 0, false},
    {init_eax, FUNCTIONS(eax_encrypt, eax_decrypt), ANY_LENGTH, false, 0, false},
    {init_ocb, FUNCTIONS(ocb_encrypt, ocb_decrypt), ANY_LENGTH, false, 16, true},
    {init_gcm, FUNCTIONS(gcm_encrypt, gcm_decrypt), ANY_LENGTH, false, 0, true},
    {init_ccm, FUNCTIONS(ccm_encrypt, ccm_decrypt), ANY_LENGTH, false, 0, true},
    {init_siv, FUNCTIONS(siv_encrypt, siv_decrypt), ANY_LENGTH, false, 16, true},
};

/* --- Messages --------------------------------------------------------------------------------- */

/* A message for each way, each in memory of its own. */
typedef struct pair {
    mf_message one;
    size_t out_capacity;
} pair;

static mf_message messages[MAX_MESSAGES];
static pair pairs[MAX_MESSAGES];

/* A copy of n_bytes, in memory of exactly capacity bytes. */
static unsigned char *copy(const void *data, size_t n_bytes, size_t capacity)
{
    unsigned char *const buffer = fuzz_buffer(capacity);
    if (n_bytes > 0)
        memcpy(buffer, data, n_bytes);
    return buffer;
}

/* Some bytes of the input, and others. */
static unsigned char *any_bytes(fuzz_input *input, size_t n_bytes, size_t capacity)
{
    unsigned char *const buffer = fuzz_buffer(capacity);
    fuzz_bytes(input, buffer, n_bytes < 4 ? n_bytes : 4);
    for (size_t i = 4; i < n_bytes; i++)
        buffer[i] = (unsigned char)(5 * buffer[i - 4] + i);
    return buffer;
}

/* Message i. Short inputs, too, make messages of many kinds and lengths. */
static void make_message(const mode *mode, fuzz_input *input, size_t i, mf_message *m,
                         size_t *out_capacity)
{
    const size_t kind = (fuzz_below(input, 64) + 7 * i) % 64;
    size_t n_bytes = kind < 4 ? fuzz_below(input, 9000) : (fuzz_below(input, 128) + 29 * i) % 128;
    if (mode->lengths == WHOLE_BLOCKS && kind != 9)
        n_bytes -= n_bytes % cipher.block_bytes;
    const size_t capacity = mode->lengths == PADDED ? padded_bytes(n_bytes) : n_bytes;
    memset(m, 0, sizeof *m);
    m->nonce_bytes = mode->takes_iv && kind != 10 ? cipher.block_bytes
                     : kind % 2                   ? 12
                                                  : fuzz_below(input, 20);
    m->nonce = any_bytes(input, m->nonce_bytes, m->nonce_bytes);
    m->aad_bytes = kind % 8 < 4 ? 0 : fuzz_below(input, 70);
    m->aad = kind % 8 == 0 ? NULL : any_bytes(input, m->aad_bytes, m->aad_bytes);
    m->n_bytes = n_bytes;
    m->in = any_bytes(input, n_bytes, kind < 32 ? capacity : n_bytes);
    m->out = kind < 32 ? (void *)(uintptr_t)m->in : fuzz_buffer(capacity);
    m->tag_bytes = mode->tag_bytes > 0 ? mode->tag_bytes : kind % 4 < 3 ? 8 : fuzz_below(input, 18);
    m->tag = fuzz_buffer(m->tag_bytes);
    *out_capacity = capacity;
}

static void free_message(const mf_message *m)
{
    if (m->in != m->out)
        free((void *)(uintptr_t)m->in);
    free(m->out);
    free(m->tag);
}

/* The same message with texts and tag in other memory. */
static mf_message copy_of(const mf_message *m, size_t out_capacity)
{
    mf_message other = *m;
    const size_t in_capacity = m->in == m->out ? out_capacity : m->n_bytes;
    other.in = copy(m->in, m->n_bytes, in_capacity);
    other.out = m->in == m->out ? (void *)(uintptr_t)other.in : copy(m->out, 0, out_capacity);
    other.tag = copy(m->tag, m->tag_bytes, m->tag_bytes);
    return other;
}

/* Both ways give the same. */
static void compare(many_messages *many, one_message *one, size_t n)
{
    mf_status first = MF_OK;
    for (size_t i = 0; i < n; i++)
        pairs[i].one = copy_of(&messages[i], pairs[i].out_capacity);
    const mf_status status = many(messages, n);
    for (size_t i = 0; i < n; i++) {
        mf_message *const m = &pairs[i].one;
        m->out_bytes = 0;
        const mf_status expected = one(m);
        first = first == MF_OK ? expected : first;
        REQUIRE(messages[i].status == expected);
        REQUIRE(messages[i].out_bytes == (expected == MF_OK ? m->out_bytes : 0));
        REQUIRE(memcmp(messages[i].out, m->out, pairs[i].out_capacity) == 0);
        REQUIRE(memcmp(messages[i].tag, m->tag, m->tag_bytes) == 0);
        free_message(m);
    }
    REQUIRE(status == first);
}

/* The output becomes the input, with a bit altered in some of the texts and tags. */
static void turn_around(const mode *mode, fuzz_input *input, size_t i, mf_message *m,
                        size_t *out_capacity)
{
    const size_t alteration = (fuzz_below(input, 256) + 11 * i) % 256;
    const size_t n_bytes = mode->lengths == PADDED ? m->out_bytes : m->n_bytes;
    const bool reads_out = mode->encrypt_many != cmac_compute_many;
    unsigned char *const in = copy(reads_out ? m->out : m->in, n_bytes, n_bytes);

    if (m->in != m->out)
        free((void *)(uintptr_t)m->in);
    free(m->out);
    m->in = in;
    m->out = alteration % 2 ? in : fuzz_buffer(n_bytes);
    m->n_bytes = n_bytes;
    *out_capacity = n_bytes;
    if (alteration < 32 && m->tag_bytes > 0)
        m->tag[alteration % m->tag_bytes] ^= 4;
    else if (alteration < 64 && n_bytes > 0)
        in[n_bytes - 1 - alteration % n_bytes] ^= 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    fuzz_input input = {data, n_bytes};
    const mode *const mode = &modes[fuzz_below(&input, sizeof modes / sizeof modes[0])];
    const size_t n = fuzz_below(&input, MAX_MESSAGES + 1);
    fuzz_cipher first, second;

    if (mode->wide)
        fuzz_twofish(&input, &first);
    else
        fuzz_any_cipher(&input, &first);
    if (mode->init == init_siv)
        fuzz_twofish(&input, &second);
    memset(&key, 0, sizeof key);
    cipher = first.cipher;
    REQUIRE_OK(mode->init(&second.cipher));
    for (size_t i = 0; i < n; i++)
        make_message(mode, &input, i, &messages[i], &pairs[i].out_capacity);
    compare(mode->encrypt_many, mode->encrypt_one, n);
    for (size_t i = 0; i < n; i++)
        turn_around(mode, &input, i, &messages[i], &pairs[i].out_capacity);
    compare(mode->decrypt_many, mode->decrypt_one, n);
    for (size_t i = 0; i < n; i++) {
        free((void *)(uintptr_t)messages[i].nonce);
        free((void *)(uintptr_t)messages[i].aad);
        free_message(&messages[i]);
    }
    return 0;
}
