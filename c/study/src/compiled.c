/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compiled keying [Twofish98, 5.1.1]: owns a copy of the template of compiled_template.h and writes
 * each key's subkeys into it. The tables are those of kernel `full`, which also does the work from
 * four blocks on: it interleaves them, and the template does not.
 */
#include <manyfish/study/compiled.h>
#include <manyfish/twofish.h>

#include <string.h>

#include "common/kernel.h"
#include "compiled_template.h"
#include "system.h"
#include "tables.h"
#include "twofish/full_keying.h"
#include "twofish/kernel.h"

enum { BLOCK_BYTES = MF_TWOFISH_BLOCK_BYTES, INTERLEAVED = 4 };

enum { SET_UPS = MF_COMPILED_CT_SET_UP | MF_COMPILED_BIG | MF_COMPILED_HUGE };

/* In pages of its own. */
struct mf_twofish_compiled {
    mf_twofish_full_key full;
    uint8_t *code;     /* pages, executable but while they are written; NULL: as `full` */
    uint8_t *data;     /* the same memory, writable at all times; NULL: no second view */
    uintptr_t writer;  /* with a second view, the thread that wrote there */
    size_t code_bytes; /* of these pages */
    unsigned set_up;   /* one of SET_UPS; 0: as `full` */
    bool or_full;
    bool has_key;
};

/* --- The code --------------------------------------------------------------------------------- */

/* The templates read the tables with these distances. */
_Static_assert(sizeof(mf_twofish_boxes) == 4 * sizeof(uint32_t[256]), "the tables lie elsewhere");

/* The standard knows no way from data to a function; where there are templates the address is the
 * same. */
static mf_twofish_code *function_at(const uint8_t *code, const uint8_t *in_template)
{
    const uint8_t *place = code + (in_template - mf_twofish_code_start);
    mf_twofish_code *function;
    _Static_assert(sizeof function == sizeof place, "functions and data have other addresses");
    memcpy(&function, &place, sizeof function);
    return function;
}

/* With a second view no call of the system makes the other threads fetch what was written. A later
 * thread may have the number of the writer: the system serialises where a thread begins. And a
 * thread that moves to another processor goes through the system, which takes longer than old code
 * can be under way there. */
static void fetch(const mf_twofish_compiled *c)
{
    if (c->data != NULL && c->writer != mf_system_thread()) {
        mf_twofish_code_serialise();
    }
}

static void run_encrypt(const mf_twofish_compiled *c, uint8_t *out, const uint8_t *in, size_t n)
{
    fetch(c);
    function_at(c->code, mf_twofish_code_encrypt)(c->full.boxes.box[0], out, in, n);
}

static void run_decrypt(const mf_twofish_compiled *c, uint8_t *out, const uint8_t *in, size_t n)
{
    fetch(c);
    function_at(c->code, mf_twofish_code_decrypt)(c->full.boxes.box[0], out, in, n);
}

/* Through the second view. */
static void patch_view(mf_twofish_compiled *c)
{
    mf_twofish_code_write(c->data, c->full.K);
    mf_twofish_code_publish(c->code, c->code_bytes);
    c->writer = mf_system_thread();
}

/* By way of other rights. No processor must run what it decoded of the old code
 * [IntelSDM, 3, 9.1.3]. This one goes through the system, whose way back serialises. Others with
 * this address space the system interrupts when it takes rights away, unless the processor can do
 * that for it; then they too fetch the new code, and nothing of the old code can be under
 * way there for as long as a call of the system takes. */
static bool patch_pages(mf_twofish_compiled *c)
{
    if (!mf_pages_make_data(c->code, c->code_bytes)) {
        return false;
    }
    mf_twofish_code_write(c->code, c->full.K);
    if (!mf_pages_make_code(c->code, c->code_bytes)) {
        mf_wipe(c->code, c->code_bytes);
        return false;
    }
    mf_twofish_code_publish(c->code, c->code_bytes);
    return true;
}

