/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shows on the built library that it leaves no secret on the stack. Each operation runs on a thread
 * whose stack is ours and was filled with a pattern; afterwards we search that stack for the key,
 * the expanded key, plaintext, key stream and the masks of OCB. Planted faults show that the search
 * finds what is left. It says nothing of registers, and holds for optimised builds: without
 * optimisation compilers keep each variable in memory.
 */
#include "support.h"
#include "wiping.h"

#include <manyfish/many.h>
#include <manyfish/study/compiled.h>
#include <manyfish/study/parts.h>
#include <manyfish/study/variant.h>

#ifdef INTERNAL
#include "common/cpu.h"
#include "modes/ghash/ghash.h"
#include "twofish/h_function.h"
#include "twofish/kernel.h"
#include "twofish/schedule.h"
#endif

#include <stdio.h>
#include <string.h>

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    N_BLOCKS = 67, /* bulk path and tail of any kernel */
    DATA = N_BLOCKS * BLOCK,
    AAD = 37, /* bytes of associated data: the first ones of the plaintext */
    SHORT_AAD = 9,
};

/* --- What is worked on; none of it lies on the searched stack --------------------------------- */

static const char *kernel;
static size_t key_bytes;
static unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
static unsigned char padded_key[MF_TWOFISH_MAX_KEY_BYTES];
static unsigned char plaintext[DATA], ciphertext[DATA + BLOCK], out[DATA + BLOCK];
static unsigned char iv[BLOCK], tag[MF_OCB_TAG_BYTES], right_tag[MF_OCB_TAG_BYTES];
static size_t out_bytes;
static mf_twofish ctx, zero_ctx;
static mf_twofish_compiled *compiled;
static mf_twofish_variant variant;
static unsigned char family_key[MF_TWOFISH_FAMILY_KEY_BYTES];
static uint32_t parts_S[4], parts_K[40], parts_h[16];
static uint8_t parts_box[4][256];
static mf_cipher cipher;
static mf_cfb cfb;
static mf_ctr ctr;
static mf_ofb ofb;
static mf_xts xts;
static unsigned char tweaks[DATA];
static mf_ocb ocb;
static mf_gcm gcm;
static mf_cmac cmac;
static mf_eax eax;
static mf_ccm ccm;
static mf_siv siv;
static unsigned char wrong_tag[MF_SIV_TAG_BYTES];
static mf_message messages[2];
static unsigned char other_out[DATA];
static mf_status status;

/* The bits at its end that select part of Stretch are 0, so that Stretch begins with Offset_0 and
 * is found by it. [RFC7253, 4.2] */
static const unsigned char nonce[] = {'n', 'o', 'n', 'c', 0x40};

static const mf_siv_string siv_strings[] = {{plaintext, AAD}, {plaintext + 40, 3}};

enum { N_STRINGS = sizeof siv_strings / sizeof siv_strings[0] };

/* --- The secrets to search for ---------------------------------------------------------------- */

/* A context without what does not depend on the key, such as the address of the kernel. */
static void add_context(const char *name, const mf_twofish *context, const char *kernel_name,
                        size_t n_bytes)
{
    static unsigned char bytes[sizeof *context];
    unsigned char other_key[MF_TWOFISH_MAX_KEY_BYTES];
    mf_twofish other;

    memcpy(bytes, context, sizeof bytes);
    memcpy(other_key, key, sizeof other_key);
    for (size_t i = 0; i < sizeof other_key; i++) {
        other_key[i] ^= (unsigned char)(17 * i + 1);
    }
    CHECK_STATUS(mf_twofish_init_kernel(&other, kernel_name, other_key, key_bytes), MF_OK);
    for (size_t i = 0; i < sizeof bytes; i += 4) {
        if (memcmp(bytes + i, (const unsigned char *)&other + i, 4) == 0) {
            memset(bytes + i, 0, 4);
        }
    }
    add_secret(name, bytes, sizeof bytes, n_bytes, 4);
}

/* GHASH reads blocks as big-endian numbers, so its secrets may be left in reverse. */
static void add_both_ways(const char *name, const unsigned char block[BLOCK])
{
    unsigned char reversed[BLOCK];

    for (size_t i = 0; i < BLOCK; i++) {
        reversed[i] = block[BLOCK - 1 - i];
    }
    add_secret(name, block, BLOCK, 8, 4);
    add_secret(name, reversed, BLOCK, 8, 4);
}

/* CMAC of a prefix and a string under the key. */
static void add_cmac(const char *name, const void *prefix, size_t prefix_bytes, const void *string,
                     size_t string_bytes)
{
    unsigned char mac[BLOCK];
    mf_cmac made;

    CHECK_STATUS(mf_cmac_init(&made, &cipher), MF_OK);
    CHECK_STATUS(mf_cmac_update(&made, prefix, prefix_bytes), MF_OK);
    CHECK_STATUS(mf_cmac_update(&made, string, string_bytes), MF_OK);
    CHECK_STATUS(mf_cmac_finish(&made, mac, sizeof mac), MF_OK);
    add_secret(name, mac, sizeof mac, 8, 4);
}

/* HASH of a partial block of associated data: the sum of two tags of OCB, of which the other is
 * without. */
static void add_part_of_ocb(void)
{
    unsigned char mac[2][MF_OCB_TAG_BYTES];
    mf_ocb made;

    CHECK_STATUS(mf_ocb_init(&made, &cipher), MF_OK);
    for (size_t i = 0; i < 2; i++) {
        CHECK_STATUS(mf_ocb_encrypt(&made, nonce, sizeof nonce, plaintext, i * SHORT_AAD, NULL,
                                    NULL, 0, mac[i]),
                     MF_OK);
    }
    xor_bytes(mac[0], mac[1], sizeof mac[0]);
    add_secret("a part of OCB's tag", mac[0], sizeof mac[0], 8, 4);
}

/* OMAC of the nonce and the associated data, parts of EAX's tag, and the encrypted numbers that it
 * begins with; the parts of S2V. */
static void add_parts_of_tags(void)
{
    static const unsigned char numbers[3][BLOCK] = {{0}, {[BLOCK - 1] = 1}, {[BLOCK - 1] = 2}};
    unsigned char chains[3][BLOCK];

    CHECK_STATUS(mf_ecb_encrypt(&cipher, chains, numbers, sizeof chains), MF_OK);
    add_secret("a first chain of EAX", chains, sizeof chains, 8, 4);
    add_cmac("a part of EAX's tag", numbers[0], BLOCK, nonce, sizeof nonce);
    add_cmac("a part of EAX's tag", numbers[1], BLOCK, plaintext, AAD);
    add_cmac("a part of S2V", NULL, 0, nonce, sizeof nonce);
    for (size_t i = 0; i < N_STRINGS; i++) {
        add_cmac("a part of S2V", NULL, 0, siv_strings[i].data, siv_strings[i].n_bytes);
    }
    add_part_of_ocb();
}

/* CFB of 8 bits takes the first byte of each block of key stream: here are the last blocks
 * whole. */
static void add_cfb_8(void)
{
    enum { N = 16 };
    unsigned char block[BLOCK];

    for (size_t i = DATA - BLOCK - N; i < DATA - BLOCK; i++) {
        CHECK_STATUS(mf_ecb_encrypt(&cipher, block, ciphertext + i, BLOCK), MF_OK);
        add_secret("key stream of CFB of 8 bits", block, sizeof block, 8, 4);
    }
}

static void add_gcm(void)
{
    unsigned char h[BLOCK] = {0};

    CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, h, h, 1), MF_OK);
    add_both_ways("H of GCM", h);
    add_both_ways("the hash of GCM", gcm.hash);
    add_both_ways("the mask of GCM's tag", gcm.tag_mask);
    add_secret("a counter of GCM", gcm.ctr.counter, 12, 8, 4);
    add_secret("a power of H of GCM", gcm.hash_key, sizeof gcm.hash_key, 8, 8);
}

