/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * OCB3 [RFC7253] with 16-byte tags. Names are those of the RFC, section 4. Block i is masked with
 * Offset_i = Offset_{i-1} xor L_{ntz(i)}; many blocks go through the cipher at once.
 */
#include "ocb.h"

#include "../common/wipe.h"
#include "gf.h"

enum { BLOCK = MF_OCB_BLOCK, PIECE_BLOCKS = MF_PIECE_BYTES / BLOCK };
/* After ENCRYPTED and DECRYPTED there is no more text, only the tag. */
enum phase { NO_MESSAGE = 0, STARTED, ENCRYPTING, ENCRYPTED, DECRYPTING, DECRYPTED };

static void encrypt_block(const mf_ocb *ocb, uint8_t out[BLOCK], const uint8_t in[BLOCK])
{
    ocb->cipher.encrypt_blocks(ocb->cipher.key, out, in, 1);
}

/* All the masks of a key. [RFC7253, 4.1] */
static MF_NOINLINE void make_masks(mf_ocb *ocb)
{
    static const uint8_t zeros[BLOCK];
    encrypt_block(ocb, ocb->l_star, zeros);
    mf_gf_double(ocb->l_dollar, ocb->l_star, BLOCK);
    mf_gf_double(ocb->l[0], ocb->l_dollar, BLOCK);
    for (int i = 1; i < MF_OCB_MASKS; i++) {
        mf_gf_double(ocb->l[i], ocb->l[i - 1], BLOCK);
    }
}

mf_status mf_ocb_init(mf_ocb *ocb, const mf_cipher *cipher)
{
    if (ocb == NULL) {
        return MF_ERROR_NULL;
    }
    mf_ocb_wipe(ocb);
    const mf_status status = mf_check_cipher_16(cipher);
    if (status != MF_OK) {
        return status;
    }
    ocb->cipher = *cipher;
    make_masks(ocb);
    mf_wipe_stack();
    return MF_OK;
}

/* --- Masking ---------------------------------------------------------------------------------- */

/* The next three are not inlined: what they leave on the stack is where mf_wipe_stack reaches. */

/* Before the cipher, which the checksum of encryption precedes. */
static MF_NOINLINE void mask_before(mf_ocb *ocb, enum phase direction, uint8_t *out,
                                    const uint8_t *in, size_t n_blocks)
{
    uint8_t last[BLOCK];
    if (direction == ENCRYPTING) {
        mf_ocb_mask(ocb, last, ocb->offset, ocb->n_blocks, out, in, n_blocks, ocb->checksum,
                    MF_OCB_INPUT);
    } else {
        mf_ocb_mask(ocb, last, ocb->offset, ocb->n_blocks, out, in, n_blocks, ocb->checksum,
                    MF_OCB_NOTHING);
    }
}

/* The same blocks after the cipher; they are done. */
static MF_NOINLINE void mask_after(mf_ocb *ocb, enum phase direction, uint8_t *out, size_t n_blocks)
{
    if (direction == ENCRYPTING) {
        mf_ocb_mask(ocb, ocb->offset, ocb->offset, ocb->n_blocks, out, out, n_blocks, ocb->checksum,
                    MF_OCB_NOTHING);
    } else {
        mf_ocb_mask(ocb, ocb->offset, ocb->offset, ocb->n_blocks, out, out, n_blocks, ocb->checksum,
                    MF_OCB_OUTPUT);
    }
    ocb->n_blocks += n_blocks;
}

/* The next blocks of associated data, to be encrypted. */
static MF_NOINLINE void mask_aad(mf_ocb *ocb, uint8_t *out, const uint8_t *aad, size_t n_blocks)
{
    mf_ocb_mask(ocb, ocb->aad_offset, ocb->aad_offset, ocb->aad_n_blocks, out, aad, n_blocks,
                ocb->aad_sum, MF_OCB_NOTHING);
    ocb->aad_n_blocks += n_blocks;
}

/* --- Messages --------------------------------------------------------------------------------- */

/* All from the offset on, the phase too. */
static void forget_message(mf_ocb *ocb)
{
    mf_wipe((uint8_t *)ocb + offsetof(mf_ocb, offset), sizeof *ocb - offsetof(mf_ocb, offset));
}

