/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many messages at once against the functions for one message: for each mode and kernel, random
 * mixtures of lengths, of buffers (in place or apart) and of faults, among them wrong tags. Both go
 * through memory with the same contents, which must be the same afterwards, byte for byte. The
 * functions for one message have a table kernel: a wide one would take most of the time for blocks
 * that come one by one. Then the faults of a whole call, and how busy the lanes are.
 */
#include "support.h"

#include <manyfish/many.h>

#include <stdint.h>
#include <string.h>

enum {
    BLOCK = MF_MAX_BLOCK_BYTES,
    MAX_MESSAGES = 1100, /* twice the lanes for blocks of 8 bytes, and more */
    MAX_NONCE = 40,
    MAX_AAD = 70,
    ARENA = 3 << 20,
    MARGIN = 4096
};

/* The same contents, one for each way. */
static unsigned char arenas[2][ARENA];

/* The place in arena n of what is at p in the first one. */
static unsigned char *in_arena(size_t n, const void *p)
{
    return p == NULL ? NULL : arenas[n] + ((const unsigned char *)p - arenas[0]);
}

/* --- Modes ------------------------------------------------------------------------------------ */

typedef struct contexts {
    mf_cipher cipher;
    mf_cmac cmac;
    mf_ocb ocb;
    mf_eax eax;
    mf_gcm gcm;
    mf_siv siv;
} contexts;

/* The same keys, by the kernel under test and by one that is quick with one block; and those that
 * the functions below take. */
static contexts by_kernel, by_tables;
static contexts *under = &by_kernel;

typedef mf_status one_message(mf_message *m);

typedef struct tested {
    const char *name;
    mf_status (*many)(mf_message *array, size_t n);
    one_message *one;
    one_message *prepare; /* makes a valid input of one; NULL: anything is valid */
    size_t granule;       /* lengths are multiples of it; 0: of the block */
    size_t tag_bytes;     /* 0: there is no tag */
    bool wide;            /* for blocks of 16 bytes only */
    bool has_iv;          /* a nonce of a block, else of any length that the mode takes */
} tested;

static mf_status iv_error(const mf_message *m, unsigned char iv[BLOCK])
{
    if (m->nonce_bytes != under->cipher.block_bytes) {
        return MF_ERROR_NONCE_LENGTH;
    }
    if (m->nonce == NULL) {
        return MF_ERROR_NULL;
    }
    memcpy(iv, m->nonce, under->cipher.block_bytes);
    return MF_OK;
}

/* A function for one message with an IV, as `call` makes it. */
#define ONE_WITH_IV(name, call)                                                                    \
    static mf_status name(mf_message *m)                                                           \
    {                                                                                              \
        unsigned char iv[BLOCK];                                                                   \
        const mf_status status = iv_error(m, iv);                                                  \
        return status == MF_OK ? (call) : status;                                                  \
    }

#define MANY(name, call)                                                                           \
    static mf_status name(mf_message *array, size_t n)                                             \
    {                                                                                              \
        return (call);                                                                             \
    }

static size_t padded_bytes(const mf_message *m)
{
    return m->n_bytes - m->n_bytes % under->cipher.block_bytes + under->cipher.block_bytes;
}

ONE_WITH_IV(cbc_encrypt, mf_cbc_encrypt(&under->cipher, iv, m->out, m->in, m->n_bytes))
ONE_WITH_IV(cbc_decrypt, mf_cbc_decrypt(&under->cipher, iv, m->out, m->in, m->n_bytes))
ONE_WITH_IV(cbc_encrypt_padded, mf_cbc_encrypt_padded(&under->cipher, iv, m->out, padded_bytes(m),
                                                      &m->out_bytes, m->in, m->n_bytes))
ONE_WITH_IV(cbc_decrypt_padded, mf_cbc_decrypt_padded(&under->cipher, iv, m->out, m->n_bytes,
                                                      &m->out_bytes, m->in, m->n_bytes))
