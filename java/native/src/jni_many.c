/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many messages in one call. They lie in a direct buffer, where they are computed in place, and
 * Java has checked that each place is within it.
 */
#include "handle.h"
#include "mode.h"
#include "org_manyfish_jni_Native.h"

#include <stdlib.h>

/* The integers of a message (Native.java says what they are). */
enum {
    IV_AT = org_manyfish_jni_Native_IV_AT,
    IV_BYTES = org_manyfish_jni_Native_IV_BYTES,
    AAD_AT = org_manyfish_jni_Native_AAD_AT,
    AAD_BYTES = org_manyfish_jni_Native_AAD_BYTES,
    TEXT_AT = org_manyfish_jni_Native_TEXT_AT,
    TEXT_BYTES = org_manyfish_jni_Native_TEXT_BYTES,
    TAG_AT = org_manyfish_jni_Native_TAG_AT,
    RESULT = org_manyfish_jni_Native_RESULT,
    PLACE_INTS = org_manyfish_jni_Native_PLACE_INTS
};

static mf_status reserve(mode *m, size_t n)
{
    if (n <= m->max_messages) {
        return MF_OK;
    }
    mf_message *messages = realloc(m->messages, n * sizeof *messages);
    if (messages == NULL) {
        return MF_ERROR_MEMORY;
    }
    m->messages = messages;
    m->max_messages = n;
    return MF_OK;
}

/* An error of the whole call leaves the status as it is here. */
static mf_message message_at(const jint *place, unsigned char *data, size_t tag_bytes)
{
    return (mf_message){
        .nonce = data + place[IV_AT],
        .nonce_bytes = (size_t)place[IV_BYTES],
        .aad = place[AAD_BYTES] == 0 ? NULL : data + place[AAD_AT],
        .aad_bytes = (size_t)place[AAD_BYTES],
        .out = data + place[TEXT_AT],
        .in = data + place[TEXT_AT],
        .n_bytes = (size_t)place[TEXT_BYTES],
        .tag = data + place[TAG_AT],
        .tag_bytes = tag_bytes,
        .status = MF_ERROR_STATE,
    };
}

static mf_status read_places(JNIEnv *env, mode *m, jintArray places, size_t n, unsigned char *data,
                             size_t tag_bytes)
{
    jint *first = (*env)->GetPrimitiveArrayCritical(env, places, NULL);

    if (first == NULL) {
        return MF_ERROR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        m->messages[i] = message_at(first + i * PLACE_INTS, data, tag_bytes);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, places, first, JNI_ABORT);
    return MF_OK;
}

static mf_status write_results(JNIEnv *env, const mode *m, jintArray places, size_t n)
{
    jint *first = (*env)->GetPrimitiveArrayCritical(env, places, NULL);

    if (first == NULL) {
        return MF_ERROR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const mf_message *message = &m->messages[i];
        first[i * PLACE_INTS + RESULT] =
            message->status == MF_OK ? (jint)message->out_bytes : -(jint)message->status;
    }
    (*env)->ReleasePrimitiveArrayCritical(env, places, first, 0);
    return MF_OK;
}

JNIEXPORT jint JNICALL Java_org_manyfish_jni_Native_many(JNIEnv *env, jclass class, jlong handle,
                                                         jboolean encrypting, jintArray places,
                                                         jint n_messages, jobject data,
                                                         jint tag_bytes)
{
    mode *m = mode_of(handle);
    unsigned char *bytes = (*env)->GetDirectBufferAddress(env, data);
    const size_t n = (size_t)n_messages;

    (void)class;
    if (bytes == NULL) {
        return MF_ERROR_NULL;
    }
    if (m->row->many == NULL) {
        return MF_ERROR_STATE;
    }
    mf_status status = reserve(m, n);
    if (status == MF_OK) {
        status = read_places(env, m, places, n, bytes, (size_t)tag_bytes);
    }
    if (status != MF_OK) {
        return (jint)status;
    }
    m->encrypting = encrypting;
    (void)m->row->many(m, m->messages, n); /* each message has its own status */
    return (jint)write_results(env, m, places, n);
}

JNIEXPORT void JNICALL Java_org_manyfish_jni_Native_wipe(JNIEnv *env, jclass class, jobject data,
                                                         jint n_bytes)
{
    (void)class;
    mf_wipe((*env)->GetDirectBufferAddress(env, data), (size_t)n_bytes);
}