static mf_status check_key(const mf_ocb *ocb)
{
    return ocb == NULL ? MF_ERROR_NULL : mf_check_cipher(&ocb->cipher);
}

/* Offset_0. */
static void start(mf_ocb *ocb, const uint8_t *nonce, size_t nonce_bytes)
{
    uint8_t top[BLOCK];
    const unsigned bottom = mf_ocb_top(top, nonce, nonce_bytes);

    encrypt_block(ocb, top, top);
    mf_ocb_first_offset(ocb->offset, top, bottom);
    mf_wipe(top, sizeof top);
}

mf_status mf_ocb_start(mf_ocb *ocb, const void *nonce, size_t nonce_bytes)
{
    const mf_status status = check_key(ocb);
    if (status != MF_OK) {
        return status;
    }
    forget_message(ocb);
    if (nonce_bytes < 1 || nonce_bytes > MF_OCB_MAX_NONCE_BYTES) {
        return MF_ERROR_NONCE_LENGTH;
    }
    if (nonce == NULL) {
        return MF_ERROR_NULL;
    }
    start(ocb, nonce, nonce_bytes);
    ocb->phase = STARTED;
    return MF_OK;
}

/* HASH of [RFC7253, 4.1] over whole blocks. */
static void hash_blocks(mf_ocb *ocb, const uint8_t *aad, size_t n_blocks)
{
    uint8_t buffer[MF_PIECE_BYTES];

    while (n_blocks > 0) {
        const size_t n = mf_min(n_blocks, PIECE_BLOCKS);
        mask_aad(ocb, buffer, aad, n);
        ocb->cipher.encrypt_blocks(ocb->cipher.key, buffer, buffer, n);
        mf_ocb_add_blocks(ocb->aad_sum, buffer, n);
        mf_wipe(buffer, n * BLOCK);
        n_blocks -= n;
        aad += n * BLOCK;
    }
    mf_wipe_stack();
}

mf_status mf_ocb_aad(mf_ocb *ocb, const void *aad, size_t aad_bytes)
{
    const uint8_t *from = aad;
    const mf_status status = check_key(ocb);
    if (status != MF_OK) {
        return status;
    }
    if (ocb->phase == NO_MESSAGE) {
        return MF_ERROR_STATE;
    }
    if (aad_bytes == 0) {
        return MF_OK;
    }
    if (aad == NULL) {
        return MF_ERROR_NULL;
    }
    if (ocb->aad_n_blocks + aad_bytes / BLOCK + 1 >= MF_OCB_MAX_BLOCKS) {
        return MF_ERROR_TOO_LONG;
    }
    const size_t first = mf_min(aad_bytes, BLOCK - ocb->aad_rest_bytes);
    memcpy(ocb->aad_rest + ocb->aad_rest_bytes, from, first);
    ocb->aad_rest_bytes += first;
    if (ocb->aad_rest_bytes < BLOCK) {
        return MF_OK;
    }
    hash_blocks(ocb, ocb->aad_rest, 1);
    hash_blocks(ocb, from + first, (aad_bytes - first) / BLOCK);
    ocb->aad_rest_bytes = (aad_bytes - first) % BLOCK;
    memcpy(ocb->aad_rest, from + aad_bytes - ocb->aad_rest_bytes, ocb->aad_rest_bytes);
    return MF_OK;
}

static void crypt_piece(mf_ocb *ocb, enum phase direction, uint8_t *out, const uint8_t *in,
                        size_t n_blocks)
{
    mask_before(ocb, direction, out, in, n_blocks);
    if (direction == ENCRYPTING) {
        ocb->cipher.encrypt_blocks(ocb->cipher.key, out, out, n_blocks);
    } else {
        ocb->cipher.decrypt_blocks(ocb->cipher.key, out, out, n_blocks);
    }
    mask_after(ocb, direction, out, n_blocks);
}

/* Whole blocks, any number of them. [RFC7253, 4.2, 4.3] */
static void crypt_blocks(mf_ocb *ocb, enum phase direction, uint8_t *out, const uint8_t *in,
                         size_t n_blocks)
{
    while (n_blocks > 0) {
        const size_t n = mf_min(n_blocks, PIECE_BLOCKS);
        crypt_piece(ocb, direction, out, in, n);
        n_blocks -= n;
        in += n * BLOCK;
        out += n * BLOCK;
    }
    mf_wipe_stack();
}

