/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GCM [SP800-38D]. The text is encrypted by CTR with 32 counter bits from the block J0 on; the tag
 * is GHASH of associated data, ciphertext and their lengths, plus the encrypted J0. GHASH is chosen
 * by the CPU's features, see ghash/ghash.h.
 */
#include "gcm.h"

#include "../common/wipe.h"
#include "check.h"
#include "ghash/ghash.h"

/* Text goes through CTR and then GHASH in pieces that stay in the cache. */
enum { BLOCK = 16 };
enum phase { NO_MESSAGE = 0, STARTED, ENCRYPTING, DECRYPTING };

_Static_assert((int)MF_GCM_HASH_KEY_WORDS == (int)MF_GHASH_KEY_WORDS, "room for the hash key");

/* --- GHASH of any bytes ---------------------------------------------------------------------- */

static void hash_blocks(mf_gcm *gcm, const uint8_t *blocks, size_t n_blocks)
{
    gcm->ghash->absorb(gcm->hash_key, gcm->hash, blocks, n_blocks);
}

/* The next n_bytes > 0 bytes of a string, after hashed_bytes of it. */
static void hash_bytes(mf_gcm *gcm, uint64_t hashed_bytes, const uint8_t *bytes, size_t n_bytes)
{
    const size_t rest = (size_t)(hashed_bytes % BLOCK);
    const size_t first = rest == 0 ? 0 : mf_min(n_bytes, BLOCK - rest);

    if (first > 0) {
        memcpy(gcm->rest + rest, bytes, first);
    }
    if (rest + first == BLOCK) {
        hash_blocks(gcm, gcm->rest, 1);
    }
    const size_t n_blocks = (n_bytes - first) / BLOCK;
    const size_t last = (n_bytes - first) % BLOCK;
    hash_blocks(gcm, bytes + first, n_blocks);
    if (last > 0) {
        memcpy(gcm->rest, bytes + n_bytes - last, last);
    }
}

/* The end of a string of hashed_bytes: its partial block is filled with zeros. */
static void hash_padding(mf_gcm *gcm, uint64_t hashed_bytes)
{
    const size_t rest = (size_t)(hashed_bytes % BLOCK);
    if (rest > 0) {
        memset(gcm->rest + rest, 0, BLOCK - rest);
        hash_blocks(gcm, gcm->rest, 1);
    }
}

/* The last block of GHASH: two lengths, in bits. */
static void hash_lengths(mf_gcm *gcm, uint64_t bytes_a, uint64_t bytes_b)
{
    uint8_t lengths[BLOCK];
    mf_store64_be(lengths, 8 * bytes_a);
    mf_store64_be(lengths + 8, 8 * bytes_b);
    hash_blocks(gcm, lengths, 1);
}

/* --- Key and IV ------------------------------------------------------------------------------ */

static void encrypt_block(const mf_gcm *gcm, uint8_t out[BLOCK], const uint8_t in[BLOCK])
{
    gcm->cipher.encrypt_blocks(gcm->cipher.key, out, in, 1);
}

mf_status mf_gcm_init(mf_gcm *gcm, const mf_cipher *cipher)
{
    uint8_t h[BLOCK] = {0};

    if (gcm == NULL) {
        return MF_ERROR_NULL;
    }
    mf_gcm_wipe(gcm);
    const mf_status status = mf_check_cipher_16(cipher);
    if (status != MF_OK) {
        return status;
    }
    gcm->cipher = *cipher;
    gcm->ghash = mf_ghash_best();
    encrypt_block(gcm, h, h);
    gcm->ghash->set_key(gcm->hash_key, h);
    mf_wipe_stack();
    mf_wipe(h, sizeof h);
    return MF_OK;
}

static void forget_message(mf_gcm *gcm)
{
    mf_ctr_wipe(&gcm->ctr);
    mf_wipe(gcm->hash, sizeof gcm->hash);
    mf_wipe(gcm->tag_mask, sizeof gcm->tag_mask);
    mf_wipe(gcm->rest, sizeof gcm->rest);
    gcm->aad_bytes = 0;
    gcm->text_bytes = 0;
    gcm->phase = NO_MESSAGE;
}

static mf_status check_key(const mf_gcm *gcm)
{
    return gcm == NULL ? MF_ERROR_NULL : mf_check_cipher(&gcm->cipher);
}

