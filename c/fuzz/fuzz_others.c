/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish in each mode that libgcrypt or Botan has too: any key, nonce, associated data and length
 * give their ciphertext and their tag.
 */
#include <botan/ffi.h>
#include <gcrypt.h>
#include <manyfish/aead.h>
#include <manyfish/modes.h>

#include "fuzz.h"

enum { TAG_BYTES = 16, XTS_KEYS = 2 };

/* One message, by any of the libraries. The nonce has 12 bytes in the modes with tags, else 16. */
typedef struct message {
    fuzz_cipher key, tweak;
    unsigned char key_bytes_of_both[XTS_KEYS * MF_TWOFISH_MAX_KEY_BYTES];
    size_t key_bytes;
    unsigned char nonce[16], aad[48];
    size_t aad_bytes, n_bytes;
    unsigned char *text, *found, *expected;
    unsigned char tag[TAG_BYTES], expected_tag[TAG_BYTES];
} message;

typedef struct shared_mode {
    int gcrypt;        /* 0: it has no such mode */
    const char *botan; /* NULL: the same */
    size_t nonce_bytes;
    bool has_tag, whole_blocks, two_keys;
    mf_status (*encrypt)(message *m);
} shared_mode;

static mf_status ocb(message *m)
{
    mf_ocb state;
    const mf_status status = mf_ocb_init(&state, &m->key.cipher);
    return status != MF_OK ? status
                           : mf_ocb_encrypt(&state, m->nonce, 12, m->aad, m->aad_bytes, m->found,
                                            m->text, m->n_bytes, m->tag);
}

static mf_status eax(message *m)
{
    mf_eax state;
    const mf_status status = mf_eax_init(&state, &m->key.cipher);
    return status != MF_OK ? status
                           : mf_eax_encrypt(&state, m->nonce, 12, m->aad, m->aad_bytes, m->found,
                                            m->text, m->n_bytes, m->tag, TAG_BYTES);
}

static mf_status gcm(message *m)
{
    mf_gcm state;
    const mf_status status = mf_gcm_init(&state, &m->key.cipher);
    return status != MF_OK ? status
                           : mf_gcm_encrypt(&state, m->nonce, 12, m->aad, m->aad_bytes, m->found,
                                            m->text, m->n_bytes, m->tag, TAG_BYTES);
}

static mf_status ccm(message *m)
{
    return mf_ccm_encrypt(&m->key.cipher, m->nonce, 12, m->aad, m->aad_bytes, m->found, m->text,
                          m->n_bytes, m->tag, TAG_BYTES);
}

static mf_status cbc(message *m)
{
    unsigned char iv[16];
    memcpy(iv, m->nonce, sizeof iv);
    return mf_cbc_encrypt(&m->key.cipher, iv, m->found, m->text, m->n_bytes);
}

static mf_status cfb(message *m)
{
    mf_cfb state;
    const mf_status status = mf_cfb_init(&state, &m->key.cipher, m->nonce, 128);
    return status != MF_OK ? status : mf_cfb_encrypt(&state, m->found, m->text, m->n_bytes);
}

static mf_status ofb(message *m)
{
    mf_ofb state;
    const mf_status status = mf_ofb_init(&state, &m->key.cipher, m->nonce);
    return status != MF_OK ? status : mf_ofb_crypt(&state, m->found, m->text, m->n_bytes);
}

static mf_status ctr(message *m)
{
    mf_ctr state;
    const mf_status status = mf_ctr_init(&state, &m->key.cipher, m->nonce, 128);
    return status != MF_OK ? status : mf_ctr_crypt(&state, m->found, m->text, m->n_bytes);
}

static mf_status xts(message *m)
{
    mf_xts state;
    const mf_status status = mf_xts_init(&state, &m->key.cipher, &m->tweak.cipher);
    return status != MF_OK ? status
                           : mf_xts_encrypt(&state, m->nonce, m->found, m->text, m->n_bytes);
}

static const shared_mode modes[] = {
    {GCRY_CIPHER_MODE_OCB, "Twofish/OCB", 12, true, false, false, ocb},
    {GCRY_CIPHER_MODE_EAX, "Twofish/EAX", 12, true, false, false, eax},
    {GCRY_CIPHER_MODE_GCM, "Twofish/GCM", 12, true, false, false, gcm},
    {GCRY_CIPHER_MODE_CCM, "Twofish/CCM(16,3)", 12, true, false, false, ccm},
    {GCRY_CIPHER_MODE_CBC, "Twofish/CBC/NoPadding", 16, false, true, false, cbc},
    {GCRY_CIPHER_MODE_CFB, "Twofish/CFB", 16, false, false, false, cfb},
    {GCRY_CIPHER_MODE_OFB, "OFB(Twofish)", 16, false, false, false, ofb},
    {GCRY_CIPHER_MODE_CTR, "CTR-BE(Twofish)", 16, false, false, false, ctr},
    {GCRY_CIPHER_MODE_XTS, "Twofish/XTS", 16, false, false, true, xts},
};

static void same(const message *m, const shared_mode *mode)
{
    REQUIRE(memcmp(m->found, m->expected, m->n_bytes) == 0);
    REQUIRE(!mode->has_tag || memcmp(m->tag, m->expected_tag, TAG_BYTES) == 0);
}

static size_t given_key_bytes(const message *m, const shared_mode *mode)
{
    return mode->two_keys ? XTS_KEYS * m->key_bytes : m->key_bytes;
}