#ifdef INTERNAL
/* The key material of S and the words S. */
static void add_family_s(const unsigned char whitened[MF_TWOFISH_MAX_KEY_BYTES])
{
    unsigned char s_key[MF_TWOFISH_MAX_KEY_BYTES];
    uint32_t S[MF_TWOFISH_MAX_K];

    for (size_t i = 0; i < key_bytes; i++) {
        s_key[i] = mf_twofish_q[0][whitened[i]];
    }
    mf_twofish_s_words(S, s_key, (unsigned)(key_bytes / 8));
    add_secret("the key of a family's S", s_key, key_bytes, 8, 1);
    add_secret("a word S of a family", S, key_bytes / 2, 4, 4);
}
#endif

/* The key that a family key makes of a key, and its constants: the first blocks under it.
 * [Twofish98, 11.8] */
static void add_family(void)
{
    enum { N_CONSTANTS = 5 };
    unsigned char mixed[MF_TWOFISH_MAX_KEY_BYTES];
    unsigned char constants[N_CONSTANTS * BLOCK] = {0};
    mf_twofish of_family;

    for (size_t i = 0; i < N_CONSTANTS; i++) {
        constants[i * BLOCK] = (unsigned char)i;
    }
    CHECK_STATUS(mf_twofish_init_kernel(&of_family, "zero", family_key, sizeof family_key), MF_OK);
    CHECK_STATUS(mf_twofish_encrypt_blocks(&of_family, constants, constants, N_CONSTANTS), MF_OK);
    memcpy(mixed, key, sizeof mixed);
    xor_bytes(mixed, family_key, key_bytes);
    add_secret("the family key", family_key, sizeof family_key, 8, 1);
    add_secret("a constant of a family", constants, sizeof constants, 8, 4);
    add_secret("the key of a family's subkeys", mixed, key_bytes, 8, 1);
    add_secret("a variant's subkeys", variant.K, sizeof variant.K, 8, 4);
    add_secret("a variant's boxes", variant.box, sizeof variant.box, 8, 4);
#ifdef INTERNAL
    memcpy(mixed, key, sizeof mixed);
    xor_bytes(mixed, constants, key_bytes);
    add_family_s(mixed);
#endif
}

static void collect_secrets(void)
{
    unsigned char keystream[DATA], decrypted[DATA];

    memcpy(keystream, ciphertext, sizeof keystream);
    xor_bytes(keystream, plaintext, sizeof keystream);
    CHECK_STATUS(mf_twofish_decrypt_blocks(&ctx, decrypted, ciphertext, N_BLOCKS), MF_OK);
    add_secret("key", key, key_bytes, 8, 1);
    add_secret("a word of the key", key, key_bytes, 4, 4);
    add_context("a word of S or K", &zero_ctx, "zero", 4);
    add_context("the expanded key", &ctx, kernel, 8);
    add_secret("plaintext", plaintext, sizeof plaintext, 8, 4);
    add_secret("decrypted blocks", decrypted, sizeof decrypted, 8, 4);
    add_secret("key stream", keystream, sizeof keystream, 8, 4);
    add_secret("a mask of OCB", ocb.l_star, sizeof ocb.l_star, 8, 4);
    add_secret("a mask of OCB", ocb.l_dollar, sizeof ocb.l_dollar, 8, 4);
    add_secret("a mask of OCB", ocb.l, sizeof ocb.l, 8, 4);
    add_secret("an offset of OCB", ocb.offset, sizeof ocb.offset, 8, 4);
    add_secret("an offset of OCB", ocb.aad_offset, sizeof ocb.aad_offset, 8, 4);
    add_secret("a sum of OCB", ocb.checksum, sizeof ocb.checksum, 8, 4);
    add_secret("a sum of OCB", ocb.aad_sum, sizeof ocb.aad_sum, 8, 4);
    add_cfb_8();
    add_gcm();
    add_secret("a subkey of CMAC", cmac.k1, sizeof cmac.k1, 8, 4);
    add_secret("a subkey of CMAC", cmac.k2, sizeof cmac.k2, 8, 4);
    add_secret("a chain of CMAC", cmac.chain, sizeof cmac.chain, 8, 4);
    add_secret("the tag of EAX's nonce", eax.nonce_tag, sizeof eax.nonce_tag, 8, 4);
    add_secret("the mask of CCM's tag", ccm.s_0, sizeof ccm.s_0, 8, 4);
    add_secret("a chain of CCM", ccm.mac, sizeof ccm.mac, 8, 4);
    add_secret("a chain of EAX", eax.text.chain, sizeof eax.text.chain, 8, 4);
    add_secret("a chain of EAX", eax.aad.chain, sizeof eax.aad.chain, 8, 4);
    add_secret("a subkey of EAX", eax.text.k1, sizeof eax.text.k1, 8, 4);
    add_secret("a subkey of EAX", eax.text.k2, sizeof eax.text.k2, 8, 4);
    add_secret("a subkey of SIV", siv.s2v.k1, sizeof siv.s2v.k1, 8, 4);
    add_secret("a subkey of SIV", siv.s2v.k2, sizeof siv.s2v.k2, 8, 4);
    add_parts_of_tags();
    add_secret("the start of S2V", siv.zero_tag, sizeof siv.zero_tag, 8, 4);
    add_secret("a tweak of XTS", tweaks, sizeof tweaks, 8, 4);
    add_secret("the right tag", right_tag, sizeof right_tag, 8, 1);
    if (variant.rounds != 0) {
        add_family();
    }
    add_secret("S-boxes", parts_box, sizeof parts_box, 8, 1);
    add_secret("an output of h", parts_h, sizeof parts_h, 4, 4);
}

/* Through a pointer that the compiler cannot see through, so that planted copies are really
 * made. */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

/* --- Operations ------------------------------------------------------------------------------- */

static void do_init(void)
{
    status = mf_twofish_init_kernel(&ctx, kernel, key, key_bytes);
}

/* Only features of these are seen meanwhile: they choose the set-up. */
#ifdef INTERNAL
static uint32_t setup_features = UINT32_MAX;

static mf_status init_ct(void)
{
    mf_cpu_mask(setup_features);
    const mf_status found = mf_twofish_init_kernel_ct_set_up(&ctx, kernel, key, key_bytes);
    mf_cpu_mask(UINT32_MAX);
    return found;
}
#else
static mf_status init_ct(void)
{
    return mf_twofish_init_kernel_ct_set_up(&ctx, kernel, key, key_bytes);
}
#endif

/* Of the kernels without a constant-time set-up there is nothing to see. */
static void do_init_ct(void)
{
    status = init_ct();
    if (status == MF_ERROR_POLICY) {
        status = mf_twofish_init_kernel(&ctx, kernel, key, key_bytes);
    }
}

static void do_pad_key(void)
{
    size_t padded_bytes;

    status = mf_twofish_pad_key(padded_key, &padded_bytes, key, key_bytes - 1);
}

static void do_encrypt_one(void)
{
    status = mf_twofish_encrypt_blocks(&ctx, out, plaintext, 1);
}

static void do_decrypt_one(void)
{
    status = mf_twofish_decrypt_blocks(&ctx, out, ciphertext, 1);
}

static void do_encrypt_blocks(void)
{
    status = mf_twofish_encrypt_blocks(&ctx, out, plaintext, N_BLOCKS);
}

static void do_decrypt_blocks(void)
{
    status = mf_twofish_decrypt_blocks(&ctx, out, ciphertext, N_BLOCKS);
}

static void do_compiled_set_key(void)
{
    status = mf_twofish_compiled_set_key(compiled, key, key_bytes);
}

static void do_compiled_encrypt_one(void)
{
    status = mf_twofish_compiled_encrypt_blocks(compiled, out, plaintext, 1);
}

static void do_compiled_encrypt_blocks(void)
{
    status = mf_twofish_compiled_encrypt_blocks(compiled, out, plaintext, N_BLOCKS);
}