MANY(cbc_encrypt_many, mf_cbc_encrypt_many(&under->cipher, array, n))
MANY(cbc_decrypt_many, mf_cbc_decrypt_many(&under->cipher, array, n))
MANY(cbc_encrypt_padded_many, mf_cbc_encrypt_padded_many(&under->cipher, array, n))
MANY(cbc_decrypt_padded_many, mf_cbc_decrypt_padded_many(&under->cipher, array, n))

/* Its blocks are one fewer than those that it decrypts to. */
static mf_status prepare_padded(mf_message *m)
{
    unsigned char iv[BLOCK];
    size_t out_bytes = 0;
    void *in = in_arena(0, m->in);

    memcpy(iv, m->nonce, under->cipher.block_bytes);
    return mf_cbc_encrypt_padded(&under->cipher, iv, in, m->n_bytes, &out_bytes, in,
                                 m->n_bytes - 1 - random_below(under->cipher.block_bytes));
}

static mf_status crypt_cfb(mf_message *m,
                           mf_status (*crypt)(mf_cfb *, void *, const void *, size_t))
{
    unsigned char iv[BLOCK];
    mf_cfb cfb;
    mf_status status = iv_error(m, iv);
    if (status != MF_OK) {
        return status;
    }
    status = mf_cfb_init(&cfb, &under->cipher, iv, (unsigned)(8 * under->cipher.block_bytes));
    return status == MF_OK ? crypt(&cfb, m->out, m->in, m->n_bytes) : status;
}

static mf_status cfb_encrypt(mf_message *m)
{
    return crypt_cfb(m, mf_cfb_encrypt);
}

static mf_status cfb_decrypt(mf_message *m)
{
    return crypt_cfb(m, mf_cfb_decrypt);
}

MANY(cfb_encrypt_many, mf_cfb_encrypt_many(&under->cipher, array, n))
MANY(cfb_decrypt_many, mf_cfb_decrypt_many(&under->cipher, array, n))

static mf_status ofb_crypt(mf_message *m)
{
    unsigned char iv[BLOCK];
    mf_ofb ofb;
    mf_status status = iv_error(m, iv);
    if (status != MF_OK) {
        return status;
    }
    status = mf_ofb_init(&ofb, &under->cipher, iv);
    return status == MF_OK ? mf_ofb_crypt(&ofb, m->out, m->in, m->n_bytes) : status;
}

MANY(ofb_crypt_many, mf_ofb_crypt_many(&under->cipher, array, n))

static mf_status crypt_ctr(mf_message *m, unsigned counter_bits)
{
    unsigned char first[BLOCK];
    mf_ctr ctr;
    mf_status status = iv_error(m, first);
    if (status != MF_OK) {
        return status;
    }
    status = mf_ctr_init(&ctr, &under->cipher, first, counter_bits);
    return status == MF_OK ? mf_ctr_crypt(&ctr, m->out, m->in, m->n_bytes) : status;
}

static mf_status ctr_crypt(mf_message *m)
{
    return crypt_ctr(m, (unsigned)(8 * under->cipher.block_bytes));
}

static mf_status ctr_32_crypt(mf_message *m)
{
    return crypt_ctr(m, 32);
}

MANY(ctr_crypt_many,
     mf_ctr_crypt_many(&under->cipher, (unsigned)(8 * under->cipher.block_bytes), array, n))
MANY(ctr_32_crypt_many, mf_ctr_crypt_many(&under->cipher, 32, array, n))

static mf_status cmac_compute(mf_message *m)
{
    return mf_cmac_compute(&under->cmac, m->in, m->n_bytes, m->tag, m->tag_bytes);
}

static mf_status cmac_verify(mf_message *m)
{
    return mf_cmac_verify(&under->cmac, m->in, m->n_bytes, m->tag, m->tag_bytes);
}

MANY(cmac_compute_many, mf_cmac_compute_many(&under->cmac, array, n))
MANY(cmac_verify_many, mf_cmac_verify_many(&under->cmac, array, n))