/* Twofish of libgcrypt has no keys of 24 bytes. */
static void by_gcrypt(message *m, const shared_mode *mode)
{
    gcry_cipher_hd_t cipher;
    const int algorithm = m->key_bytes == 16 ? GCRY_CIPHER_TWOFISH128 : GCRY_CIPHER_TWOFISH;
    if (m->key_bytes == 24)
        return;
    REQUIRE(gcry_cipher_open(&cipher, algorithm, mode->gcrypt, 0) == 0);
    REQUIRE(gcry_cipher_setkey(cipher, m->key_bytes_of_both, given_key_bytes(m, mode)) == 0);
    REQUIRE((mode->gcrypt == GCRY_CIPHER_MODE_CTR ? gcry_cipher_setctr : gcry_cipher_setiv)(
                cipher, m->nonce, mode->nonce_bytes) == 0);
    if (mode->gcrypt == GCRY_CIPHER_MODE_CCM) {
        uint64_t lengths[3] = {m->n_bytes, m->aad_bytes, TAG_BYTES};
        REQUIRE(gcry_cipher_ctl(cipher, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths) == 0);
    }
    REQUIRE(!mode->has_tag || gcry_cipher_authenticate(cipher, m->aad, m->aad_bytes) == 0);
    REQUIRE(gcry_cipher_final(cipher) == 0);
    REQUIRE(gcry_cipher_encrypt(cipher, m->expected, m->n_bytes, m->text, m->n_bytes) == 0);
    REQUIRE(!mode->has_tag || gcry_cipher_gettag(cipher, m->expected_tag, TAG_BYTES) == 0);
    gcry_cipher_close(cipher);
    same(m, mode);
}

static void by_botan(message *m, const shared_mode *mode)
{
    botan_cipher_t cipher;
    size_t given = 0, taken = 0;
    unsigned char *out = fuzz_buffer(m->n_bytes + TAG_BYTES);
    REQUIRE(botan_cipher_init(&cipher, mode->botan, BOTAN_CIPHER_INIT_FLAG_ENCRYPT) == 0);
    REQUIRE(botan_cipher_set_key(cipher, m->key_bytes_of_both, given_key_bytes(m, mode)) == 0);
    REQUIRE(!mode->has_tag || botan_cipher_set_associated_data(cipher, m->aad, m->aad_bytes) == 0);
    REQUIRE(botan_cipher_start(cipher, m->nonce, mode->nonce_bytes) == 0);
    REQUIRE(botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL, out, m->n_bytes + TAG_BYTES,
                                &given, m->text, m->n_bytes, &taken) == 0);
    REQUIRE(given == m->n_bytes + (mode->has_tag ? TAG_BYTES : 0));
    memcpy(m->expected, out, m->n_bytes);
    if (mode->has_tag)
        memcpy(m->expected_tag, out + m->n_bytes, TAG_BYTES);
    REQUIRE(botan_cipher_destroy(cipher) == 0);
    free(out);
    same(m, mode);
}

static void read_keys(fuzz_input *input, message *m, const shared_mode *mode)
{
    m->key_bytes = 16 + 8 * fuzz_below(input, 3);
    fuzz_bytes(input, m->key_bytes_of_both, sizeof m->key_bytes_of_both);
    if (memcmp(m->key_bytes_of_both, m->key_bytes_of_both + m->key_bytes, m->key_bytes) == 0)
        m->key_bytes_of_both[0] ^= 1; /* others refuse XTS with equal keys */
    REQUIRE_OK(mf_twofish_init(&m->key.twofish, m->key_bytes_of_both, m->key_bytes));
    m->key.cipher = mf_twofish_cipher(&m->key.twofish);
    if (!mode->two_keys)
        return;
    REQUIRE_OK(
        mf_twofish_init(&m->tweak.twofish, m->key_bytes_of_both + m->key_bytes, m->key_bytes));
    m->tweak.cipher = mf_twofish_cipher(&m->tweak.twofish);
}

static bool read_text(fuzz_input *input, message *m, const shared_mode *mode)
{
    fuzz_bytes(input, m->nonce, sizeof m->nonce);
    m->aad_bytes = fuzz_below(input, sizeof m->aad + 1);
    fuzz_bytes(input, m->aad, sizeof m->aad);
    m->text = fuzz_text(input, &m->n_bytes);
    if (mode->whole_blocks)
        m->n_bytes -= m->n_bytes % 16;
    m->found = fuzz_buffer(m->n_bytes);
    m->expected = fuzz_buffer(m->n_bytes);
    return m->n_bytes >= (mode->has_tag ? 0 : 16); /* XTS has no shorter unit, and an empty text
                                                      proves nothing */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    fuzz_input input = {data, n_bytes};
    message m = {0};
    const shared_mode *const mode = &modes[fuzz_below(&input, sizeof modes / sizeof *modes)];
    read_keys(&input, &m, mode);
    if (read_text(&input, &m, mode)) {
        REQUIRE_OK(mode->encrypt(&m));
        by_gcrypt(&m, mode);
        by_botan(&m, mode);
    }
    free(m.text);
    free(m.found);
    free(m.expected);
    return 0;
}

/* libgcrypt wants that before anything else. */
__attribute__((constructor)) static void set_up(void)
{
    REQUIRE(gcry_check_version(NULL) != NULL);
    (void)gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    (void)gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}