static void do_compiled_decrypt_blocks(void)
{
    status = mf_twofish_compiled_decrypt_blocks(compiled, out, ciphertext, N_BLOCKS);
}

static void do_variant_init(void)
{
    static const mf_twofish_variation variation = {20, false, family_key};

    status = mf_twofish_variant_init(&variant, &variation, key, key_bytes);
}

static void do_variant_encrypt(void)
{
    status = mf_twofish_variant_encrypt_blocks(&variant, out, plaintext, N_BLOCKS);
}

static void do_variant_decrypt(void)
{
    status = mf_twofish_variant_decrypt_blocks(&variant, out, ciphertext, N_BLOCKS);
}

static void do_parts_sbox_key(void)
{
    status = mf_twofish_parts_sbox_key(parts_S, key, key_bytes);
}

static void do_parts_subkeys(void)
{
    status = mf_twofish_parts_subkeys(parts_K, 0, 40, key, key_bytes);
}

static void do_parts_boxes(void)
{
    status = mf_twofish_parts_boxes(parts_box, parts_S, (unsigned)(key_bytes / 8));
}

static void do_parts_h(void)
{
    uint32_t *X = parts_K;

    status = mf_twofish_parts_h(parts_h, X, 16, parts_S, (unsigned)(key_bytes / 8));
}

static void do_ecb(void)
{
    status = mf_ecb_encrypt(&cipher, out, plaintext, DATA);
    status = status == MF_OK ? mf_ecb_decrypt(&cipher, out, ciphertext, DATA) : status;
}

static void do_cbc_encrypt(void)
{
    status = mf_cbc_encrypt(&cipher, iv, out, plaintext, DATA);
}

static void do_cbc_decrypt(void)
{
    status = mf_cbc_decrypt(&cipher, iv, out, ciphertext, DATA);
}

static void do_cbc_encrypt_padded(void)
{
    status = mf_cbc_encrypt_padded(&cipher, iv, out, sizeof out, &out_bytes, plaintext, DATA - 3);
}

static void do_cbc_decrypt_padded(void)
{
    status =
        mf_cbc_decrypt_padded(&cipher, iv, out, sizeof out, &out_bytes, ciphertext, DATA + BLOCK);
}

/* Without its last block of padding the message ends in the byte 0, see prepare_cbc. */
static void do_cbc_bad_padding(void)
{
    const mf_status found =
        mf_cbc_decrypt_padded(&cipher, iv, out, sizeof out, &out_bytes, ciphertext, DATA);

    status = found == MF_ERROR_PADDING ? MF_OK : MF_ERROR_STATE;
}

static void do_cbc_encrypt_iso_padded(void)
{
    status =
        mf_cbc_encrypt_iso_padded(&cipher, iv, out, sizeof out, &out_bytes, plaintext, DATA - 3);
}

static void do_cbc_bad_iso_padding(void)
{
    const mf_status found = mf_cbc_decrypt_iso_padded(&cipher, iv, out, sizeof out, &out_bytes,
                                                      ciphertext, DATA + BLOCK);

    status = found == MF_ERROR_PADDING ? MF_OK : MF_ERROR_STATE; /* it has the other one */
}

static void do_ctr(void)
{
    status = mf_ctr_init(&ctr, &cipher, iv, 128);
    status = status == MF_OK ? mf_ctr_crypt(&ctr, out, plaintext, 5) : status;
    status = status == MF_OK ? mf_ctr_crypt(&ctr, out + 5, plaintext + 5, DATA - 12) : status;
    mf_ctr_wipe(&ctr);
}

/* In three calls, of which the first two end amid a block. */
static void do_cfb(mf_status (*crypt)(mf_cfb *, void *, const void *, size_t),
                   const unsigned char *in, unsigned segment_bits)
{
    status = mf_cfb_init(&cfb, &cipher, iv, segment_bits);
    status = status == MF_OK ? crypt(&cfb, out, in, 5) : status;
    status = status == MF_OK ? crypt(&cfb, out + 5, in + 5, DATA - 12) : status;
    status = status == MF_OK ? crypt(&cfb, out + DATA - 7, in + DATA - 7, 7) : status;
    mf_cfb_wipe(&cfb);
}

static void do_cfb_encrypt(void)
{
    do_cfb(mf_cfb_encrypt, plaintext, 8 * BLOCK);
}

static void do_cfb_decrypt(void)
{
    do_cfb(mf_cfb_decrypt, ciphertext, 8 * BLOCK);
}

static void do_cfb_8_encrypt(void)
{
    do_cfb(mf_cfb_encrypt, plaintext, 8);
}

static void do_cfb_8_decrypt(void)
{
    do_cfb(mf_cfb_decrypt, ciphertext, 8);
}

static void do_ofb(void)
{
    status = mf_ofb_init(&ofb, &cipher, iv);
    status = status == MF_OK ? mf_ofb_crypt(&ofb, out, plaintext, 5) : status;
    status = status == MF_OK ? mf_ofb_crypt(&ofb, out + 5, plaintext + 5, DATA - 12) : status;
    mf_ofb_wipe(&ofb);
}

static void do_cts_encrypt(void)
{
    status = mf_cts_encrypt(&cipher, MF_CTS_CS3, iv, out, plaintext, DATA - 5);
}

static void do_cts_decrypt(void)
{
    status = mf_cts_decrypt(&cipher, MF_CTS_CS3, iv, out, ciphertext, DATA - 5);
}

static void do_xts_encrypt(void)
{
    status = mf_xts_encrypt(&xts, iv, out, plaintext, DATA - 5);
}

static void do_xts_decrypt(void)
{
    status = mf_xts_decrypt(&xts, iv, out, ciphertext, DATA - 5);
}

static void do_xts_sectors(void)
{
    status = mf_xts_encrypt_sectors(&xts, 1, 4 * (size_t)BLOCK, out, plaintext, 64 * (size_t)BLOCK);
}

static void do_ocb_init(void)
{
    status = mf_ocb_init(&ocb, &cipher);
}

static void do_ocb_start(void)
{
    status = mf_ocb_start(&ocb, nonce, sizeof nonce);
}

/* One block, so that its encryption is the whole sum. */
static void do_ocb_aad(void)
{
    status = mf_ocb_start(&ocb, nonce, sizeof nonce);
    status = status == MF_OK ? mf_ocb_aad(&ocb, plaintext, BLOCK) : status;
}

static size_t ocb_bytes;

/* Without finish, so that the masks in ocb are still those of the last blocks. */
static void do_ocb_encrypt_update(void)
{
    status = mf_ocb_start(&ocb, nonce, sizeof nonce);
    status = status == MF_OK ? mf_ocb_aad(&ocb, plaintext, 1000) : status;
    status = status == MF_OK
                 ? mf_ocb_encrypt_update(&ocb, out, DATA, &ocb_bytes, plaintext, DATA - 3)
                 : status;
}

static void do_ocb_decrypt_update(void)
{
    status = mf_ocb_start(&ocb, nonce, sizeof nonce);
    status = status == MF_OK ? mf_ocb_aad(&ocb, plaintext, 1000) : status;
    status = status == MF_OK ? mf_ocb_decrypt_update(&ocb, out, DATA, &ocb_bytes, ciphertext, DATA)
                             : status;
}

static void do_ocb_encrypt(void)
{
    status =
        mf_ocb_encrypt(&ocb, nonce, sizeof nonce, plaintext, AAD, out, plaintext, DATA - 5, tag);
}

static void do_ocb_decrypt(void)
{
    status = mf_ocb_decrypt(&ocb, nonce, sizeof nonce, plaintext, AAD, out, ciphertext, DATA - 5,
                            right_tag);
}

/* Without text, whose work would overwrite what that of the associated data leaves. */
static void do_ocb_short_aad(void)
{
    status =
        mf_ocb_encrypt(&ocb, nonce, sizeof nonce, plaintext, SHORT_AAD, out, plaintext, 0, tag);
}