/* Writes the subkeys into the code. */
static bool patch(mf_twofish_compiled *c)
{
    if (c->data == NULL) {
        return patch_pages(c);
    }
    patch_view(c);
    mf_twofish_code_serialise();
    return true;
}

/* The subkeys leave the code; if the system does not let us write there, with the pages. */
static void wipe_code(mf_twofish_compiled *c)
{
    if (c->data != NULL) {
        mf_wipe(c->data, c->code_bytes);
    } else if (mf_pages_make_data(c->code, c->code_bytes)) {
        mf_wipe(c->code, c->code_bytes);
    }
}

static void free_code(const mf_twofish_compiled *c)
{
    const mf_pages_views views = {c->data, c->code};
    if (c->data != NULL) {
        mf_pages_free_views(&views, c->code_bytes);
    } else {
        mf_pages_free_code(c->code, c->code_bytes);
    }
}

/* From now on as `full`. */
static void drop_code(mf_twofish_compiled *c)
{
    if (c->code != NULL) {
        wipe_code(c);
        free_code(c);
        c->code = NULL;
        c->data = NULL;
        c->code_bytes = 0;
    }
}

/* Writes the subkeys into the code, if there is code. The status says whether this object may be
 * used. */
static mf_status make_code(mf_twofish_compiled *c)
{
    if (c->code != NULL && !patch(c)) {
        drop_code(c);
    }
    return c->code != NULL || c->or_full ? MF_OK : MF_ERROR_EXECUTABLE;
}

/* --- Life and key ----------------------------------------------------------------------------- */

/* Of the pages in which an object lies, without the code. */
static size_t data_bytes(void)
{
    return mf_pages_round(sizeof(mf_twofish_compiled));
}

/* The code of one address. */
static mf_status add_pages(mf_twofish_compiled *c)
{
    c->code = mf_pages_new_code(c->code_bytes);
    if (c->code == NULL) {
        return MF_ERROR_MEMORY;
    }
    memcpy(c->code, mf_twofish_code_start, mf_twofish_code_bytes());
    if (!mf_pages_make_code(c->code, c->code_bytes)) {
        drop_code(c);
        return MF_ERROR_EXECUTABLE;
    }
    return MF_OK;
}

/* Does the code do what was written through the second view? Emulators, valgrind among them, may go
 * on with what they made of the old code. Valgrind knows no instruction of
 * mf_twofish_code_serialise; no processor needs it for its own writing, though the manuals ask for
 * it. There is no key yet: with tables of zeros, the output is what the subkeys of the output
 * whitening are. */
static bool views_agree(mf_twofish_compiled *c)
{
    const uint8_t in[BLOCK_BYTES] = {0};
    uint8_t out[BLOCK_BYTES];
    bool agree = true;

    for (uint8_t byte = 0; byte < 3; byte++) {
        c->full.K[OUTPUT_WHITENING] = byte % 2;
        patch_view(c);
        run_encrypt(c, out, in, 1);
        agree = agree && out[0] == byte % 2;
    }
    return agree;
}

/* The code of two addresses. */
static mf_status add_views(mf_twofish_compiled *c)
{
    mf_pages_views views;

    if (!mf_pages_hide_from_children(c, data_bytes()) ||
        !mf_pages_new_views(&views, c->code_bytes)) {
        return MF_ERROR_EXECUTABLE;
    }
    c->code = views.code;
    c->data = views.data;
    memcpy(c->data, mf_twofish_code_start, mf_twofish_code_bytes());
    if (!views_agree(c)) {
        drop_code(c);
        return MF_ERROR_EXECUTABLE;
    }
    return MF_OK;
}

static mf_status add_code(mf_twofish_compiled *c, bool two_views)
{
    c->code_bytes = mf_pages_round(mf_twofish_code_bytes());
    const mf_status status = c->code_bytes == 0 ? MF_ERROR_KERNEL
                             : two_views        ? add_views(c)
                                                : add_pages(c);
    c->code_bytes = status == MF_OK ? c->code_bytes : 0;
    return status;
}