/* J0 [SP800-38D, 7.1, step 2]; hash is zero before and afterwards. */
static void first_counter(mf_gcm *gcm, uint8_t j0[BLOCK], const uint8_t *iv, size_t iv_bytes)
{
    if (iv_bytes == MF_GCM_SHORT_IV_BYTES) {
        memcpy(j0, iv, MF_GCM_SHORT_IV_BYTES);
        memset(j0 + MF_GCM_SHORT_IV_BYTES, 0, BLOCK - MF_GCM_SHORT_IV_BYTES);
        j0[BLOCK - 1] = 1;
        return;
    }
    hash_bytes(gcm, 0, iv, iv_bytes);
    hash_padding(gcm, iv_bytes);
    hash_lengths(gcm, 0, iv_bytes);
    mf_wipe_stack();
    memcpy(j0, gcm->hash, BLOCK);
    memset(gcm->hash, 0, BLOCK);
}

/* The key stream's first block goes to the tag, the others to the text. */
static mf_status start_keystream(mf_gcm *gcm, const uint8_t j0[BLOCK])
{
    static const uint8_t zeros[BLOCK];
    const mf_status status = mf_ctr_init(&gcm->ctr, &gcm->cipher, j0, 32);
    return status == MF_OK ? mf_ctr_crypt(&gcm->ctr, gcm->tag_mask, zeros, BLOCK) : status;
}

mf_status mf_gcm_start(mf_gcm *gcm, const void *iv, size_t iv_bytes)
{
    uint8_t j0[BLOCK];
    mf_status status = check_key(gcm);
    if (status != MF_OK) {
        return status;
    }
    forget_message(gcm);
    if (iv_bytes == 0 || mf_gcm_too_long_to_hash(0, iv_bytes)) {
        return MF_ERROR_NONCE_LENGTH;
    }
    if (iv == NULL) {
        return MF_ERROR_NULL;
    }
    first_counter(gcm, j0, iv, iv_bytes);
    status = start_keystream(gcm, j0);
    gcm->phase = STARTED;
    mf_wipe(j0, sizeof j0);
    return status;
}

/* --- Data ------------------------------------------------------------------------------------ */

mf_status mf_gcm_aad(mf_gcm *gcm, const void *aad, size_t aad_bytes)
{
    const mf_status status = check_key(gcm);
    if (status != MF_OK) {
        return status;
    }
    if (gcm->phase != STARTED) {
        return MF_ERROR_STATE;
    }
    if (aad_bytes == 0) {
        return MF_OK;
    }
    if (aad == NULL) {
        return MF_ERROR_NULL;
    }
    if (mf_gcm_too_long_to_hash(gcm->aad_bytes, aad_bytes)) {
        return MF_ERROR_TOO_LONG;
    }
    hash_bytes(gcm, gcm->aad_bytes, aad, aad_bytes);
    gcm->aad_bytes += aad_bytes;
    mf_wipe_stack();
    return MF_OK;
}

