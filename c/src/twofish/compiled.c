/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compiled keying [Twofish98, 5.1.1]: owns a copy of the template in compiled_x86_64.c and writes each
 * key's subkeys into it. The tables are those of kernel `full`, which also does the work from four blocks
 * on: it interleaves them, and the template does not.
 */
#include <manyfish/twofish.h>
#include <manyfish/twofish_compiled.h>

#include <string.h>

#include "../common/bytes.h"
#include "../common/pages.h"
#include "../common/wipe.h"
#include "boxes.h"
#include "compiled.h"
#include "kernel.h"

enum { BLOCK_BYTES = MF_TWOFISH_BLOCK_BYTES, INTERLEAVED = 4 };

/* In its own pages, those of the code behind it. */
struct mf_twofish_compiled {
    mf_twofish_full_key full;
    uint8_t *code; /* code_bytes, executable but while it is written; NULL: as `full` */
    size_t code_bytes;
    size_t mapped_bytes; /* with the code */
    bool or_full;
    bool has_key;
};

extern const mf_twofish_kernel mf_twofish_full;

/* --- The code ----------------------------------------------------------------------------------- */

#if MF_COMPILED_TEMPLATE

/* The template reads the tables with these distances. */
_Static_assert(sizeof(mf_twofish_boxes) == 4 * sizeof(uint32_t[256]), "the tables lie elsewhere");

static size_t template_bytes(void)
{
    return (size_t)(mf_twofish_code_end - mf_twofish_code_start);
}

static void copy_template(uint8_t *code)
{
    memcpy(code, mf_twofish_code_start, template_bytes());
}

static void write_subkeys(uint8_t *code, const uint32_t K[MF_TWOFISH_SUBKEYS])
{
    const mf_twofish_code_site *site = mf_twofish_code_sites;
    for (; site != mf_twofish_code_sites_end; site++) {
        memcpy(code + site->offset, &K[site->subkey], sizeof K[0]);
    }
}

/* The standard knows no way from data to a function; on these systems the address is the same. */
static mf_twofish_code *function_at(const uint8_t *code, const uint8_t *in_template)
{
    const uint8_t *place = code + (in_template - mf_twofish_code_start);
    mf_twofish_code *function;
    _Static_assert(sizeof function == sizeof place, "functions and data have other addresses");
    memcpy(&function, &place, sizeof function);
    return function;
}

static void run_encrypt(const mf_twofish_compiled *c, uint8_t *out, const uint8_t *in, size_t n)
{
    function_at(c->code, mf_twofish_code_encrypt)(c->full.boxes.box[0], out, in, n);
}

static void run_decrypt(const mf_twofish_compiled *c, uint8_t *out, const uint8_t *in, size_t n)
{
    function_at(c->code, mf_twofish_code_decrypt)(c->full.boxes.box[0], out, in, n);
}

#else

static size_t template_bytes(void)
{
    return 0;
}

/* Without a template there is never code, and none of these is called. */
static void copy_template(uint8_t *code)
{
    (void)code;
}

static void write_subkeys(uint8_t *code, const uint32_t K[MF_TWOFISH_SUBKEYS])
{
    (void)code;
    (void)K;
}

static void run_encrypt(const mf_twofish_compiled *c, uint8_t *out, const uint8_t *in, size_t n)
{
    mf_twofish_full.encrypt_blocks(&c->full, out, in, n);
}

static void run_decrypt(const mf_twofish_compiled *c, uint8_t *out, const uint8_t *in, size_t n)
{
    mf_twofish_full.decrypt_blocks(&c->full, out, in, n);
}

#endif

/* Writes the subkeys into the code. No processor must run what it decoded of the old code [IntelSDM, 3,
 * 9.1.3]. This one goes through the system; the others with this address space the system interrupts when
 * it takes rights away, and the return from an interrupt serialises. */
static bool patch(mf_twofish_compiled *c)
{
    if (!mf_pages_make_data(c->code, c->code_bytes)) {
        return false;
    }
    write_subkeys(c->code, c->full.K);
    return mf_pages_make_code(c->code, c->code_bytes);
}

/* The subkeys leave the code; if the system does not let us write there, with the pages. */
static void wipe_code(mf_twofish_compiled *c)
{
    if (c->code != NULL && mf_pages_make_data(c->code, c->code_bytes)) {
        mf_wipe(c->code, c->code_bytes);
    }
}

/* From now on as `full`. */
static void drop_code(mf_twofish_compiled *c)
{
    if (c->code != NULL) {
        wipe_code(c);
        mf_pages_free(c->code, c->code_bytes);
        c->mapped_bytes -= c->code_bytes;
        c->code = NULL;
    }
}

/* Writes the subkeys into the code, if there is code. The status says whether this object may be used. */
static mf_status make_code(mf_twofish_compiled *c)
{
    if (c->code != NULL && !patch(c)) {
        drop_code(c);
    }
    return c->code != NULL || c->or_full ? MF_OK : MF_ERROR_EXECUTABLE;
}