/* At most one of the flags that say how keys are set up. */
static bool flags_are_good(unsigned flags)
{
    const unsigned set_up = flags & SET_UPS;
    return (flags & ~(MF_COMPILED_OR_FULL | MF_COMPILED_TWO_VIEWS | SET_UPS)) == 0 &&
           (set_up & (set_up - 1)) == 0;
}

mf_status mf_twofish_compiled_new(mf_twofish_compiled **compiled, unsigned flags)
{
    if (compiled == NULL) {
        return MF_ERROR_NULL;
    }
    *compiled = NULL;
    if (!flags_are_good(flags)) {
        return MF_ERROR_BLOCK;
    }
    mf_twofish_compiled *c = mf_pages_new(data_bytes());
    if (c == NULL) {
        return MF_ERROR_MEMORY;
    }
    c->or_full = (flags & MF_COMPILED_OR_FULL) != 0;
    c->set_up = flags & SET_UPS;
    const mf_status status = add_code(c, (flags & MF_COMPILED_TWO_VIEWS) != 0);
    if (status != MF_OK && !c->or_full) {
        mf_twofish_compiled_free(c);
        return status;
    }
    *compiled = c;
    return MF_OK;
}

void mf_twofish_compiled_free(mf_twofish_compiled *compiled)
{
    if (compiled != NULL) {
        drop_code(compiled);
        mf_wipe(compiled, sizeof *compiled);
        mf_pages_free(compiled, data_bytes());
    }
}