/* Text of any length: whole blocks, of those that waited and then of these, go to out; the others
 * wait. Returns the bytes written. */
static size_t crypt_text(mf_ocb *ocb, enum phase direction, uint8_t *out, const uint8_t *in,
                         size_t n_bytes)
{
    const size_t held = ocb->rest_bytes;
    const size_t first = mf_min(n_bytes, held == 0 ? 0 : BLOCK - held);
    size_t written = 0;

    if (first > 0) {
        memcpy(ocb->rest + held, in, first);
        ocb->rest_bytes += first;
    }
    if (ocb->rest_bytes == BLOCK) {
        crypt_blocks(ocb, direction, ocb->rest, ocb->rest, 1);
        memcpy(out, ocb->rest, BLOCK);
        written = BLOCK;
        ocb->rest_bytes = 0;
    }
    const size_t n_blocks = (n_bytes - first) / BLOCK;
    const size_t last = (n_bytes - first) % BLOCK;
    if (n_blocks > 0) {
        crypt_blocks(ocb, direction, out + written, in + first, n_blocks);
    }
    if (last > 0) {
        memcpy(ocb->rest, in + n_bytes - last, last);
        ocb->rest_bytes = last;
    }
    return written + n_blocks * BLOCK;
}

static enum phase ended(enum phase direction)
{
    return direction == ENCRYPTING ? ENCRYPTED : DECRYPTED;
}

/* The bytes that wait are the partial block at the end, if there is one: it goes into the checksum
 * padded with a one bit. There is no more text. [RFC7253, 4.2, 4.3] */
static void crypt_rest(mf_ocb *ocb, enum phase direction, uint8_t *out, size_t written)
{
    const size_t n_bytes = ocb->rest_bytes;
    uint8_t pad[BLOCK];

    ocb->phase = ended(direction);
    if (n_bytes == 0) {
        return;
    }
    mf_xor(ocb->offset, ocb->offset, ocb->l_star, BLOCK);
    encrypt_block(ocb, pad, ocb->offset);
    if (direction == ENCRYPTING) {
        mf_xor(ocb->checksum, ocb->checksum, ocb->rest, n_bytes);
    }
    mf_xor(out + written, ocb->rest, pad, n_bytes);
    if (direction == DECRYPTING) {
        mf_xor(ocb->checksum, ocb->checksum, out + written, n_bytes);
    }
    ocb->checksum[n_bytes] ^= 0x80;
    ocb->rest_bytes = 0;
    mf_wipe(pad, sizeof pad);
}

/* Ends HASH with the partial block of associated data. [RFC7253, 4.1] */
static void hash_rest(mf_ocb *ocb)
{
    const size_t n = ocb->aad_rest_bytes;
    uint8_t buffer[BLOCK] = {0};

    if (n == 0) {
        return;
    }
    memcpy(buffer, ocb->aad_rest, n);
    buffer[n] = 0x80;
    mf_xor(buffer, buffer, ocb->aad_offset, BLOCK);
    mf_xor(buffer, buffer, ocb->l_star, BLOCK);
    encrypt_block(ocb, buffer, buffer);
    mf_xor(ocb->aad_sum, ocb->aad_sum, buffer, BLOCK);
    mf_wipe(buffer, sizeof buffer);
}

/* The tag; the message is over. */
static void make_tag(mf_ocb *ocb, uint8_t tag[BLOCK])
{
    hash_rest(ocb);
    mf_xor(tag, ocb->checksum, ocb->offset, BLOCK);
    mf_xor(tag, tag, ocb->l_dollar, BLOCK);
    encrypt_block(ocb, tag, tag);
    mf_xor(tag, tag, ocb->aad_sum, BLOCK);
    forget_message(ocb);
}

/* --- Pieces ----------------------------------------------------------------------------------- */

/* Where a piece goes and comes from. */
typedef struct piece {
    uint8_t *out;
    size_t out_capacity;
    size_t *out_bytes;
    const uint8_t *in;
    size_t n_bytes;
} piece;

/* How many blocks the text has with these bytes, and how many bytes are left over. */
static uint64_t blocks_with(const mf_ocb *ocb, size_t n_bytes, size_t *rest)
{
    const size_t ends = ocb->rest_bytes + n_bytes % BLOCK;
    *rest = ends % BLOCK;
    return (uint64_t)(n_bytes / BLOCK) + ends / BLOCK;
}

