/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What Java asks of the library as a whole.
 */
#include "org_manyfish_jni_Native.h"

#include <manyfish/des.h>
#include <manyfish/twofish.h>

JNIEXPORT jstring JNICALL Java_org_manyfish_jni_Native_version(JNIEnv *env, jclass class)
{
    (void)class;
    return (*env)->NewStringUTF(env, mf_version());
}

JNIEXPORT jstring JNICALL Java_org_manyfish_jni_Native_statusText(JNIEnv *env, jclass class,
                                                                  jint status)
{
    (void)class;
    return (*env)->NewStringUTF(env, mf_status_text((mf_status)status));
}

/* The kernel with this index; its name is NULL if there is none, or if it cannot be used here: the CPU
 * lacks something, or it needs more memory than a context has. */
static mf_status kernel_at(bool twofish, size_t index, const char **name)
{
    mf_kernel_info info;
    const mf_status status =
        twofish ? mf_twofish_kernel_info(index, &info) : mf_des_kernel_info(index, &info);

    *name = NULL;
    if (status == MF_OK && info.runnable &&
        (twofish || info.expanded_key_bytes <= MF_DES_CONTEXT_BYTES)) {
        *name = info.name;
    }
    return status;
}

JNIEXPORT jstring JNICALL Java_org_manyfish_jni_Native_kernel(JNIEnv *env, jclass class,
                                                              jboolean twofish, jint index)
{
    const char *name = NULL;

    (void)class;
    if (kernel_at(twofish, (size_t)index, &name) != MF_OK) {
        return NULL;
    }
    return (*env)->NewStringUTF(env, name == NULL ? "" : name);
}
