/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * OCB, EAX, GCM and CCM: a message in pieces is the same message as a whole, it comes back, and
 * altered it does not; then any calls in any order.
 */
#include "aead.h"

enum { SLACK = 15 }; /* what OCB wants behind a piece */

static void read_case(fuzz_input *input, const aead_mode *mode, const mf_cipher *cipher,
                      aead_case *c)
{
    const size_t most = cipher->block_bytes;
    const size_t least = most == 8 ? 2 : mode->min_tag_bytes;
    c->cipher = cipher;
    c->nonce_bytes = 7 + fuzz_below(input, 7);
    fuzz_bytes(input, c->nonce, sizeof c->nonce);
    c->aad_bytes = fuzz_below(input, sizeof c->aad + 1);
    fuzz_bytes(input, c->aad, sizeof c->aad);
    c->tag_bytes = least + mode->tag_step * fuzz_below(input, (most - least) / mode->tag_step + 1);
}

/* Gives the associated data in two pieces. */
static void start(aead_state *state, const aead_mode *mode, const aead_case *c, size_t cut)
{
    cut = cut < c->aad_bytes ? cut : c->aad_bytes;
    REQUIRE_OK(mode->start(state, c));
    REQUIRE_OK(mode->aad(state, c->aad, cut));
    REQUIRE_OK(mode->aad(state, c->aad + cut, c->aad_bytes - cut));
}

/* The text in pieces of step bytes, each from and to memory of its size; returns the status of the
 * last. */
static mf_status in_pieces(aead_state *state, const aead_mode *mode, const aead_case *c,
                           bool decrypt, size_t step, unsigned char *out, const unsigned char *in,
                           unsigned char *tag)
{
    size_t done = 0, given = 0, n_out = 0;
    unsigned char *piece = fuzz_buffer(step + SLACK);
    for (; c->text_bytes - done > step; done += step) {
        REQUIRE_OK(mode->update(state, decrypt, piece, &n_out, in + done, step));
        memcpy(out + given, piece, n_out);
        given += n_out;
    }
    const mf_status status = mode->finish(state, decrypt, piece, &n_out, in + done,
                                          c->text_bytes - done, tag, c->tag_bytes);
    if (status == MF_OK) {
        REQUIRE(given + n_out == c->text_bytes);
        memcpy(out + given, piece, n_out);
    }
    free(piece);
    return status;
}

static void compare(aead_state *state, const aead_mode *mode, aead_case *c, fuzz_input *input)
{
    const size_t step = 1 + fuzz_below(input, 200);
    const size_t cut = fuzz_below(input, 64), bit = fuzz_below(input, 128);
    unsigned char *text = fuzz_text(input, &c->text_bytes);
    unsigned char *sealed = fuzz_buffer(c->text_bytes), *found = fuzz_buffer(c->text_bytes);
    unsigned char tag[16] = {0}, other_tag[16] = {0};

    REQUIRE_OK(mode->whole(state, false, c, sealed, text, tag));
    start(state, mode, c, cut);
    REQUIRE_OK(in_pieces(state, mode, c, false, step, found, text, other_tag));
    REQUIRE(memcmp(found, sealed, c->text_bytes) == 0);
    REQUIRE(memcmp(tag, other_tag, c->tag_bytes) == 0);

    start(state, mode, c, cut);
    REQUIRE_OK(in_pieces(state, mode, c, true, step, found, sealed, tag));
    REQUIRE(memcmp(found, text, c->text_bytes) == 0);
    REQUIRE_OK(mode->whole(state, true, c, found, sealed, tag));
    REQUIRE(memcmp(found, text, c->text_bytes) == 0);

    tag[bit / 8 % c->tag_bytes] ^= (unsigned char)(1 << bit % 8);
    REQUIRE(mode->whole(state, true, c, found, sealed, tag) == MF_ERROR_TAG);
    for (size_t i = 0; i < c->text_bytes; i++)
        REQUIRE(found[i] == 0);
    start(state, mode, c, cut);
    REQUIRE(in_pieces(state, mode, c, true, step, found, sealed, tag) == MF_ERROR_TAG);
    free(text);
    free(sealed);
    free(found);
}

/* Calls that may be in the wrong order: what they return is theirs to say, but nothing else may
 * happen. */
static void any_order(aead_state *state, const aead_mode *mode, aead_case *c, fuzz_input *input)
{
    c->text_bytes = fuzz_below(input, 64);
    for (unsigned calls = 0; calls < 32 && input->n_bytes > 0; calls++) {
        const size_t call = fuzz_below(input, 8), n_bytes = fuzz_below(input, 64);
        unsigned char *in = fuzz_buffer(n_bytes), *out = fuzz_buffer(n_bytes + SLACK);
        unsigned char tag[16] = {0};
        size_t n_out = 0;
        mf_status status = MF_OK;
        switch (call) {
        case 0:
        case 1:
            status = mode->start(state, c);
            break;
        case 2:
            status = mode->aad(state, in, n_bytes);
            break;
        case 3:
        case 4:
            status = mode->update(state, call == 4, out, &n_out, in, n_bytes);
            break;
        case 5:
        case 6:
            status = mode->finish(state, call == 6, out, &n_out, in, n_bytes, tag, c->tag_bytes);
            break;
        default:
            mode->wipe(state);
            break;
        }
        REQUIRE(status == MF_OK || status == MF_ERROR_STATE || status == MF_ERROR_TAG ||
                status == MF_ERROR_NO_KEY || status == MF_ERROR_TOO_LONG ||
                status == MF_ERROR_LENGTH);
        free(in);
        free(out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    fuzz_input input = {data, n_bytes};
    fuzz_cipher key;
    aead_state state;
    aead_case c = {0};
    const aead_mode *const mode = &aead_modes[fuzz_below(&input, AEAD_MODES)];
    const bool ordered = fuzz_below(&input, 4) != 0;
    fuzz_any_cipher(&input, &key);
    if (mode->init(&state, &key.cipher) != MF_OK) {
        REQUIRE(key.cipher.block_bytes == 8); /* most are defined for 16 alone */
        return 0;
    }
    read_case(&input, mode, &key.cipher, &c);
    if (ordered)
        compare(&state, mode, &c, &input);
    else
        any_order(&state, mode, &c, &input);
    return 0;
}