/* Output that overlaps the input must lie where the input lay, and what waits lay before that. */
static bool overlaps(const mf_ocb *ocb, const piece *p, size_t out_bytes)
{
    return (uintptr_t)p->out + ocb->rest_bytes != (uintptr_t)p->in &&
           mf_overlap(p->out, out_bytes, p->in, p->n_bytes);
}

/* Where all of a piece may go, of which out_bytes are written. */
static mf_status check_room(const mf_ocb *ocb, const piece *p, size_t out_bytes)
{
    if (out_bytes > p->out_capacity) {
        return MF_ERROR_CAPACITY;
    }
    if (out_bytes > 0 && p->out == NULL) {
        return MF_ERROR_NULL;
    }
    return overlaps(ocb, p, out_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

/* After the last piece, no bytes may still follow. */
static bool may_follow(const mf_ocb *ocb, enum phase direction, size_t n_bytes)
{
    return ocb->phase == STARTED || ocb->phase == (unsigned)direction ||
           (n_bytes == 0 && ocb->phase == (unsigned)ended(direction));
}

/* Checks a piece in the given direction, and that it may follow the calls before. Sets
 * out_bytes, the bytes that it will write. */
static mf_status check_piece(const mf_ocb *ocb, enum phase direction, const piece *p, bool is_last,
                             size_t *out_bytes)
{
    size_t rest = 0;
    const mf_status status = check_key(ocb);
    if (status != MF_OK) {
        return status;
    }
    if (!may_follow(ocb, direction, p->n_bytes)) {
        return MF_ERROR_STATE;
    }
    if (p->n_bytes > 0 && p->in == NULL) {
        return MF_ERROR_NULL;
    }
    const uint64_t n_blocks = blocks_with(ocb, p->n_bytes, &rest);
    if (n_blocks >= MF_OCB_MAX_BLOCKS - ocb->n_blocks || n_blocks > (SIZE_MAX - rest) / BLOCK) {
        return MF_ERROR_TOO_LONG;
    }
    *out_bytes = (size_t)n_blocks * BLOCK + (is_last ? rest : 0);
    return check_room(ocb, p, *out_bytes);
}

static mf_status begin_piece(const piece *p)
{
    if (p->out_bytes == NULL) {
        return MF_ERROR_NULL;
    }
    *p->out_bytes = 0;
    return MF_OK;
}

/* A piece; with the last one, what waits goes out too. A tag, if it comes with one, must not lie
 * where the output goes. */
static mf_status crypt(mf_ocb *ocb, enum phase direction, const piece *p, bool is_last,
                       const uint8_t *tag)
{
    size_t out_bytes = 0;
    const mf_status status = check_piece(ocb, direction, p, is_last, &out_bytes);
    if (status != MF_OK) {
        return status;
    }
    if (tag != NULL && mf_overlap(tag, MF_OCB_TAG_BYTES, p->out, out_bytes)) {
        return MF_ERROR_OVERLAP;
    }
    if (ocb->phase == STARTED) {
        ocb->phase = direction;
    }
    const size_t written = crypt_text(ocb, direction, p->out, p->in, p->n_bytes);
    if (is_last) {
        crypt_rest(ocb, direction, p->out, written);
    }
    *p->out_bytes = out_bytes;
    return MF_OK;
}

/* A piece without a tag. */
static mf_status update(mf_ocb *ocb, enum phase direction, const piece *p, bool is_last)
{
    const mf_status status = begin_piece(p);
    return status == MF_OK ? crypt(ocb, direction, p, is_last, NULL) : status;
}

/* The last piece and the tag, to be written or compared. */
static mf_status finish(mf_ocb *ocb, enum phase direction, const piece *p, const uint8_t *tag,
                        uint8_t computed[BLOCK])
{
    mf_status status = begin_piece(p);
    if (status == MF_OK) {
        status = tag == NULL ? MF_ERROR_NULL : crypt(ocb, direction, p, true, tag);
    }
    if (status == MF_OK) {
        make_tag(ocb, computed);
    }
    return status;
}

mf_status mf_ocb_encrypt_update(mf_ocb *ocb, void *out, size_t out_capacity, size_t *out_bytes,
                                const void *in, size_t n_bytes)
{
    return update(ocb, ENCRYPTING, &(piece){out, out_capacity, out_bytes, in, n_bytes}, false);
}

mf_status mf_ocb_decrypt_update(mf_ocb *ocb, void *out, size_t out_capacity, size_t *out_bytes,
                                const void *in, size_t n_bytes)
{
    return update(ocb, DECRYPTING, &(piece){out, out_capacity, out_bytes, in, n_bytes}, false);
}

mf_status mf_ocb_encrypt_last(mf_ocb *ocb, void *out, size_t out_capacity, size_t *out_bytes,
                              const void *in, size_t n_bytes)
{
    return update(ocb, ENCRYPTING, &(piece){out, out_capacity, out_bytes, in, n_bytes}, true);
}

mf_status mf_ocb_decrypt_last(mf_ocb *ocb, void *out, size_t out_capacity, size_t *out_bytes,
                              const void *in, size_t n_bytes)
{
    return update(ocb, DECRYPTING, &(piece){out, out_capacity, out_bytes, in, n_bytes}, true);
}

mf_status mf_ocb_encrypt_finish(mf_ocb *ocb, void *out, size_t out_capacity, size_t *out_bytes,
                                const void *in, size_t n_bytes, unsigned char tag[MF_OCB_TAG_BYTES])
{
    const piece p = {out, out_capacity, out_bytes, in, n_bytes};
    return finish(ocb, ENCRYPTING, &p, tag, tag);
}

mf_status mf_ocb_decrypt_finish(mf_ocb *ocb, void *out, size_t out_capacity, size_t *out_bytes,
                                const void *in, size_t n_bytes,
                                const unsigned char tag[MF_OCB_TAG_BYTES])
{
    const piece p = {out, out_capacity, out_bytes, in, n_bytes};
    uint8_t computed[MF_OCB_TAG_BYTES];
    mf_status status = finish(ocb, DECRYPTING, &p, tag, computed);
    if (status != MF_OK) {
        return status;
    }
    if (!mf_equal(computed, tag, sizeof computed)) {
        mf_wipe(out, *out_bytes);
        *out_bytes = 0;
        status = MF_ERROR_TAG;
    }
    mf_wipe(computed, sizeof computed); /* the right tag of a forgery is worth money */
    return status;
}

/* --- Whole messages --------------------------------------------------------------------------- */

/* Start and associated data of a message in one call. */
static mf_status begin(mf_ocb *ocb, const void *nonce, size_t nonce_bytes, const void *aad,
                       size_t aad_bytes)
{
    const mf_status status = mf_ocb_start(ocb, nonce, nonce_bytes);
    return status == MF_OK ? mf_ocb_aad(ocb, aad, aad_bytes) : status;
}

/* The end of one; nothing of it is left to go on with, whatever the status. */
static mf_status end(mf_ocb *ocb, mf_status status)
{
    if (check_key(ocb) == MF_OK) {
        forget_message(ocb);
    }
    return status;
}

mf_status mf_ocb_encrypt(mf_ocb *ocb, const void *nonce, size_t nonce_bytes, const void *aad,
                         size_t aad_bytes, void *out, const void *in, size_t n_bytes,
                         unsigned char tag[MF_OCB_TAG_BYTES])
{
    size_t out_bytes = 0;
    mf_status status = begin(ocb, nonce, nonce_bytes, aad, aad_bytes);
    if (status == MF_OK) {
        status = mf_ocb_encrypt_finish(ocb, out, n_bytes, &out_bytes, in, n_bytes, tag);
    }
    return end(ocb, status);
}

mf_status mf_ocb_decrypt(mf_ocb *ocb, const void *nonce, size_t nonce_bytes, const void *aad,
                         size_t aad_bytes, void *out, const void *in, size_t n_bytes,
                         const unsigned char tag[MF_OCB_TAG_BYTES])
{
    size_t out_bytes = 0;
    mf_status status = begin(ocb, nonce, nonce_bytes, aad, aad_bytes);
    if (status == MF_OK) {
        status = mf_ocb_decrypt_finish(ocb, out, n_bytes, &out_bytes, in, n_bytes, tag);
    }
    return end(ocb, status);
}

void mf_ocb_wipe(mf_ocb *ocb)
{
    if (ocb != NULL) {
        mf_wipe(ocb, sizeof *ocb);
    }
}
