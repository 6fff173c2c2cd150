/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Modes as Java calls them (Native.java says what each function takes). Java has checked offsets
 * and lengths, and lets one thread at a time in.
 */
#include "handle.h"
#include "mode.h"
#include "org_manyfish_jni_Native.h"
#include "pinned.h"

#include <stdlib.h>
#include <string.h>

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- opening and closing ---------------------------------------------------------------------- */

enum { MAX_NAME = 32, MAX_KEY_BYTES = 2 * MF_TWOFISH_MAX_KEY_BYTES };

/* Copies a string that is a name; false if it is longer than any name is. NULL becomes "". */
static bool copy_name(JNIEnv *env, char name[MAX_NAME], jstring from)
{
    memset(name, 0, MAX_NAME); /* the region ends without a zero */
    if (from == NULL) {
        return true;
    }
    if ((*env)->GetStringUTFLength(env, from) >= MAX_NAME) {
        return false;
    }
    (*env)->GetStringUTFRegion(env, from, 0, (*env)->GetStringLength(env, from), name);
    return true;
}

static mf_status open_keys(JNIEnv *env, keys *k, jstring cipher, jstring kernel, size_t n_keys,
                           jbyteArray key)
{
    char cipher_name[MAX_NAME], kernel_name[MAX_NAME];
    unsigned char bytes[MAX_KEY_BYTES];
    const jsize key_bytes = (*env)->GetArrayLength(env, key);

    if (!copy_name(env, cipher_name, cipher)) {
        return MF_ERROR_BLOCK;
    }
    if (!copy_name(env, kernel_name, kernel)) {
        return MF_ERROR_KERNEL;
    }
    if (key_bytes > MAX_KEY_BYTES) {
        return MF_ERROR_KEY_LENGTH;
    }
    (*env)->GetByteArrayRegion(env, key, 0, key_bytes, (jbyte *)bytes);
    const mf_status status = keys_init(k, cipher_name, kernel == NULL ? NULL : kernel_name, n_keys,
                                       bytes, (size_t)key_bytes);
    mf_wipe(bytes, sizeof bytes);
    return status;
}

static mf_status open_mode(JNIEnv *env, mode *m, jstring cipher, jstring kernel, jstring name,
                           jbyteArray key)
{
    char mode_name[MAX_NAME];

    if (!copy_name(env, mode_name, name)) {
        return MF_ERROR_BLOCK;
    }
    m->row = mode_row_of(mode_name);
    if (m->row == NULL) {
        return MF_ERROR_BLOCK;
    }
    const mf_status status = open_keys(env, &m->keys, cipher, kernel, m->row->n_keys, key);
    return status == MF_OK ? m->row->init(m) : status;
}

JNIEXPORT jlong JNICALL Java_org_manyfish_jni_Native_openMode(JNIEnv *env, jclass class,
                                                              jstring cipher, jstring kernel,
                                                              jstring name, jboolean encrypting,
                                                              jbyteArray key)
{
    mode *m = calloc(1, sizeof *m);

    (void)class;
    if (m == NULL) {
        return -MF_ERROR_MEMORY;
    }
    m->encrypting = encrypting;
    const mf_status status = open_mode(env, m, cipher, kernel, name, key);
    if (status != MF_OK) {
        mode_wipe(m);
        free(m);
        return -(jlong)status;
    }
    return (jlong)(uintptr_t)m;
}

JNIEXPORT void JNICALL Java_org_manyfish_jni_Native_closeMode(JNIEnv *env, jclass class,
                                                              jlong handle)
{
    mode *m = mode_of(handle);

    (void)env;
    (void)class;
    mode_wipe(m);
    free(m);
}

/* --- a message -------------------------------------------------------------------------------- */

JNIEXPORT jint JNICALL Java_org_manyfish_jni_Native_start(JNIEnv *env, jclass class, jlong handle,
                                                          jbyteArray iv)
{
    mode *m = mode_of(handle);
    const jsize iv_bytes = iv == NULL ? 0 : (*env)->GetArrayLength(env, iv);
    unsigned char *copy = malloc((size_t)iv_bytes + 1); /* EAX and GCM take any number */

    (void)class;
    if (copy == NULL) {
        return MF_ERROR_MEMORY;
    }
    if (iv_bytes != 0) {
        (*env)->GetByteArrayRegion(env, iv, 0, iv_bytes, (jbyte *)copy);
    }
    const mf_status status = m->row->start(m, copy, (size_t)iv_bytes);
    free(copy);
    return (jint)status;
}

JNIEXPORT jint JNICALL Java_org_manyfish_jni_Native_aad(JNIEnv *env, jclass class, jlong handle,
                                                        jbyteArray aad, jint offset, jint n_bytes)
{
    mode *m = mode_of(handle);
    size_t at = (size_t)offset, left = (size_t)n_bytes;
    mf_status status = MF_OK;

    (void)class;
    if (m->row->aad == NULL) {
        return MF_ERROR_STATE;
    }
    do { /* no bytes at all are associated data too, for SIV */
        const size_t n = min_size(left, PIECE_BYTES);
        unsigned char *piece = (*env)->GetPrimitiveArrayCritical(env, aad, NULL);
        if (piece == NULL) {
            return MF_ERROR_MEMORY;
        }
        status = m->row->aad(m, piece + at, n);
        (*env)->ReleasePrimitiveArrayCritical(env, aad, piece, JNI_ABORT);
        at += n;
        left -= n;
    } while (status == MF_OK && left > 0);
    return (jint)status;
}

/* Where a call writes and reads. */
typedef struct place {
    jbyteArray out;
    jbyteArray in;
    size_t out_offset;
    size_t in_offset;
    size_t n_bytes;
} place;