static void do_ocb_wrong_tag(void)
{
    static const unsigned char wrong[MF_OCB_TAG_BYTES] = {1};
    const mf_status found =
        mf_ocb_decrypt(&ocb, nonce, sizeof nonce, plaintext, AAD, out, ciphertext, DATA - 5, wrong);

    status = found == MF_ERROR_TAG ? MF_OK : MF_ERROR_STATE;
}

/* Only features of these are seen when a key is made ready for GCM: that chooses the GHASH. */
#ifdef INTERNAL
static uint32_t ghash_features = UINT32_MAX;

static void do_gcm_init(void)
{
    mf_cpu_mask(ghash_features);
    status = mf_gcm_init(&gcm, &cipher);
    mf_cpu_mask(UINT32_MAX);
}
#else
static void do_gcm_init(void)
{
    status = mf_gcm_init(&gcm, &cipher);
}
#endif

/* With an IV that goes through GHASH, so that the first counter block is a secret too. */
static void do_gcm_start(void)
{
    status = mf_gcm_start(&gcm, plaintext, 60);
}

static void do_gcm_aad(void)
{
    status = mf_gcm_start(&gcm, iv, 12);
    status = status == MF_OK ? mf_gcm_aad(&gcm, plaintext, 1000) : status;
}

/* Without finish, so that the hash and the mask of the tag are still in gcm. */
static void do_gcm_encrypt_update(void)
{
    status = mf_gcm_start(&gcm, iv, BLOCK);
    status = status == MF_OK ? mf_gcm_aad(&gcm, plaintext, 37) : status;
    status = status == MF_OK ? mf_gcm_encrypt_update(&gcm, out, plaintext, DATA - 3) : status;
}

static void do_gcm_decrypt_update(void)
{
    status = mf_gcm_start(&gcm, iv, BLOCK);
    status = status == MF_OK ? mf_gcm_aad(&gcm, plaintext, 37) : status;
    status = status == MF_OK ? mf_gcm_decrypt_update(&gcm, out, ciphertext, DATA - 3) : status;
}

static void do_gcm_encrypt(void)
{
    status =
        mf_gcm_encrypt(&gcm, iv, BLOCK, plaintext, AAD, out, plaintext, DATA - 5, tag, sizeof tag);
}

static void do_gcm_decrypt(void)
{
    status = mf_gcm_decrypt(&gcm, iv, BLOCK, plaintext, AAD, out, ciphertext, DATA - 5, right_tag,
                            sizeof right_tag);
}

static void do_gcm_wrong_tag(void)
{
    static const unsigned char wrong[MF_GCM_MAX_TAG_BYTES] = {1};
    const mf_status found = mf_gcm_decrypt(&gcm, iv, BLOCK, plaintext, AAD, out, ciphertext,
                                           DATA - 5, wrong, sizeof wrong);

    status = found == MF_ERROR_TAG ? MF_OK : MF_ERROR_STATE;
}

static void do_cmac_init(void)
{
    status = mf_cmac_init(&cmac, &cipher);
}

/* Without finish, so that the chain is still in cmac. */
static void do_cmac_update(void)
{
    status = mf_cmac_init(&cmac, &cipher);
    status = status == MF_OK ? mf_cmac_update(&cmac, plaintext, DATA) : status;
}

static void do_cmac_compute(void)
{
    status = mf_cmac_compute(&cmac, plaintext, DATA - 5, tag, 9);
}

static void do_cmac_wrong_tag(void)
{
    static const unsigned char wrong[MF_MAX_BLOCK_BYTES] = {1};
    const mf_status found = mf_cmac_verify(&cmac, plaintext, DATA - 5, wrong, sizeof wrong);

    status = found == MF_ERROR_TAG ? MF_OK : MF_ERROR_STATE;
}

static void do_eax_init(void)
{
    status = mf_eax_init(&eax, &cipher);
}

/* Without finish, so that chains and nonce_tag are still in eax. */
static void do_eax_encrypt_update(void)
{
    status = mf_eax_start(&eax, nonce, sizeof nonce);
    status = status == MF_OK ? mf_eax_aad(&eax, plaintext, 1000) : status;
    status = status == MF_OK ? mf_eax_encrypt_update(&eax, out, plaintext, DATA - 3) : status;
}

static void do_eax_decrypt_update(void)
{
    status = mf_eax_start(&eax, nonce, sizeof nonce);
    status = status == MF_OK ? mf_eax_aad(&eax, plaintext, 1000) : status;
    status = status == MF_OK ? mf_eax_decrypt_update(&eax, out, ciphertext, DATA - 3) : status;
}

static void do_eax_encrypt(void)
{
    status =
        mf_eax_encrypt(&eax, nonce, sizeof nonce, plaintext, AAD, out, plaintext, DATA - 5, tag, 9);
}

static void do_eax_aad(void)
{
    status =
        mf_eax_encrypt(&eax, nonce, sizeof nonce, plaintext, AAD, out, plaintext, 0, tag, BLOCK);
}

static void do_eax_wrong_tag(void)
{
    static const unsigned char wrong[MF_EAX_MAX_TAG_BYTES] = {1};
    const mf_status found = mf_eax_decrypt(&eax, nonce, sizeof nonce, plaintext, AAD, out,
                                           ciphertext, DATA - 5, wrong, sizeof wrong);

    status = found == MF_ERROR_TAG ? MF_OK : MF_ERROR_STATE;
}

static void do_ccm_encrypt(void)
{
    status = mf_ccm_encrypt(&cipher, iv, 12, plaintext, AAD, out, plaintext, DATA - 5, tag, 10);
}

static void do_ccm_aad(void)
{
    status = mf_ccm_encrypt(&cipher, iv, 12, plaintext, SHORT_AAD, out, plaintext, 0, tag, BLOCK);
}

static void do_ccm_wrong_tag(void)
{
    static const unsigned char wrong[BLOCK] = {1};
    const mf_status found = mf_ccm_decrypt(&cipher, iv, 12, plaintext, AAD, out, ciphertext,
                                           DATA - 5, wrong, sizeof wrong);

    status = found == MF_ERROR_TAG ? MF_OK : MF_ERROR_STATE;
}

/* Without finish, so that CBC-MAC and the key stream are amid the text. */
static void do_ccm_update(void)
{
    status = mf_ccm_start(&ccm, &cipher, iv, 12, AAD, DATA, 10);
    status = status == MF_OK ? mf_ccm_aad(&ccm, plaintext, AAD) : status;
    status = status == MF_OK ? mf_ccm_encrypt_update(&ccm, out, plaintext, DATA - 5) : status;
}

static void do_siv_init(void)
{
    status = mf_siv_init(&siv, &cipher, &cipher);
}

static void do_siv_encrypt(void)
{
    status = mf_siv_encrypt(&siv, siv_strings, N_STRINGS, nonce, sizeof nonce, out, plaintext,
                            DATA - 5, tag);
}

static void do_siv_decrypt(void)
{
    status = mf_siv_decrypt(&siv, siv_strings, N_STRINGS, nonce, sizeof nonce, out, ciphertext,
                            DATA - 5, right_tag);
}

static void do_siv_aad(void)
{
    status =
        mf_siv_encrypt(&siv, siv_strings, N_STRINGS, nonce, sizeof nonce, out, plaintext, 0, tag);
}

static void do_siv_wrong_tag(void)
{
    const mf_status found = mf_siv_decrypt(&siv, siv_strings, N_STRINGS, nonce, sizeof nonce, out,
                                           ciphertext, DATA - 5, wrong_tag);

    status = found == MF_ERROR_TAG ? MF_OK : MF_ERROR_STATE;
}

/* Two messages: the one of the preparation, and one that begins like it, with a tag that is wrong
 * when decrypting. */