static mf_status check_key(const mf_twofish_compiled *c, const void *key, size_t key_bytes)
{
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (key == NULL) {
        return MF_ERROR_NULL;
    }
    const bool in_code = (c->code != NULL && mf_overlap(c->code, c->code_bytes, key, key_bytes)) ||
                         (c->data != NULL && mf_overlap(c->data, c->code_bytes, key, key_bytes));
    return in_code || mf_overlap(c, data_bytes(), key, key_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

/* From the huge tables come the S-boxes as they are, as copies: 4 KB that lie together, and all of
 * them in the cache before the first block [Twofish98, 5.1.3]. */
static mf_status expand_by_huge(mf_twofish_full_key *full, const void *key, size_t key_bytes)
{
    mf_twofish_huge_key h;
    const mf_status status = mf_twofish_expand(&mf_twofish_full_huge, &h, key, key_bytes);

    if (status == MF_OK) {
        const uint32_t *huge = mf_twofish_shared(MF_TWOFISH_TABLES_HUGE);
        memcpy(full->K, h.K, sizeof h.K);
        for (unsigned j = 0; j < 4; j++) {
            memcpy(full->boxes.box[j], huge + h.row[j], sizeof full->boxes.box[j]);
        }
        mf_wipe(&h, sizeof h);
    }
    return status;
}

/* Subkeys and tables. An object that lost its code, or became zeros in a child, takes none. */
static mf_status expand(mf_twofish_compiled *c, const void *key, size_t key_bytes)
{
    const bool by_big = c->set_up == MF_COMPILED_BIG;

    if (c->code == NULL && !c->or_full) {
        return MF_ERROR_EXECUTABLE;
    }
    if (c->set_up == MF_COMPILED_HUGE) {
        return expand_by_huge(&c->full, key, key_bytes);
    }
    if (c->set_up == MF_COMPILED_CT_SET_UP) {
        return mf_twofish_expand_ct(&mf_twofish_full, &c->full, key, key_bytes);
    }
    return mf_twofish_expand(by_big ? &mf_twofish_full_big : &mf_twofish_full, &c->full, key,
                             key_bytes);
}

/* Zeros instead of the old subkeys, in the code too. */
static void forget_key(mf_twofish_compiled *c)
{
    mf_wipe(&c->full, sizeof c->full);
    if (c->has_key) {
        (void)make_code(c);
    }
    c->has_key = false;
}

mf_status mf_twofish_compiled_set_key(mf_twofish_compiled *compiled, const void *key,
                                      size_t key_bytes)
{
    mf_twofish_compiled *c = compiled;
    if (c == NULL) {
        return MF_ERROR_NULL;
    }
    mf_status status = check_key(c, key, key_bytes);
    if (status == MF_OK) {
        status = expand(c, key, key_bytes);
    }
    if (status == MF_OK) {
        status = make_code(c);
    }
    if (status != MF_OK) {
        forget_key(c);
        return status;
    }
    c->has_key = true;
    return MF_OK;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static bool has_key(const void *compiled)
{
    const mf_twofish_compiled *c = compiled;
    return c != NULL && c->has_key;
}

/* As many as `full` does: it takes several at a time, and only those if there is code for the
 * rest. */
static size_t blocks_for_full(const mf_twofish_compiled *c, size_t n_blocks)
{
    return c->code == NULL ? n_blocks : n_blocks - n_blocks % INTERLEAVED;
}

/* And what is left over as `run_encrypt` does, if there is code. */
static MF_NOINLINE void encrypt_as_full(const mf_twofish_compiled *c, uint8_t *out,
                                        const uint8_t *in, size_t n_blocks)
{
    const size_t n = blocks_for_full(c, n_blocks);
    mf_kernel_encrypt(&mf_twofish_full.common, &c->full, out, in, n);
    if (n < n_blocks) {
        run_encrypt(c, out + n * BLOCK_BYTES, in + n * BLOCK_BYTES, n_blocks - n);
    }
}

static void encrypt(const void *compiled, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    const mf_twofish_compiled *c = compiled;
    if (c->code != NULL && n_blocks < INTERLEAVED) {
        run_encrypt(c, out, in, n_blocks);
    } else {
        encrypt_as_full(c, out, in, n_blocks);
    }
}

/* And what is left over as `run_decrypt` does, if there is code. */
static MF_NOINLINE void decrypt_as_full(const mf_twofish_compiled *c, uint8_t *out,
                                        const uint8_t *in, size_t n_blocks)
{
    const size_t n = blocks_for_full(c, n_blocks);
    mf_kernel_decrypt(&mf_twofish_full.common, &c->full, out, in, n);
    if (n < n_blocks) {
        run_decrypt(c, out + n * BLOCK_BYTES, in + n * BLOCK_BYTES, n_blocks - n);
    }
}

static void decrypt(const void *compiled, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    const mf_twofish_compiled *c = compiled;
    if (c->code != NULL && n_blocks < INTERLEAVED) {
        run_decrypt(c, out, in, n_blocks);
    } else {
        decrypt_as_full(c, out, in, n_blocks);
    }
}

mf_status mf_twofish_compiled_encrypt_blocks(const mf_twofish_compiled *compiled, void *out,
                                             const void *in, size_t n_blocks)
{
    const mf_status status = mf_check_call(compiled, has_key, BLOCK_BYTES, out, in, n_blocks);
    if (status == MF_OK && n_blocks > 0) {
        encrypt(compiled, out, in, n_blocks);
    }
    return status;
}

mf_status mf_twofish_compiled_decrypt_blocks(const mf_twofish_compiled *compiled, void *out,
                                             const void *in, size_t n_blocks)
{
    const mf_status status = mf_check_call(compiled, has_key, BLOCK_BYTES, out, in, n_blocks);
    if (status == MF_OK && n_blocks > 0) {
        decrypt(compiled, out, in, n_blocks);
    }
    return status;
}

mf_cipher mf_twofish_compiled_cipher(const mf_twofish_compiled *compiled)
{
    /* The modes ask has_key before they call the others. */
    const mf_cipher cipher = {BLOCK_BYTES, compiled, has_key, encrypt, decrypt};
    return cipher;
}

bool mf_twofish_compiled_is_code(const mf_twofish_compiled *compiled)
{
    return compiled != NULL && compiled->code != NULL;
}

size_t mf_twofish_compiled_bytes(const mf_twofish_compiled *compiled)
{
    return compiled == NULL ? 0 : data_bytes() + compiled->code_bytes;
}