/* Both directions of authenticated encryption; prepare_X encrypts in place. */
#define AEAD(name, key, one_encrypt, one_decrypt, ...)                                             \
    static mf_status name##_encrypt(mf_message *m)                                                 \
    {                                                                                              \
        return one_encrypt(__VA_ARGS__ m->out, m->in, m->n_bytes, m->tag, m->tag_bytes);           \
    }                                                                                              \
    static mf_status name##_decrypt(mf_message *m)                                                 \
    {                                                                                              \
        return one_decrypt(__VA_ARGS__ m->out, m->in, m->n_bytes, m->tag, m->tag_bytes);           \
    }                                                                                              \
    static mf_status prepare_##name(mf_message *m)                                                 \
    {                                                                                              \
        void *in = in_arena(0, m->in);                                                             \
        return one_encrypt(__VA_ARGS__ in, in, m->n_bytes, m->tag, m->tag_bytes);                  \
    }                                                                                              \
    MANY(name##_encrypt_many, mf_##name##_encrypt_many(key, array, n))                             \
    MANY(name##_decrypt_many, mf_##name##_decrypt_many(key, array, n))

/* The tags of OCB and SIV have one length. Of two faults that of the nonce is the status. */
#define OCB_16(crypt, nonce, nonce_bytes, aad, aad_bytes, out, in, n_bytes, tag, tag_bytes)        \
    ((tag_bytes) == 16 || (nonce_bytes) < 1 || (nonce_bytes) > 15                                  \
         ? crypt(&under->ocb, nonce, nonce_bytes, aad, aad_bytes, out, in, n_bytes, tag)           \
         : MF_ERROR_TAG_LENGTH)
#define OCB_ENCRYPT(...) OCB_16(mf_ocb_encrypt, __VA_ARGS__)
#define OCB_DECRYPT(...) OCB_16(mf_ocb_decrypt, __VA_ARGS__)
#define NONCE_AND_AAD m->nonce, m->nonce_bytes, m->aad, m->aad_bytes

#define SIV_16(crypt, m, out, in, n_bytes, tag, tag_bytes)                                         \
    ((tag_bytes) == 16                                                                             \
         ? crypt(&under->siv, &(mf_siv_string){(m)->aad, (m)->aad_bytes}, (m)->aad != NULL,        \
                 (m)->nonce, (m)->nonce_bytes, out, in, n_bytes, tag)                              \
         : MF_ERROR_TAG_LENGTH)
#define SIV_ENCRYPT(...) SIV_16(mf_siv_encrypt, __VA_ARGS__)
#define SIV_DECRYPT(...) SIV_16(mf_siv_decrypt, __VA_ARGS__)

AEAD(ocb, &under->ocb, OCB_ENCRYPT, OCB_DECRYPT, NONCE_AND_AAD, )
AEAD(eax, &under->eax, mf_eax_encrypt, mf_eax_decrypt, &under->eax, NONCE_AND_AAD, )
AEAD(ccm, &under->cipher, mf_ccm_encrypt, mf_ccm_decrypt, &under->cipher, NONCE_AND_AAD, )
AEAD(gcm, &under->gcm, mf_gcm_encrypt, mf_gcm_decrypt, &under->gcm, NONCE_AND_AAD, )
AEAD(siv, &under->siv, SIV_ENCRYPT, SIV_DECRYPT, m, )

static const tested modes[] = {
    {"CBC encryption", cbc_encrypt_many, cbc_encrypt, NULL, 0, 0, false, true},
    {"CBC decryption", cbc_decrypt_many, cbc_decrypt, NULL, 0, 0, false, true},
    {"padded CBC encryption", cbc_encrypt_padded_many, cbc_encrypt_padded, NULL, 1, 0, false, true},
    {"padded CBC decryption", cbc_decrypt_padded_many, cbc_decrypt_padded, prepare_padded, 0, 0,
     false, true},
    {"CFB encryption", cfb_encrypt_many, cfb_encrypt, NULL, 1, 0, false, true},
    {"CFB decryption", cfb_decrypt_many, cfb_decrypt, NULL, 1, 0, false, true},
    {"OFB", ofb_crypt_many, ofb_crypt, NULL, 1, 0, false, true},
    {"CTR", ctr_crypt_many, ctr_crypt, NULL, 1, 0, false, true},
    {"CTR of 32 bits", ctr_32_crypt_many, ctr_32_crypt, NULL, 1, 0, false, true},
    {"CMAC", cmac_compute_many, cmac_compute, NULL, 1, 8, false, true},
    {"CMAC verified", cmac_verify_many, cmac_verify, cmac_compute, 1, 7, false, true},
    {"OCB encryption", ocb_encrypt_many, ocb_encrypt, NULL, 1, 16, true, false},
    {"OCB decryption", ocb_decrypt_many, ocb_decrypt, prepare_ocb, 1, 16, true, false},
    {"EAX encryption", eax_encrypt_many, eax_encrypt, NULL, 1, 8, false, false},
    {"EAX decryption", eax_decrypt_many, eax_decrypt, prepare_eax, 1, 7, false, false},
    {"CCM encryption", ccm_encrypt_many, ccm_encrypt, NULL, 1, 10, true, false},
    {"CCM decryption", ccm_decrypt_many, ccm_decrypt, prepare_ccm, 1, 16, true, false},
    {"GCM encryption", gcm_encrypt_many, gcm_encrypt, NULL, 1, 13, true, false},
    {"GCM decryption", gcm_decrypt_many, gcm_decrypt, prepare_gcm, 1, 16, true, false},
    {"SIV encryption", siv_encrypt_many, siv_encrypt, NULL, 1, 16, true, false},
    {"SIV decryption", siv_decrypt_many, siv_decrypt, prepare_siv, 1, 16, true, false},
};

/* --- Mixtures --------------------------------------------------------------------------------- */

static mf_message messages[2][MAX_MESSAGES];
static size_t n_messages;

/* The number of bytes used, and a place for n_bytes more, at any alignment. */
static size_t used;

static size_t place(size_t n_bytes)
{
    const size_t at = used + random_below(20);
    used = at + n_bytes;
    return used <= ARENA ? at : ARENA - n_bytes;
}

static size_t random_length(void)
{
    switch (random_below(16)) {
    case 0:
        return 0;
    case 1:
        return random_below(9000);
    default:
        return random_below(200);
    }
}

static size_t random_nonce_bytes(const tested *mode)
{
    if (mode->has_iv) {
        return under->cipher.block_bytes;
    }
    return random_below(2) == 0 ? 12 : 7 + random_below(MAX_NONCE - 7);
}

/* A message in the first arena. Its nonce may be too long for its mode. */
static mf_message make_message(const tested *mode)
{
    const size_t granule = mode->granule == 0 ? under->cipher.block_bytes : mode->granule;
    const size_t n_bytes = random_length() / granule * granule;
    unsigned char *const arena = arenas[0];
    mf_message m;

    random_bytes(&m, sizeof m);
    m.nonce_bytes = random_nonce_bytes(mode);
    m.nonce = arena + place(m.nonce_bytes);
    m.aad_bytes = random_below(3) == 0 ? 0 : random_below(MAX_AAD);
    m.aad = random_below(9) == 0 && m.aad_bytes == 0 ? NULL : arena + place(m.aad_bytes);
    m.n_bytes = n_bytes;
    m.in = arena + place(n_bytes + BLOCK);
    m.out = random_below(2) == 0 ? in_arena(0, m.in) : arena + place(n_bytes + BLOCK);
    m.tag_bytes = mode->tag_bytes;
    m.tag = arena + place(m.tag_bytes);
    return m;
}

/* Counters that carry. */
static void fill_with_ones(const void *data, size_t n_bytes)
{
    memset(in_arena(0, data), 0xFF, n_bytes);
}

static void add_fault(const tested *mode, mf_message *m)
{
    unsigned char *const in = in_arena(0, m->in);

    switch (random_below(10)) {
    case 0:
        m->nonce = NULL;
        break;
    case 1:
        m->nonce_bytes = mode->has_iv ? random_below(BLOCK) : 0;
        break;
    case 2:
        m->n_bytes += 1;
        break;
    case 3:
        m->in = NULL;
        break;
    case 4:
        m->out = in + 1;
        break;
    case 5:
        m->tag_bytes = 17;
        break;
    case 6:
        m->tag = NULL;
        break;
    case 7:
        m->out = mode->tag_bytes > 0 ? m->tag : NULL; /* it reaches behind the tag */
        break;
    case 8:
        in[m->n_bytes / 2] ^= 1;
        break;
    default:
        if (mode->tag_bytes > 0) {
            m->tag[random_below(mode->tag_bytes)] ^= 0x80;
        }
    }
}

/* The same message in the second arena. */
static mf_message copy_of(const mf_message *m)
{
    mf_message copy = *m;
    copy.nonce = in_arena(1, m->nonce);
    copy.aad = in_arena(1, m->aad);
    copy.in = in_arena(1, m->in);
    copy.out = in_arena(1, m->out);
    copy.tag = in_arena(1, m->tag);
    return copy;
}

/* The messages and MARGIN bytes behind them are filled and compared. */
static size_t compared_bytes(void)
{
    return used < ARENA - MARGIN ? used + MARGIN : ARENA;
}

/* Random contents. */
static void fill_arena(void)
{
    const size_t n_bytes = compared_bytes();

    random_bytes(arenas[0], MARGIN);
    for (size_t i = MARGIN; i < n_bytes; i *= 2) {
        memcpy(arenas[0] + i, arenas[0], i < n_bytes - i ? i : n_bytes - i);
    }
}

/* Of n messages every eighth or so has a fault, if there are to be any. */
static void make_messages(const tested *mode, size_t n, bool faults)
{
    under = &by_tables;
    used = 0;
    n_messages = n;
    for (size_t i = 0; i < n; i++) {
        messages[0][i] = make_message(mode);
    }
    CHECK(used <= ARENA);
    fill_arena();
    for (size_t i = 0; i < n; i++) {
        mf_message *const m = &messages[0][i];
        if (random_below(8) == 0) {
            fill_with_ones(m->nonce, m->nonce_bytes);
        }
        if (mode->prepare != NULL && m->n_bytes >= (mode->granule == 0)) {
            (void)mode->prepare(m);
        }
        if (faults && random_below(8) == 0) {
            add_fault(mode, m);
        }
    }
    memcpy(arenas[1], arenas[0], compared_bytes());
    for (size_t i = 0; i < n; i++) {
        messages[1][i] = copy_of(&messages[0][i]);
    }
}

/* --- The comparison --------------------------------------------------------------------------- */

static bool sets_out_bytes(const tested *mode)
{
    return mode->one == cbc_encrypt_padded || mode->one == cbc_decrypt_padded;
}

static bool check_message(const tested *mode, const mf_message *m, mf_status status,
                          size_t out_bytes)
{
    const size_t expected = sets_out_bytes(mode) && status == MF_OK ? out_bytes : 0;
    return CHECK(m->status == status) && CHECK(m->out_bytes == expected) &&
           CHECK(all_bytes_are(m->work, sizeof m->work, 0));
}

static void check_mixture(const tested *mode)
{
    mf_status first = MF_OK;
    under = &by_kernel;
    const mf_status status = mode->many(messages[0], n_messages);
    under = &by_tables;

    for (size_t i = 0; i < n_messages; i++) {
        mf_message *const m = &messages[1][i];
        const mf_status one = mode->one(m);
        first = first == MF_OK ? one : first;
        if (!check_message(mode, &messages[0][i], one, m->out_bytes)) {
            return;
        }
    }
    CHECK(status == first);
    CHECK(memcmp(arenas[0], arenas[1], compared_bytes()) == 0);
}

static const subject *over;

/* Any number of messages about that of the lanes; and none. */
static size_t random_number(void)
{
    const size_t lanes = over->block_bytes == 16 ? 64 : 512;
    switch (random_below(4)) {
    case 0:
        return random_below(4);
    case 1:
        return lanes + random_below(3);
    default:
        return random_below(2 * lanes + 50);
    }
}

static bool set_keys_of(contexts *c, any_key keys[2], const char *kernel,
                        unsigned char key[2][ANY_MAX_KEY_BYTES])
{
    const size_t key_bytes = over->key_sizes[0];
    const mf_cipher other = subject_cipher(over, &keys[1], kernel, key[1], key_bytes);

    c->cipher = subject_cipher(over, &keys[0], kernel, key[0], key_bytes);
    bool is_ready = CHECK_STATUS(mf_cmac_init(&c->cmac, &c->cipher), MF_OK) &&
                    CHECK_STATUS(mf_eax_init(&c->eax, &c->cipher), MF_OK);
    if (over->block_bytes == 16) {
        is_ready = is_ready && CHECK_STATUS(mf_ocb_init(&c->ocb, &c->cipher), MF_OK) &&
                   CHECK_STATUS(mf_gcm_init(&c->gcm, &c->cipher), MF_OK) &&
                   CHECK_STATUS(mf_siv_init(&c->siv, &other, &c->cipher), MF_OK);
    }
    return is_ready;
}

static bool set_keys(const char *kernel)
{
    static any_key keys[2][2];
    unsigned char key[2][ANY_MAX_KEY_BYTES];

    random_bytes(key, sizeof key);
    return set_keys_of(&by_kernel, keys[0], kernel, key) &&
           set_keys_of(&by_tables, keys[1], over->block_bytes == 16 ? "full" : "sp4k", key);
}

static void test_kernel(const char *kernel)
{
    if (!set_keys(kernel)) {
        return;
    }
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].wide && over->block_bytes != 16) {
            continue;
        }
        test_case("%s %s, %s", over->name, kernel, modes[i].name);
        for (int run = 0; run < (test_quick() ? 1 : 4); run++) {
            make_messages(&modes[i], random_number(), run > 0);
            check_mixture(&modes[i]);
        }
    }
}