static void set_messages(const void *start, size_t start_bytes, const void *in, size_t n_bytes,
                         size_t other_bytes)
{
    const mf_message whole = {.nonce = start,
                              .nonce_bytes = start_bytes,
                              .aad = plaintext,
                              .aad_bytes = AAD,
                              .out = out,
                              .in = in,
                              .n_bytes = n_bytes,
                              .tag = tag,
                              .tag_bytes = BLOCK};
    messages[0] = whole;
    messages[1] = whole;
    messages[1].out = other_out;
    messages[1].n_bytes = other_bytes;
    messages[1].tag = wrong_tag;
    memcpy(tag, right_tag, sizeof tag);
}

/* The status that a function for many messages returned and the right one; their `work` is zeros.
 */
static void end_messages(mf_status found, mf_status expected)
{
    status = found == expected ? MF_OK : MF_ERROR_STATE;
    for (size_t i = 0; i < 2; i++) {
        if (!all_bytes_are(messages[i].work, sizeof messages[i].work, 0)) {
            status = MF_ERROR_STATE;
        }
    }
}

enum { OTHER = 5 * BLOCK + 3 };

static void do_many_cbc_encrypt(void)
{
    set_messages(iv, BLOCK, plaintext, DATA, 5 * (size_t)BLOCK);
    end_messages(mf_cbc_encrypt_many(&cipher, messages, 2), MF_OK);
}

static void do_many_cbc_decrypt(void)
{
    set_messages(iv, BLOCK, ciphertext, DATA, 5 * (size_t)BLOCK);
    end_messages(mf_cbc_decrypt_many(&cipher, messages, 2), MF_OK);
}

static void do_many_cbc_encrypt_padded(void)
{
    set_messages(iv, BLOCK, plaintext, DATA - 3, OTHER);
    end_messages(mf_cbc_encrypt_padded_many(&cipher, messages, 2), MF_OK);
}

/* See do_cbc_bad_padding. */
static void do_many_cbc_decrypt_padded(void)
{
    set_messages(iv, BLOCK, ciphertext, DATA + BLOCK, DATA);
    end_messages(mf_cbc_decrypt_padded_many(&cipher, messages, 2), MF_ERROR_PADDING);
}

static void do_many_cfb_encrypt(void)
{
    set_messages(iv, BLOCK, plaintext, DATA - 5, OTHER);
    end_messages(mf_cfb_encrypt_many(&cipher, messages, 2), MF_OK);
}

static void do_many_cfb_decrypt(void)
{
    set_messages(iv, BLOCK, ciphertext, DATA - 5, OTHER);
    end_messages(mf_cfb_decrypt_many(&cipher, messages, 2), MF_OK);
}

static void do_many_ofb(void)
{
    set_messages(iv, BLOCK, plaintext, DATA - 5, OTHER);
    end_messages(mf_ofb_crypt_many(&cipher, messages, 2), MF_OK);
}

static void do_many_ctr(void)
{
    set_messages(iv, BLOCK, plaintext, DATA - 5, OTHER);
    end_messages(mf_ctr_crypt_many(&cipher, 8 * BLOCK, messages, 2), MF_OK);
}

static void do_many_cmac_compute(void)
{
    set_messages(NULL, 0, plaintext, DATA - 5, OTHER);
    end_messages(mf_cmac_compute_many(&cmac, messages, 2), MF_OK);
}

static void do_many_cmac_verify(void)
{
    set_messages(NULL, 0, plaintext, DATA - 5, OTHER);
    end_messages(mf_cmac_verify_many(&cmac, messages, 2), MF_ERROR_TAG);
}

static void do_many_ocb_encrypt(void)
{
    set_messages(nonce, sizeof nonce, plaintext, DATA - 5, 0);
    end_messages(mf_ocb_encrypt_many(&ocb, messages, 2), MF_OK);
}

static void do_many_ocb_decrypt(void)
{
    set_messages(nonce, sizeof nonce, ciphertext, DATA - 5, OTHER);
    end_messages(mf_ocb_decrypt_many(&ocb, messages, 2), MF_ERROR_TAG);
}

static void do_many_gcm_encrypt(void)
{
    set_messages(iv, BLOCK, plaintext, DATA - 5, 0);
    end_messages(mf_gcm_encrypt_many(&gcm, messages, 2), MF_OK);
}

static void do_many_gcm_decrypt(void)
{
    set_messages(iv, BLOCK, ciphertext, DATA - 5, OTHER);
    end_messages(mf_gcm_decrypt_many(&gcm, messages, 2), MF_ERROR_TAG);
}

static void do_many_eax_encrypt(void)
{
    set_messages(nonce, sizeof nonce, plaintext, DATA - 5, 0);
    end_messages(mf_eax_encrypt_many(&eax, messages, 2), MF_OK);
}

static void do_many_eax_decrypt(void)
{
    set_messages(nonce, sizeof nonce, ciphertext, DATA - 5, OTHER);
    end_messages(mf_eax_decrypt_many(&eax, messages, 2), MF_ERROR_TAG);
}

static void do_many_ccm_encrypt(void)
{
    set_messages(iv, 12, plaintext, DATA - 5, 0);
    end_messages(mf_ccm_encrypt_many(&cipher, messages, 2), MF_OK);
}

static void do_many_ccm_decrypt(void)
{
    set_messages(iv, 12, ciphertext, DATA - 5, OTHER);
    end_messages(mf_ccm_decrypt_many(&cipher, messages, 2), MF_ERROR_TAG);
}

static void do_many_siv_encrypt(void)
{
    set_messages(nonce, sizeof nonce, plaintext, DATA - 5, 0);
    end_messages(mf_siv_encrypt_many(&siv, messages, 2), MF_OK);
}

static void do_many_siv_decrypt(void)
{
    set_messages(nonce, sizeof nonce, ciphertext, DATA - 5, OTHER);
    end_messages(mf_siv_decrypt_many(&siv, messages, 2), MF_ERROR_TAG);
}

/* --- Preparations: they make `ciphertext` such that it decrypts to `plaintext` in each mode --- */

static void prepare_ecb(void)
{
    status = mf_twofish_encrypt_blocks(&ctx, ciphertext, plaintext, N_BLOCKS);
}

/* The set-up of compiled keying that is most like that of the kernel. */
static unsigned compiled_flags(void)
{
    return MF_COMPILED_OR_FULL | (strcmp(kernel, "full-big") == 0    ? MF_COMPILED_BIG
                                  : strcmp(kernel, "full-huge") == 0 ? MF_COMPILED_HUGE
                                  : strcmp(kernel, "full") == 0      ? 0
                                                                     : MF_COMPILED_CT_SET_UP);
}

static void prepare_compiled(void)
{
    prepare_ecb();
    mf_twofish_compiled_free(compiled);
    CHECK_STATUS(mf_twofish_compiled_new(&compiled, compiled_flags()), MF_OK);
    status = status == MF_OK ? mf_twofish_compiled_set_key(compiled, key, key_bytes) : status;
}

static void prepare_variant(void)
{
    do_variant_init();
    status = status == MF_OK
                 ? mf_twofish_variant_encrypt_blocks(&variant, ciphertext, plaintext, N_BLOCKS)
                 : status;
}

static void prepare_parts(void)
{
    void (*const steps[])(void) = {do_parts_sbox_key, do_parts_subkeys, do_parts_boxes, do_parts_h};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == MF_OK; i++) {
        steps[i]();
    }
}

static void prepare_cbc(void)
{
    unsigned char chain[BLOCK];

    memcpy(chain, iv, BLOCK);
    plaintext[DATA - 1] = 0;
    status = mf_cbc_encrypt_padded(&cipher, chain, ciphertext, sizeof ciphertext, &out_bytes,
                                   plaintext, DATA);
}

static void prepare_ctr(void)
{
    status = mf_ctr_init(&ctr, &cipher, iv, 128);
    status = status == MF_OK ? mf_ctr_crypt(&ctr, ciphertext, plaintext, DATA) : status;
}