/* One piece of at most PIECE_BYTES, with arrays pinned: the first n_bytes of p, which moves on. */
static mf_status update_piece(JNIEnv *env, mode *m, place *p, size_t n_bytes)
{
    pinned arrays;

    if (!pin(env, &arrays, p->out, p->in)) {
        return MF_ERROR_MEMORY;
    }
    const mf_status status =
        m->row->update(m, arrays.out + p->out_offset, arrays.in + p->in_offset, n_bytes);
    unpin(env, &arrays, p->out, p->in);
    p->out_offset += n_bytes;
    p->in_offset += n_bytes;
    p->n_bytes -= n_bytes;
    return status;
}

/* Pieces until at most left bytes are left. */
static mf_status update_pieces(JNIEnv *env, mode *m, place *p, size_t left)
{
    mf_status status = MF_OK;

    while (status == MF_OK && p->n_bytes > left) {
        status = update_piece(env, m, p, min_size(p->n_bytes, PIECE_BYTES));
    }
    return status;
}

JNIEXPORT jint JNICALL Java_org_manyfish_jni_Native_update(JNIEnv *env, jclass class, jlong handle,
                                                           jbyteArray out, jint out_offset,
                                                           jbyteArray in, jint in_offset,
                                                           jint n_bytes)
{
    place p = {out, in, (size_t)out_offset, (size_t)in_offset, (size_t)n_bytes};
    mode *m = mode_of(handle);

    (void)class;
    return m->row->update == NULL ? (jint)MF_ERROR_STATE : (jint)update_pieces(env, m, &p, 0);
}

JNIEXPORT jint JNICALL Java_org_manyfish_jni_Native_updateDirect(JNIEnv *env, jclass class,
                                                                 jlong handle, jobject out,
                                                                 jint out_position, jobject in,
                                                                 jint in_position, jint n_bytes)
{
    mode *m = mode_of(handle);
    unsigned char *out_bytes = (*env)->GetDirectBufferAddress(env, out);
    const unsigned char *in_bytes = (*env)->GetDirectBufferAddress(env, in);

    (void)class;
    if (m->row->update == NULL) {
        return MF_ERROR_STATE;
    }
    if (out_bytes == NULL || in_bytes == NULL) {
        return MF_ERROR_NULL;
    }
    return (jint)m->row->update(m, out_bytes + out_position, in_bytes + in_position,
                                (size_t)n_bytes);
}

/* --- the end of a message --------------------------------------------------------------------- */

static mf_status finish_pinned(JNIEnv *env, mode *m, const place *p, unsigned char *tag,
                               size_t tag_bytes)
{
    pinned arrays;

    if (!pin(env, &arrays, p->out, p->in)) {
        return MF_ERROR_MEMORY;
    }
    const mf_status status = m->row->finish(m, arrays.out + p->out_offset, arrays.in + p->in_offset,
                                            p->n_bytes, tag, tag_bytes);
    unpin(env, &arrays, p->out, p->in);
    return status;
}

/* A long message that must come whole: arrays would be pinned for too long, so it is copied. */
static mf_status finish_copied(JNIEnv *env, mode *m, const place *p, unsigned char *tag,
                               size_t tag_bytes)
{
    unsigned char *copy = malloc(p->n_bytes);
    const jsize n_bytes = (jsize)p->n_bytes;

    if (copy == NULL) {
        return MF_ERROR_MEMORY;
    }
    (*env)->GetByteArrayRegion(env, p->in, (jsize)p->in_offset, n_bytes, (jbyte *)copy);
    const mf_status status = m->row->finish(m, copy, copy, p->n_bytes, tag, tag_bytes);
    if (status == MF_OK) {
        (*env)->SetByteArrayRegion(env, p->out, (jsize)p->out_offset, n_bytes, (jbyte *)copy);
    }
    mf_wipe(copy, p->n_bytes);
    free(copy);
    return status;
}

static mf_status finish_message(JNIEnv *env, mode *m, place *p, unsigned char *tag,
                                size_t tag_bytes)
{
    if (m->row->whole && p->n_bytes > PIECE_BYTES) {
        return finish_copied(env, m, p, tag, tag_bytes);
    }
    const mf_status status = update_pieces(env, m, p, PIECE_BYTES);
    return status == MF_OK ? finish_pinned(env, m, p, tag, tag_bytes) : status;
}

enum { MAX_TAG_BYTES = 16 };

JNIEXPORT jint JNICALL Java_org_manyfish_jni_Native_finish(JNIEnv *env, jclass class, jlong handle,
                                                           jbyteArray out, jint out_offset,
                                                           jbyteArray in, jint in_offset,
                                                           jint n_bytes, jbyteArray tag,
                                                           jint tag_offset, jint tag_bytes)
{
    place p = {out, in, (size_t)out_offset, (size_t)in_offset, (size_t)n_bytes};
    unsigned char copy[MAX_TAG_BYTES] = {0}; /* the tag may lie in out */
    mode *m = mode_of(handle);

    (void)class;
    if (tag_bytes > MAX_TAG_BYTES) {
        return MF_ERROR_TAG_LENGTH;
    }
    if (m->row->tag && !m->encrypting) {
        (*env)->GetByteArrayRegion(env, tag, tag_offset, tag_bytes, (jbyte *)copy);
    }
    const mf_status status = finish_message(env, m, &p, copy, (size_t)tag_bytes);
    if (status == MF_OK && m->row->tag && m->encrypting) {
        (*env)->SetByteArrayRegion(env, tag, tag_offset, tag_bytes, (jbyte *)copy);
    }
    return (jint)status;
}