static void test_cipher(const subject *s)
{
    over = s;
    kernels_of(s, test_kernel);
}

/* --- Faults of a whole call ------------------------------------------------------------------- */

static void set_up(void)
{
    over = &twofish_subject;
    under = &by_kernel;
    (void)set_keys(NULL);
}

static void test_no_messages(void)
{
    test_case("no messages");
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        CHECK_STATUS(modes[i].many(NULL, 0), MF_OK);
        CHECK_STATUS(modes[i].many(NULL, 1), MF_ERROR_NULL);
    }
}

/* The array is untouched, the statuses too. */
static void check_untouched(mf_status (*many)(mf_message *array, size_t n), mf_status expected)
{
    mf_message array[2];
    mf_message before[2];

    memset(array, 0xA5, sizeof array);
    memcpy(before, array, sizeof before);
    CHECK_STATUS(many(array, 2), expected);
    CHECK_BYTES(array, before, sizeof array);
}

MANY(no_cipher, mf_cbc_encrypt_many(NULL, array, n))
MANY(no_cipher_for_ctr, mf_ctr_crypt_many(NULL, 128, array, n))
MANY(no_cipher_for_ccm, mf_ccm_encrypt_many(NULL, array, n))
MANY(no_cmac, mf_cmac_compute_many(NULL, array, n))
MANY(no_cmac_to_verify, mf_cmac_verify_many(NULL, array, n))
MANY(no_ocb, mf_ocb_encrypt_many(NULL, array, n))
MANY(no_eax, mf_eax_decrypt_many(NULL, array, n))
MANY(no_gcm, mf_gcm_encrypt_many(NULL, array, n))
MANY(no_siv, mf_siv_decrypt_many(NULL, array, n))
MANY(no_such_counter, mf_ctr_crypt_many(&under->cipher, 33, array, n))