static void prepare_cfb_segments(unsigned segment_bits)
{
    status = mf_cfb_init(&cfb, &cipher, iv, segment_bits);
    status = status == MF_OK ? mf_cfb_encrypt(&cfb, ciphertext, plaintext, DATA) : status;
}

static void prepare_cfb(void)
{
    prepare_cfb_segments(8 * BLOCK);
}

static void prepare_cfb_8(void)
{
    prepare_cfb_segments(8);
}

static void prepare_ofb(void)
{
    status = mf_ofb_init(&ofb, &cipher, iv);
    status = status == MF_OK ? mf_ofb_crypt(&ofb, ciphertext, plaintext, DATA) : status;
}

static void prepare_cts(void)
{
    status = mf_cts_encrypt(&cipher, MF_CTS_CS3, iv, ciphertext, plaintext, DATA - 5);
}

/* The tweak after T. [IEEE1619, 5.2] */
static void next_tweak(unsigned char next[BLOCK], const unsigned char T[BLOCK])
{
    next[0] = (unsigned char)((unsigned)T[0] << 1 ^ 135U * (T[BLOCK - 1] >> 7));
    for (size_t i = 1; i < BLOCK; i++) {
        next[i] = (unsigned char)((unsigned)T[i] << 1 | T[i - 1] >> 7);
    }
}

static void prepare_xts(void)
{
    status = mf_ecb_encrypt(&cipher, tweaks, iv, BLOCK);
    for (size_t i = BLOCK; i < DATA; i += BLOCK) {
        next_tweak(tweaks + i, tweaks + i - BLOCK);
    }
    status = status == MF_OK ? mf_xts_init(&xts, &cipher, &cipher) : status;
    status = status == MF_OK ? mf_xts_encrypt(&xts, iv, ciphertext, plaintext, DATA - 5) : status;
}

/* The tweaks of sectors of four blocks, and of each the one after the last. */
static void prepare_xts_sectors(void)
{
    enum { PER_SECTOR = 5 };

    for (size_t i = 0; i + PER_SECTOR <= N_BLOCKS; i += PER_SECTOR) {
        unsigned char *T = tweaks + i * BLOCK;

        T[0] = (unsigned char)(i / PER_SECTOR + 1);
        status = mf_ecb_encrypt(&cipher, T, T, BLOCK);
        for (size_t j = 1; j < PER_SECTOR && status == MF_OK; j++) {
            next_tweak(T + j * BLOCK, T + (j - 1) * BLOCK);
        }
    }
    status = status == MF_OK ? mf_xts_init(&xts, &cipher, &cipher) : status;
}

static void prepare_ocb(void)
{
    status = mf_ocb_init(&ocb, &cipher);
    status = status == MF_OK ? mf_ocb_encrypt(&ocb, nonce, sizeof nonce, plaintext, AAD, ciphertext,
                                              plaintext, DATA - 5, right_tag)
                             : status;
}

static void prepare_gcm(void)
{
    do_gcm_init();
    status = status == MF_OK ? mf_gcm_encrypt(&gcm, iv, BLOCK, plaintext, AAD, ciphertext,
                                              plaintext, DATA - 5, right_tag, sizeof right_tag)
                             : status;
}

static void prepare_cmac(void)
{
    prepare_ecb();
    status = status == MF_OK ? mf_cmac_init(&cmac, &cipher) : status;
    status =
        status == MF_OK ? mf_cmac_compute(&cmac, plaintext, DATA - 5, right_tag, BLOCK) : status;
}

static void prepare_eax(void)
{
    status = mf_eax_init(&eax, &cipher);
    status = status == MF_OK ? mf_eax_encrypt(&eax, nonce, sizeof nonce, plaintext, AAD, ciphertext,
                                              plaintext, DATA - 5, right_tag, BLOCK)
                             : status;
}

static void prepare_ccm(void)
{
    status = mf_ccm_encrypt(&cipher, iv, 12, plaintext, AAD, ciphertext, plaintext, DATA - 5,
                            right_tag, BLOCK);
}

static void prepare_siv(void)
{
    status = mf_siv_init(&siv, &cipher, &cipher);
    status = status == MF_OK ? mf_siv_encrypt(&siv, siv_strings, N_STRINGS, nonce, sizeof nonce,
                                              ciphertext, plaintext, DATA - 5, right_tag)
                             : status;
}

/* With one string only. */
static void prepare_siv_many(void)
{
    prepare_siv();
    status = status == MF_OK ? mf_siv_encrypt(&siv, siv_strings, 1, nonce, sizeof nonce, ciphertext,
                                              plaintext, DATA - 5, right_tag)
                             : status;
}

/* One bit of a ciphertext is changed, and of the plaintext with it: the tag of that is
 * right_tag. */
static void prepare_siv_forgery(void)
{
    prepare_siv();
    memcpy(wrong_tag, right_tag, sizeof wrong_tag);
    ciphertext[DATA - 6] ^= 1;
    plaintext[DATA - 6] ^= 1;
    status = status == MF_OK ? mf_siv_encrypt(&siv, siv_strings, N_STRINGS, nonce, sizeof nonce,
                                              out, plaintext, DATA - 5, right_tag)
                             : status;
}