/* --- Life and key ------------------------------------------------------------------------------- */

static mf_status add_code(mf_twofish_compiled *c, uint8_t *pages, size_t code_bytes)
{
    if (code_bytes == 0) {
        return MF_ERROR_KERNEL;
    }
    c->code = pages;
    c->code_bytes = code_bytes;
    copy_template(pages);
    if (!mf_pages_make_code(pages, code_bytes)) {
        drop_code(c);
        return MF_ERROR_EXECUTABLE;
    }
    return MF_OK;
}

mf_status mf_twofish_compiled_new(mf_twofish_compiled **compiled, unsigned flags)
{
    const size_t code_bytes = mf_pages_round(template_bytes());
    const size_t data_bytes = mf_pages_round(sizeof(mf_twofish_compiled));

    if (compiled == NULL) {
        return MF_ERROR_NULL;
    }
    *compiled = NULL;
    if ((flags & ~MF_COMPILED_OR_FULL) != 0) {
        return MF_ERROR_BLOCK;
    }
    mf_twofish_compiled *c = mf_pages_new(data_bytes + code_bytes);
    if (c == NULL) {
        return MF_ERROR_MEMORY;
    }
    c->mapped_bytes = data_bytes + code_bytes;
    c->or_full = flags == MF_COMPILED_OR_FULL;
    const mf_status status = add_code(c, (uint8_t *)c + data_bytes, code_bytes);
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
        const size_t mapped_bytes = compiled->mapped_bytes;
        wipe_code(compiled);
        mf_wipe(compiled, sizeof *compiled);
        mf_pages_free(compiled, mapped_bytes);
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
    return mf_overlap(c, c->mapped_bytes, key, key_bytes) ? MF_ERROR_OVERLAP : MF_OK;
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
        mf_twofish_full.set_key(&c->full, key, (unsigned)(key_bytes / 8));
        mf_wipe_stack();
        status = make_code(c);
    } else if (c->has_key) {
        /* Zeros instead of the old subkeys. */
        mf_wipe(&c->full, sizeof c->full);
        (void)make_code(c);
    }
    if (status != MF_OK) {
        mf_wipe(&c->full, sizeof c->full);
    }
    c->has_key = status == MF_OK;
    return status;
}

/* --- Blocks ------------------------------------------------------------------------------------- */

static bool has_key(const void *compiled)
{
    const mf_twofish_compiled *c = compiled;
    return c != NULL && c->has_key;
}

/* As many as `full` does: it takes several at a time, and only those if there is code for the rest. */
static size_t blocks_for_full(const mf_twofish_compiled *c, size_t n_blocks)
{
    return c->code == NULL ? n_blocks : n_blocks - n_blocks % INTERLEAVED;
}

/* As in twofish.c: `full` leaves something on the stack only if it works on several blocks. */
static void wipe_after(size_t n_blocks)
{
    if (n_blocks > 1) {
        mf_wipe_stack();
    }
}

/* And what is left over as `run_encrypt` does, if there is code. */
static MF_NOINLINE void encrypt_as_full(const mf_twofish_compiled *c, uint8_t *out,
                                        const uint8_t *in, size_t n_blocks)
{
    const size_t n = blocks_for_full(c, n_blocks);
    mf_twofish_full.encrypt_blocks(&c->full, out, in, n);
    wipe_after(n);
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
    mf_twofish_full.decrypt_blocks(&c->full, out, in, n);
    wipe_after(n);
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

static mf_status check_blocks(const mf_twofish_compiled *c, const void *out, const void *in,
                              size_t n_blocks)
{
    if (c == NULL || (n_blocks > 0 && (out == NULL || in == NULL))) {
        return MF_ERROR_NULL;
    }
    if (!c->has_key) {
        return MF_ERROR_NO_KEY;
    }
    if (n_blocks > SIZE_MAX / BLOCK_BYTES) {
        return MF_ERROR_LENGTH;
    }
    return mf_overlap_partly(out, in, n_blocks * BLOCK_BYTES) ? MF_ERROR_OVERLAP : MF_OK;
}

mf_status mf_twofish_compiled_encrypt_blocks(const mf_twofish_compiled *compiled, void *out,
                                             const void *in, size_t n_blocks)
{
    const mf_status status = check_blocks(compiled, out, in, n_blocks);
    if (status == MF_OK && n_blocks > 0) {
        encrypt(compiled, out, in, n_blocks);
    }
    return status;
}

mf_status mf_twofish_compiled_decrypt_blocks(const mf_twofish_compiled *compiled, void *out,
                                             const void *in, size_t n_blocks)
{
    const mf_status status = check_blocks(compiled, out, in, n_blocks);
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
    return compiled == NULL ? 0 : compiled->mapped_bytes;
}