static void test_null(void)
{
    test_case("NULL for the key");
    check_untouched(no_cipher, MF_ERROR_NULL);
    check_untouched(no_cipher_for_ctr, MF_ERROR_NULL);
    check_untouched(no_cipher_for_ccm, MF_ERROR_NULL);
    check_untouched(no_cmac, MF_ERROR_NULL);
    check_untouched(no_cmac_to_verify, MF_ERROR_NULL);
    check_untouched(no_ocb, MF_ERROR_NULL);
    check_untouched(no_eax, MF_ERROR_NULL);
    check_untouched(no_gcm, MF_ERROR_NULL);
    check_untouched(no_siv, MF_ERROR_NULL);
    test_case("a counter of 33 bits");
    check_untouched(no_such_counter, MF_ERROR_BLOCK);
}

static void test_no_key(void)
{
    test_case("contexts without a key");
    memset(&by_kernel, 0, sizeof by_kernel);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        check_untouched(modes[i].many, MF_ERROR_NO_KEY);
    }
}

/* A sum of the lengths that orders messages may be any number; the first one is not used here. */
static void test_any_order(void)
{
    unsigned char text[40];
    unsigned char tags[2][BLOCK];
    mf_message m = {.in = text, .n_bytes = sizeof text, .tag = tags[0], .tag_bytes = BLOCK};

    test_case("lengths of any sum");
    random_bytes(text, sizeof text);
    CHECK_STATUS(mf_cmac_compute(&under->cmac, text, sizeof text, tags[1], BLOCK), MF_OK);
    for (size_t past = 0; past < 2; past++) {
        memset(tags[0], 0, BLOCK);
        m.aad_bytes = SIZE_MAX - sizeof text + past;
        CHECK_STATUS(mf_cmac_compute_many(&under->cmac, &m, 1), MF_OK);
        CHECK_BYTES(tags[0], tags[1], BLOCK);
    }
}