static const struct {
    const char *name;
    operation *prepare;
    operation *run;
} operations[] = {
    {"init", prepare_ecb, do_init},
    {"constant-time init", prepare_ecb, do_init_ct},
    {"pad_key", prepare_ecb, do_pad_key},
    {"encrypt_blocks of 1", prepare_ecb, do_encrypt_one},
    {"decrypt_blocks of 1", prepare_ecb, do_decrypt_one},
    {"encrypt_blocks", prepare_ecb, do_encrypt_blocks},
    {"decrypt_blocks", prepare_ecb, do_decrypt_blocks},
    {"compiled set_key", prepare_compiled, do_compiled_set_key},
    {"compiled encrypt_blocks of 1", prepare_compiled, do_compiled_encrypt_one},
    {"compiled encrypt_blocks", prepare_compiled, do_compiled_encrypt_blocks},
    {"compiled decrypt_blocks", prepare_compiled, do_compiled_decrypt_blocks},
    {"ECB", prepare_ecb, do_ecb},
    {"CBC encrypt", prepare_cbc, do_cbc_encrypt},
    {"CBC decrypt", prepare_cbc, do_cbc_decrypt},
    {"CBC encrypt padded", prepare_cbc, do_cbc_encrypt_padded},
    {"CBC decrypt padded", prepare_cbc, do_cbc_decrypt_padded},
    {"CBC encrypt ISO padded", prepare_cbc, do_cbc_encrypt_iso_padded},
    {"CBC bad ISO padding", prepare_cbc, do_cbc_bad_iso_padding},
    {"CBC bad padding", prepare_cbc, do_cbc_bad_padding},
    {"CFB encrypt", prepare_cfb, do_cfb_encrypt},
    {"CFB decrypt", prepare_cfb, do_cfb_decrypt},
    {"CFB of 8 bits encrypt", prepare_cfb_8, do_cfb_8_encrypt},
    {"CFB of 8 bits decrypt", prepare_cfb_8, do_cfb_8_decrypt},
    {"OFB", prepare_ofb, do_ofb},
    {"CTR", prepare_ctr, do_ctr},
    {"CBC with stealing encrypt", prepare_cts, do_cts_encrypt},
    {"CBC with stealing decrypt", prepare_cts, do_cts_decrypt},
    {"XTS encrypt", prepare_xts, do_xts_encrypt},
    {"XTS decrypt", prepare_xts, do_xts_decrypt},
    {"XTS sectors", prepare_xts_sectors, do_xts_sectors},
    {"OCB init", prepare_ocb, do_ocb_init},
    {"OCB start", prepare_ocb, do_ocb_start},
    {"OCB associated data", prepare_ocb, do_ocb_aad},
    {"OCB encrypt update", prepare_ocb, do_ocb_encrypt_update},
    {"OCB decrypt update", prepare_ocb, do_ocb_decrypt_update},
    {"OCB encrypt", prepare_ocb, do_ocb_encrypt},
    {"OCB decrypt", prepare_ocb, do_ocb_decrypt},
    {"OCB without text", prepare_ocb, do_ocb_short_aad},
    {"OCB wrong tag", prepare_ocb, do_ocb_wrong_tag},
    {"GCM init", prepare_gcm, do_gcm_init},
    {"GCM start", prepare_gcm, do_gcm_start},
    {"GCM associated data", prepare_gcm, do_gcm_aad},
    {"GCM encrypt update", prepare_gcm, do_gcm_encrypt_update},
    {"GCM decrypt update", prepare_gcm, do_gcm_decrypt_update},
    {"GCM encrypt", prepare_gcm, do_gcm_encrypt},
    {"GCM decrypt", prepare_gcm, do_gcm_decrypt},
    {"GCM wrong tag", prepare_gcm, do_gcm_wrong_tag},
    {"CMAC init", prepare_cmac, do_cmac_init},
    {"CMAC update", prepare_cmac, do_cmac_update},
    {"CMAC compute", prepare_cmac, do_cmac_compute},
    {"CMAC wrong tag", prepare_cmac, do_cmac_wrong_tag},
    {"EAX init", prepare_eax, do_eax_init},
    {"EAX encrypt update", prepare_eax, do_eax_encrypt_update},
    {"EAX decrypt update", prepare_eax, do_eax_decrypt_update},
    {"EAX encrypt", prepare_eax, do_eax_encrypt},
    {"EAX without text", prepare_eax, do_eax_aad},
    {"EAX wrong tag", prepare_eax, do_eax_wrong_tag},
    {"CCM encrypt", prepare_ccm, do_ccm_encrypt},
    {"CCM without text", prepare_ccm, do_ccm_aad},
    {"CCM wrong tag", prepare_ccm, do_ccm_wrong_tag},
    {"CCM update", prepare_ccm, do_ccm_update},
    {"SIV init", prepare_siv, do_siv_init},
    {"SIV encrypt", prepare_siv, do_siv_encrypt},
    {"SIV decrypt", prepare_siv, do_siv_decrypt},
    {"SIV without text", prepare_siv, do_siv_aad},
    {"SIV wrong tag", prepare_siv_forgery, do_siv_wrong_tag},
    {"CBC encrypt of many", prepare_cbc, do_many_cbc_encrypt},
    {"CBC decrypt of many", prepare_cbc, do_many_cbc_decrypt},
    {"CBC encrypt padded of many", prepare_cbc, do_many_cbc_encrypt_padded},
    {"CBC decrypt padded of many", prepare_cbc, do_many_cbc_decrypt_padded},
    {"CFB encrypt of many", prepare_cfb, do_many_cfb_encrypt},
    {"CFB decrypt of many", prepare_cfb, do_many_cfb_decrypt},
    {"OFB of many", prepare_ofb, do_many_ofb},
    {"CTR of many", prepare_ctr, do_many_ctr},
    {"CMAC compute of many", prepare_cmac, do_many_cmac_compute},
    {"CMAC verify of many", prepare_cmac, do_many_cmac_verify},
    {"OCB encrypt of many", prepare_ocb, do_many_ocb_encrypt},
    {"OCB decrypt of many", prepare_ocb, do_many_ocb_decrypt},
    {"GCM encrypt of many", prepare_gcm, do_many_gcm_encrypt},
    {"GCM decrypt of many", prepare_gcm, do_many_gcm_decrypt},
    {"EAX encrypt of many", prepare_eax, do_many_eax_encrypt},
    {"EAX decrypt of many", prepare_eax, do_many_eax_decrypt},
    {"CCM encrypt of many", prepare_ccm, do_many_ccm_encrypt},
    {"CCM decrypt of many", prepare_ccm, do_many_ccm_decrypt},
    {"SIV encrypt of many", prepare_siv_many, do_many_siv_encrypt},
    {"SIV decrypt of many", prepare_siv_many, do_many_siv_decrypt},
};

static void set_up(operation *prepare)
{
    random_bytes(key, sizeof key);
    random_bytes(family_key, sizeof family_key);
    random_bytes(plaintext, sizeof plaintext);
    random_bytes(iv, sizeof iv);
    random_bytes(right_tag, sizeof right_tag);
    memset(tweaks, 0, sizeof tweaks);
    memset(&ocb, 0, sizeof ocb);
    memset(&gcm, 0, sizeof gcm);
    memset(&cmac, 0, sizeof cmac);
    memset(&eax, 0, sizeof eax);
    memset(&ccm, 0, sizeof ccm);
    memset(&siv, 0, sizeof siv);
    memset(&variant, 0, sizeof variant);
    memset(parts_box, 0, sizeof parts_box);
    memset(parts_h, 0, sizeof parts_h);
    CHECK_STATUS(mf_twofish_init_kernel(&zero_ctx, "zero", key, key_bytes), MF_OK);
    cipher = twofish_cipher(&ctx, kernel, key, key_bytes);
    prepare();
    CHECK_STATUS(status, MF_OK);
}

/* CBC leaves its last block in iv. */
static void run_elsewhere(operation *run)
{
    unsigned char iv_before[BLOCK];

    memcpy(iv_before, iv, BLOCK);
    run();
    memcpy(iv, iv_before, BLOCK);
}

static const wiping of_twofish = {set_up, run_elsewhere, collect_secrets, &status};

static void check_operation(const char *name, operation *prepare, operation *run)
{
    test_case("%s, %zu-bit key, %s", kernel, 8 * key_bytes, name);
    check_leaves_nothing(&of_twofish, prepare, run);
}

static void test_kernel(const char *name)
{
    kernel = name;
    for (const size_t *size = key_sizes; *size != 0; size++) {
        key_bytes = *size;
        if (!takes_key(kernel, key_bytes)) {
            continue;
        }
        for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
            check_operation(operations[i].name, operations[i].prepare, operations[i].run);
        }
    }
}

/* The variants and parts for study have no kernels; `full` stands for one that leaves nothing. */
static void test_variants(void)
{
    kernel = "full";
    for (const size_t *size = key_sizes; *size != 0; size++) {
        key_bytes = *size;
        check_operation("variant init", prepare_variant, do_variant_init);
        check_operation("variant encrypt_blocks", prepare_variant, do_variant_encrypt);
        check_operation("variant decrypt_blocks", prepare_variant, do_variant_decrypt);
        check_operation("parts sbox_key", prepare_parts, do_parts_sbox_key);
        check_operation("parts subkeys", prepare_parts, do_parts_subkeys);
        check_operation("parts boxes", prepare_parts, do_parts_boxes);
        check_operation("parts h", prepare_parts, do_parts_h);
    }
}

/* --- Many keys -------------------------------------------------------------------------------- */

/* In lanes bytes stand in another order than in a key, so no search would find them: no byte of the
 * stack may depend on keys and blocks. */
static unsigned char many_keys[N_BLOCKS * MF_TWOFISH_MAX_KEY_BYTES];
static size_t n_keys;

static void change_keys(void)
{
    random_bytes(many_keys, sizeof many_keys);
    random_bytes(plaintext, sizeof plaintext);
}

static void encrypt_each(void)
{
    status = mf_twofish_encrypt_each(kernel, out, plaintext, 1, many_keys, key_bytes, n_keys);
}

static void decrypt_each(void)
{
    status = mf_twofish_decrypt_each(kernel, out, plaintext, 1, many_keys, key_bytes, n_keys);
}

static void test_each(const char *name)
{
    static const size_t counts[] = {1, 16, N_BLOCKS};

    kernel = name;
    for (const size_t *size = key_sizes; *size != 0; size++) {
        key_bytes = *size;
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            n_keys = counts[i];
            test_case("%s, %zu keys of %zu bits", kernel, n_keys, 8 * key_bytes);
            CHECK(stack_left(encrypt_each, change_keys) == 0);
            CHECK_STATUS(status, MF_OK);
            CHECK(stack_left(decrypt_each, change_keys) == 0);
            CHECK_STATUS(status, MF_OK);
        }
    }
}