/* Checks a piece in the given direction, and that it may follow the calls before. */
static mf_status check_piece(const mf_gcm *gcm, enum phase direction, const void *out,
                             const void *in, size_t n_bytes)
{
    mf_status status = check_key(gcm);
    if (status != MF_OK) {
        return status;
    }
    if (gcm->phase != STARTED && gcm->phase != (unsigned)direction) {
        return MF_ERROR_STATE;
    }
    status = mf_check_data(out, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    return mf_gcm_too_long_to_encrypt(gcm->text_bytes, n_bytes) ? MF_ERROR_TOO_LONG : MF_OK;
}

static mf_status crypt_piece(mf_gcm *gcm, enum phase direction, uint8_t *out, const uint8_t *in,
                             size_t n_bytes)
{
    if (direction == DECRYPTING) {
        hash_bytes(gcm, gcm->text_bytes, in, n_bytes);
    }
    const mf_status status = mf_ctr_crypt(&gcm->ctr, out, in, n_bytes);
    if (direction == ENCRYPTING) {
        hash_bytes(gcm, gcm->text_bytes, out, n_bytes);
    }
    gcm->text_bytes += n_bytes;
    return status;
}

/* The pieces, except the first and the last, are whole blocks of the key stream. */
static mf_status crypt(mf_gcm *gcm, enum phase direction, uint8_t *out, const uint8_t *in,
                       size_t n_bytes)
{
    mf_status status = MF_OK;

    if (gcm->phase == STARTED) {
        hash_padding(gcm, gcm->aad_bytes);
        gcm->phase = direction;
    }
    while (n_bytes > 0 && status == MF_OK) {
        const size_t n = mf_min(n_bytes, MF_PIECE_BYTES + gcm->ctr.unused_bytes);
        status = crypt_piece(gcm, direction, out, in, n);
        n_bytes -= n;
        in += n;
        out += n;
    }
    mf_wipe_stack();
    return status;
}

static mf_status update(mf_gcm *gcm, enum phase direction, void *out, const void *in,
                        size_t n_bytes)
{
    const mf_status status = check_piece(gcm, direction, out, in, n_bytes);
    return status == MF_OK ? crypt(gcm, direction, out, in, n_bytes) : status;
}

mf_status mf_gcm_encrypt_update(mf_gcm *gcm, void *out, const void *in, size_t n_bytes)
{
    return update(gcm, ENCRYPTING, out, in, n_bytes);
}

mf_status mf_gcm_decrypt_update(mf_gcm *gcm, void *out, const void *in, size_t n_bytes)
{
    return update(gcm, DECRYPTING, out, in, n_bytes);
}

/* --- Tag ------------------------------------------------------------------------------------- */

/* A tag must not lie where the output goes. */
static mf_status check_last_piece(const mf_gcm *gcm, enum phase direction, const void *out,
                                  const void *in, size_t n_bytes, const void *tag, size_t tag_bytes)
{
    const mf_status status = check_piece(gcm, direction, out, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    if (!mf_gcm_is_tag_length(tag_bytes)) {
        return MF_ERROR_TAG_LENGTH;
    }
    if (tag == NULL) {
        return MF_ERROR_NULL;
    }
    return mf_overlap(tag, tag_bytes, out, n_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

/* The last piece and the whole tag, in either direction; the message is over. */
static mf_status finish(mf_gcm *gcm, enum phase direction, void *out, const void *in,
                        size_t n_bytes, uint8_t tag[BLOCK])
{
    const mf_status status = crypt(gcm, direction, out, in, n_bytes);

    hash_padding(gcm, gcm->text_bytes);
    hash_lengths(gcm, gcm->aad_bytes, gcm->text_bytes);
    mf_xor(tag, gcm->hash, gcm->tag_mask, BLOCK);
    forget_message(gcm);
    mf_wipe_stack();
    return status;
}

mf_status mf_gcm_encrypt_finish(mf_gcm *gcm, void *out, const void *in, size_t n_bytes,
                                unsigned char *tag, size_t tag_bytes)
{
    uint8_t whole[BLOCK];
    mf_status status = check_last_piece(gcm, ENCRYPTING, out, in, n_bytes, tag, tag_bytes);
    if (status == MF_OK) {
        status = finish(gcm, ENCRYPTING, out, in, n_bytes, whole);
        memcpy(tag, whole, tag_bytes);
        mf_wipe(whole, sizeof whole); /* its end may be cut off, and a secret */
    }
    return status;
}

mf_status mf_gcm_decrypt_finish(mf_gcm *gcm, void *out, const void *in, size_t n_bytes,
                                const unsigned char *tag, size_t tag_bytes)
{
    uint8_t computed[BLOCK];
    mf_status status = check_last_piece(gcm, DECRYPTING, out, in, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    status = finish(gcm, DECRYPTING, out, in, n_bytes, computed);
    if (!mf_equal(computed, tag, tag_bytes)) {
        mf_wipe(out, n_bytes);
        status = MF_ERROR_TAG;
    }
    mf_wipe(computed, sizeof computed); /* the right tag of a forgery is worth money */
    return status;
}

/* --- Whole messages -------------------------------------------------------------------------- */

/* Start and associated data of a message in one call. */
static mf_status begin(mf_gcm *gcm, const void *iv, size_t iv_bytes, const void *aad,
                       size_t aad_bytes)
{
    const mf_status status = mf_gcm_start(gcm, iv, iv_bytes);
    return status == MF_OK ? mf_gcm_aad(gcm, aad, aad_bytes) : status;
}

/* The end of one; nothing of it is left to go on with, whatever the status. */
static mf_status end(mf_gcm *gcm, mf_status status)
{
    if (check_key(gcm) == MF_OK) {
        forget_message(gcm);
    }
    return status;
}

mf_status mf_gcm_encrypt(mf_gcm *gcm, const void *iv, size_t iv_bytes, const void *aad,
                         size_t aad_bytes, void *out, const void *in, size_t n_bytes,
                         unsigned char *tag, size_t tag_bytes)
{
    mf_status status = begin(gcm, iv, iv_bytes, aad, aad_bytes);
    if (status == MF_OK) {
        status = mf_gcm_encrypt_finish(gcm, out, in, n_bytes, tag, tag_bytes);
    }
    return end(gcm, status);
}

mf_status mf_gcm_decrypt(mf_gcm *gcm, const void *iv, size_t iv_bytes, const void *aad,
                         size_t aad_bytes, void *out, const void *in, size_t n_bytes,
                         const unsigned char *tag, size_t tag_bytes)
{
    mf_status status = begin(gcm, iv, iv_bytes, aad, aad_bytes);
    if (status == MF_OK) {
        status = mf_gcm_decrypt_finish(gcm, out, in, n_bytes, tag, tag_bytes);
    }
    return end(gcm, status);
}

void mf_gcm_wipe(mf_gcm *gcm)
{
    if (gcm != NULL) {
        mf_wipe(gcm, sizeof *gcm);
    }
}