static void test_narrow_blocks(void)
{
    static const toy_key toy = {true, {1}};
    test_case("CCM over blocks of 8 bytes");
    by_kernel.cipher = toy_cipher(&toy);
    check_untouched(ccm_encrypt_many, MF_ERROR_BLOCK);
    check_untouched(ccm_decrypt_many, MF_ERROR_BLOCK);
}

/* --- Lanes ------------------------------------------------------------------------------------ */

static size_t calls, blocks;

static bool has_key(const void *key)
{
    return key != NULL;
}

static void count_blocks(const void *key, unsigned char *out, const unsigned char *in,
                         size_t n_blocks)
{
    (void)key;
    memmove(out, in, n_blocks * BLOCK);
    calls++;
    blocks += n_blocks;
}

#ifndef MF_SMALL
enum { LANES = 64 };
#else
enum { LANES = 8 };
#endif

/* Of the lanes for Twofish, with messages of 1 byte to 64 KiB. */
static void test_lanes(void)
{
    enum { LONGEST = 1 << 16, N = 1000 };
    static unsigned char text[LONGEST];
    const mf_cipher counting = {BLOCK, text, has_key, count_blocks, count_blocks};

    test_case("lanes in use");
    memset(messages[0], 0, sizeof messages[0]);
    for (size_t i = 0; i < N; i++) {
        messages[0][i].in = text;
        messages[0][i].n_bytes = 1 + random_below(LONGEST);
        messages[0][i].tag = arenas[0] + i * BLOCK;
        messages[0][i].tag_bytes = BLOCK;
    }
    CHECK_STATUS(mf_cmac_init(&by_kernel.cmac, &counting), MF_OK);
    calls = 0;
    blocks = 0;
    CHECK_STATUS(mf_cmac_compute_many(&under->cmac, messages[0], N), MF_OK);
    CHECK((double)blocks >= 0.97 * LANES * (double)calls);
}

int main(void)
{
    test_cipher(&twofish_subject);
    test_cipher(&des_subject);
    set_up();
    test_no_messages();
    test_null();
    test_any_order();
    test_no_key();
    test_narrow_blocks();
    test_lanes();
    return test_end();
}
