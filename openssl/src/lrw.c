/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * LRW [LRW]: the IV is the index of the first block, and one update is one data unit. Each block is
 * masked before and after the cipher with its tweak, the product of the second key and its index in
 * GF(2^128). Only old disks have this mode: XTS took its place, since a disk in LRW that holds its
 * own second key gives it away.
 *
 * Indices are public. No branch and no address depends on the second key
 * (../tests/test_constant_time.c).
 */
#include "cipher.h"

#include <openssl/evp.h>

#include <stdint.h>

enum {
    PIECE_BYTES = 64 * BLOCK_BYTES, /* as many blocks as the widest kernel takes at a time */
    N_BITS = 128,
    REDUCTION = 0x87 /* x^128 = x^7 + x^2 + x + 1 */
};

/* An index, or a polynomial: bit i is the coefficient of x^i. In bytes the highest comes first. */
typedef struct number {
    uint64_t high, low;
} number;

typedef struct tweaks {
    number key, index, next; /* next: of the block with this index */
    unsigned char bytes[PIECE_BYTES];
} tweaks;

/* --- numbers ---------------------------------------------------------------------------------- */

static uint64_t load_64(const unsigned char *bytes)
{
    uint64_t word = 0;

    for (size_t i = 0; i < 8; i++) {
        word = word << 8 | bytes[i];
    }
    return word;
}

static number load(const unsigned char bytes[BLOCK_BYTES])
{
    const number n = {load_64(bytes), load_64(bytes + 8)};

    return n;
}

static void store(unsigned char bytes[BLOCK_BYTES], number n)
{
    for (size_t i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(n.high >> (56 - 8 * i));
        bytes[8 + i] = (unsigned char)(n.low >> (56 - 8 * i));
    }
}

static bool has_bit(number n, unsigned i)
{
    return ((i < 64 ? n.low >> i : n.high >> (i - 64)) & 1) != 0;
}

static number sum(number a, number b)
{
    const number c = {a.high ^ b.high, a.low ^ b.low};

    return c;
}

static number times_x(number a)
{
    const uint64_t carry = 0 - (a.high >> 63); /* all ones, or zero */
    const number b = {a.high << 1 | a.low >> 63, a.low << 1 ^ (carry & REDUCTION)};

    return b;
}

static number product(number a, number index)
{
    number p = {0, 0};

    for (unsigned i = 0; i < N_BITS; i++) {
        if (has_bit(index, i)) {
            p = sum(p, a);
        }
        a = times_x(a);
    }
    return p;
}

/* --- tweaks ----------------------------------------------------------------------------------- */

/* One more turns the ones at the end of the index, and the zero before them: two bits on average.
 */
static void count_up(tweaks *t)
{
    number power = t->key;
    bool is_one = true;

    for (unsigned i = 0; is_one && i < N_BITS; i++) {
        is_one = has_bit(t->index, i);
        t->next = sum(t->next, power);
        power = times_x(power);
    }
    t->index.low++;
    t->index.high += t->index.low == 0;
}

/* Those of the next n_bytes of text. */
static void make(tweaks *t, size_t n_bytes)
{
    for (size_t at = 0; at < n_bytes; at += BLOCK_BYTES) {
        store(t->bytes + at, t->next);
        count_up(t);
    }
}

static void mask(unsigned char *out, const unsigned char *in, const tweaks *t, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        out[i] = in[i] ^ t->bytes[i];
    }
}

/* --- the mode --------------------------------------------------------------------------------- */

static mf_status start(cipher_context *ctx)
{
    ctx->text_is_done = false;
    return MF_OK;
}

static mf_status crypt(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                       size_t n_bytes)
{
    tweaks t = {.key = load(ctx->key->tweak_key), .index = load(ctx->iv)};
    mf_status status = MF_OK;

    t.next = product(t.key, t.index);
    for (size_t at = 0; status == MF_OK && at < n_bytes; at += PIECE_BYTES) {
        const size_t n = n_bytes - at < PIECE_BYTES ? n_bytes - at : PIECE_BYTES;

        make(&t, n);
        mask(out + at, in + at, &t, n);
        status = mode_ecb.blocks(ctx, out + at, out + at, n);
        mask(out + at, out + at, &t, n);
    }
    mf_wipe(&t, sizeof t);
    return status;
}

static int whole(cipher_context *ctx, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    if (n_bytes == 0) {
        return 1;
    }
    if (!context_takes_unit(ctx)) {
        return 0;
    }
    if (n_bytes % BLOCK_BYTES != 0) {
        return provider_fail(ctx->provider, MF_ERROR_LENGTH,
                             "expected whole blocks of 16 bytes, found %zu bytes", n_bytes);
    }
    const mf_status status = crypt(ctx, out, in, n_bytes);
    ctx->text_is_done = status == MF_OK;
    return provider_check(ctx->provider, status);
}

/* EVP has no number for LRW. Programs that know XTS treat it as a mode of disks. */
const mode mode_lrw = {
    .evp_mode = EVP_CIPH_XTS_MODE,
    .n_keys = 1,
    .tweak_key_bytes = BLOCK_BYTES,
    .block_bytes = BLOCK_BYTES,
    .iv_bytes = BLOCK_BYTES,
    .min_iv_bytes = BLOCK_BYTES,
    .max_iv_bytes = BLOCK_BYTES,
    .keeps_iv = true,
    .start = start,
    .whole = whole,
};
