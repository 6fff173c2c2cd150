/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys, a few blocks under each: checks, and the choice between keys in lanes and one key
 * after the other.
 */
#include "each.h"

#include "../common/text.h"
#include "kernel.h"

enum { BLOCK_BYTES = MF_TWOFISH_BLOCK_BYTES, ALIGNMENT = 64 };

/* Keys and blocks that are left to do. */
typedef struct each_work {
    uint8_t *out;
    const uint8_t *in;
    size_t n_blocks; /* of each key */
    const uint8_t *keys;
    size_t key_bytes;
    size_t n_keys;
} each_work;

/* Where the kernel has none, one key after the other. */
static const mf_twofish_each *variant_of(const mf_twofish_kernel *kernel)
{
    for (size_t i = 0; mf_twofish_each_variants[i] != NULL; i++) {
        if (mf_same_text(mf_twofish_each_variants[i]->kernel, kernel->common.name)) {
            return mf_twofish_each_variants[i];
        }
    }
    return NULL;
}

/* How many of the keys are best worked on in lanes: all that fill them, and a rest that would take
 * longer otherwise. */
static size_t keys_for_lanes(const mf_twofish_each *each, const each_work *work)
{
    if (each == NULL || work->n_blocks > each->max_blocks) {
        return 0;
    }
    const size_t rest = work->n_keys % each->lanes;
    const size_t from = each->from + each->more * (work->n_blocks - 1);
    return rest >= from ? work->n_keys : work->n_keys - rest;
}

static void advance(each_work *work, size_t n_keys)
{
    work->out += BLOCK_BYTES * work->n_blocks * n_keys;
    work->in += BLOCK_BYTES * work->n_blocks * n_keys;
    work->keys += work->key_bytes * n_keys;
    work->n_keys -= n_keys;
}

static void one_after_the_other(const mf_twofish_kernel *kernel, each_work *work, bool decrypt)
{
    uint32_t expanded_key[MF_TWOFISH_EXPANDED_KEY_BYTES / sizeof(uint32_t)];

    for (; work->n_keys > 0; advance(work, 1)) {
        kernel->set_key(expanded_key, work->keys, (unsigned)(work->key_bytes / 8));
        mf_wipe_used_stack(kernel->common.set_key_stack);
        if (decrypt) {
            mf_kernel_decrypt(&kernel->common, expanded_key, work->out, work->in, work->n_blocks);
        } else {
            mf_kernel_encrypt(&kernel->common, expanded_key, work->out, work->in, work->n_blocks);
        }
    }
    mf_wipe(expanded_key, kernel->common.expanded_key_bytes);
    mf_wipe_stack(); /* some table kernels leave words of a block there */
}

/* At most as many keys as there are lanes. */
static void crypt_lanes(const mf_twofish_each *each, void *state, const each_work *work,
                        size_t n_keys, bool decrypt)
{
    const size_t step = BLOCK_BYTES * work->n_blocks;
    const unsigned k = (unsigned)(work->key_bytes / 8);

    each->set_keys(state, work->keys, k, n_keys);
    for (size_t at = 0; at < step; at += BLOCK_BYTES) {
        (decrypt ? each->decrypt : each->encrypt)(state, work->out + at, work->in + at, step, k,
                                                  n_keys);
    }
}

static void in_lanes(const mf_twofish_each *each, each_work *work, size_t n_keys, bool decrypt)
{
    uint64_t memory[(MF_TWOFISH_EACH_STATE_BYTES + ALIGNMENT) / sizeof(uint64_t)];
    /* By hand: not every compiler aligns what is on the stack (c/CMakeLists.txt). */
    void *const state = (uint8_t *)memory + (-(uintptr_t)memory & (ALIGNMENT - 1));

    while (n_keys > 0) {
        const size_t n = n_keys < each->lanes ? n_keys : each->lanes;
        crypt_lanes(each, state, work, n, decrypt);
        advance(work, n);
        n_keys -= n;
    }
    mf_wipe_used_stack(each->stack);
    mf_wipe(state, each->state_bytes);
}

static void crypt_each(const mf_twofish_kernel *kernel, each_work *work, bool decrypt)
{
    const mf_twofish_each *each = variant_of(kernel);
    const size_t n_keys = keys_for_lanes(each, work);

    if (n_keys > 0) {
        in_lanes(each, work, n_keys, decrypt);
    }
    if (work->n_keys > 0) {
        one_after_the_other(kernel, work, decrypt);
    }
}

/* Without data to work on no pointer is looked at. */
static mf_status check_buffers(const each_work *work)
{
    if (work->n_blocks == 0 || work->n_keys == 0) {
        return MF_OK;
    }
    if (work->out == NULL || work->in == NULL || work->keys == NULL) {
        return MF_ERROR_NULL;
    }
    if (work->n_keys > SIZE_MAX / work->key_bytes ||
        work->n_blocks > SIZE_MAX / BLOCK_BYTES / work->n_keys) {
        return MF_ERROR_LENGTH;
    }
    const size_t n_bytes = BLOCK_BYTES * work->n_blocks * work->n_keys;
    return mf_overlap_partly(work->out, work->in, n_bytes) ||
                   mf_overlap(work->out, n_bytes, work->keys, work->key_bytes * work->n_keys)
               ? MF_ERROR_OVERLAP
               : MF_OK;
}

static mf_status check_and_crypt_each(const char *name, each_work *work, bool decrypt)
{
    const mf_twofish_kernel *kernel = NULL;

    if (work->key_bytes != 16 && work->key_bytes != 24 && work->key_bytes != 32) {
        return MF_ERROR_KEY_LENGTH;
    }
    mf_status status = check_buffers(work);
    if (status == MF_OK) {
        status = mf_twofish_find_kernel(&kernel, name);
    }
    if (status == MF_OK) {
        status = mf_check_kernel(&kernel->common, work->key_bytes);
    }
    if (status == MF_OK && work->n_blocks > 0 && work->n_keys > 0) {
        crypt_each(kernel, work, decrypt);
    }
    return status;
}

mf_status mf_twofish_encrypt_each(const char *kernel, void *out, const void *in, size_t n_blocks,
                                  const void *keys, size_t key_bytes, size_t n_keys)
{
    each_work work = {out, in, n_blocks, keys, key_bytes, n_keys};
    return check_and_crypt_each(kernel, &work, false);
}

mf_status mf_twofish_decrypt_each(const char *kernel, void *out, const void *in, size_t n_blocks,
                                  const void *keys, size_t key_bytes, size_t n_keys)
{
    each_work work = {out, in, n_blocks, keys, key_bytes, n_keys};
    return check_and_crypt_each(kernel, &work, true);
}