#ifdef INTERNAL
/* Table kernels set up by each kernel that offers it and can run here. */
static void test_setups(void)
{
    static const char *const tables[] = {"full", "partial", "minimal", "zero"};

    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        setup_features = mf_twofish_kernels[i]->cpu_features;
        for (size_t j = 0; j < sizeof tables / sizeof tables[0]; j++) {
            kernel = tables[j];
            for (const size_t *size = key_sizes; *size != 0; size++) {
                char name[80];

                key_bytes = *size;
                if (mf_twofish_kernel_of(mf_twofish_kernels[i])->setup != NULL &&
                    mf_cpu_has(setup_features)) {
                    (void)snprintf(name, sizeof name, "set-up by %s", mf_twofish_kernels[i]->name);
                    check_operation(name, prepare_ecb, do_init_ct);
                }
            }
        }
    }
    setup_features = UINT32_MAX;
}

/* --- The stack that kernels state in their rows (kernel.h): less than they use would leave secrets
 * there */

static const mf_twofish_kernel *row;
static uint32_t row_key[MF_TWOFISH_EXPANDED_KEY_BYTES / 4], row_boxes[4][256];
static size_t row_blocks;
static unsigned row_undone;

static unsigned row_k(void)
{
    return (unsigned)(key_bytes / 8);
}

static void row_set_key(void)
{
    row->set_key(row_key, key, row_k());
}

static void row_change(void)
{
    random_bytes(key, sizeof key);
    random_bytes(plaintext, sizeof plaintext);
    row_set_key();
    CHECK_STATUS(mf_twofish_parts_sbox_key(parts_S, key, key_bytes), MF_OK);
}

static void row_encrypt(void)
{
    row->common.encrypt_blocks(row_key, out, plaintext, row_blocks);
}

static void row_decrypt(void)
{
    row->common.decrypt_blocks(row_key, out, plaintext, row_blocks);
}

static void row_schedule(void)
{
    row->setup->schedule(parts_K, parts_S, key, row_k());
}

static void row_bytes(void)
{
    row->setup->bytes(parts_box, parts_S, row_k(), row_undone);
}

static void row_words(void)
{
    row->setup->words(row_boxes, parts_S, row_k());
}

static void test_stack_of_setup(void)
{
    test_case("%s, %zu-bit key, stack of the set-up for others", row->common.name, 8 * key_bytes);
    check_stack(row_schedule, row_change, row->setup->stack);
    for (row_undone = 1; row_undone <= 2; row_undone++) {
        check_stack(row_bytes, row_change, row->setup->stack);
    }
    check_stack(row_words, row_change, row->setup->stack);
}

/* Some numbers of blocks: all kinds of whole and partly filled groups. */
static void test_stack_of_blocks(void)
{
    const size_t few = row->common.few_blocks > 1 ? row->common.few_blocks : 1;

    for (row_blocks = few + 1; row_blocks <= N_BLOCKS; row_blocks += 1 + row_blocks / 8) {
        test_case("%s, %zu-bit key, stack of %zu blocks", row->common.name, 8 * key_bytes,
                  row_blocks);
        check_stack(row_encrypt, row_change, row->common.bulk_stack);
        check_stack(row_decrypt, row_change, row->common.bulk_stack);
    }
}

/* A part of the key, deep down. */
static void plant_deep(void)
{
    unsigned char local[3000];

    (void)copy_bytes(local, key, 16);
    (void)copy_bytes(local + sizeof local - 16, iv, BLOCK);
}

static void test_stack(void)
{
    test_case("planted: %s", "a part of the key, deep down");
    row = &mf_twofish_zero; /* which every processor runs */
    key_bytes = 16;
    const size_t left = stack_left(plant_deep, row_change);
    CHECK(left >= 3000 && left < 3200);

    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        row = mf_twofish_kernel_of(mf_twofish_kernels[i]);
        for (const size_t *size = key_sizes; *size != 0; size++) {
            key_bytes = *size;
            if (mf_check_kernel(&row->common, key_bytes) != MF_OK) {
                continue;
            }
            test_case("%s, %zu-bit key, stack of set-up", row->common.name, 8 * key_bytes);
            check_stack(row_set_key, row_change, row->common.set_key_stack);
            if (row->setup != NULL) {
                test_stack_of_setup();
            }
            test_stack_of_blocks();
        }
    }
}

/* GCM with each GHASH that can run here; the kernel is one that leaves nothing itself. */
static void test_ghash_variants(void)
{
    kernel = "full";
    key_bytes = 16;
    for (size_t i = 0; mf_ghash_variants[i] != NULL; i++) {
        ghash_features = mf_ghash_variants[i]->cpu_features;
        for (size_t j = 0; j < sizeof operations / sizeof operations[0]; j++) {
            char name[80];

            if (mf_cpu_has(ghash_features) && strncmp(operations[j].name, "GCM", 3) == 0) {
                (void)snprintf(name, sizeof name, "%s with GHASH %s", operations[j].name,
                               mf_ghash_variants[i]->name);
                check_operation(name, operations[j].prepare, operations[j].run);
            }
        }
    }
    ghash_features = UINT32_MAX;
}
#endif

/* --- Planted faults --------------------------------------------------------------------------- */

static void plant_key(void)
{
    unsigned char local[MF_TWOFISH_MAX_KEY_BYTES];

    (void)copy_bytes(local, key, sizeof local);
}

static void plant_word(void)
{
    uint32_t local[1];

    (void)copy_bytes(local, (const unsigned char *)&zero_ctx + 64, sizeof local);
}

static void plant_plaintext(void)
{
    unsigned char local[BLOCK];

    (void)copy_bytes(local, plaintext + DATA - 3 * BLOCK, sizeof local);
}

static void plant_keystream(void)
{
    unsigned char local[BLOCK];

    (void)copy_bytes(local, ciphertext, sizeof local);
    xor_bytes(local, plaintext, sizeof local);
    (void)copy_bytes(out, local, sizeof local);
}

static void plant_mask(void)
{
    unsigned char local[BLOCK];

    (void)copy_bytes(local, ocb.l_dollar, sizeof local);
}

static void plant_tweak(void)
{
    unsigned char local[BLOCK];

    (void)copy_bytes(local, tweaks + DATA - 3 * BLOCK, sizeof local);
}

static void plant_and_wipe(void)
{
    unsigned char local[MF_TWOFISH_MAX_KEY_BYTES];

    (void)copy_bytes(local, key, sizeof local);
    mf_wipe(local, sizeof local);
}

static void prepare_planted(void)
{
    prepare_xts();
    prepare_ocb();
}

static void check_plant(const char *name, operation *run, bool expected)
{
    test_case("planted: %s", name);
    check_planted(&of_twofish, prepare_planted, run, expected);
}

static void test_planted(void)
{
    kernel = "full";
    key_bytes = 32;
    check_plant("the key", plant_key, true);
    check_plant("one word of the expanded key", plant_word, true);
    check_plant("a block of plaintext", plant_plaintext, true);
    check_plant("a block of key stream", plant_keystream, true);
    check_plant("a mask of OCB", plant_mask, true);
    check_plant("a tweak of XTS", plant_tweak, true);
    check_plant("the key, then mf_wipe", plant_and_wipe, false);
}

int main(void)
{
    if (!wiping_can_be_seen()) {
        return test_end();
    }
    test_planted();
#ifdef INTERNAL
    test_stack();
#endif
    every_kernel(test_kernel);
    each_kernel(test_each);
    test_variants();
#ifdef INTERNAL
    test_setups();
    test_ghash_variants();
#endif
    mf_twofish_compiled_free(compiled);
    return test_end();
}
