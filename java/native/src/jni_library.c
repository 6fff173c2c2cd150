/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Questions of Java to the library as a whole.
 */
#include "org_manyfish_jni_Native.h"

#include <manyfish/des.h>
#include <manyfish/twofish.h>

#include <string.h>

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

/* The kernel with this index; its name is NULL if there is none, or if it cannot be used here: the
 * CPU lacks something, or it needs more memory than a context has. */
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

static bool leaks(const char *kernel)
{
    mf_kernel_info info;

    for (size_t i = 0; mf_twofish_kernel_info(i, &info) == MF_OK; i++) {
        if (strcmp(info.name, kernel) == 0) {
            return !info.constant_time;
        }
    }
    return false;
}

JNIEXPORT jboolean JNICALL Java_org_manyfish_jni_Native_leaks(JNIEnv *env, jclass class,
                                                              jstring kernel)
{
    const char *name = (*env)->GetStringUTFChars(env, kernel, NULL);

    (void)class;
    if (name == NULL) {
        return JNI_FALSE; /* and Java throws that it has no memory */
    }
    const bool found = leaks(name);
    (*env)->ReleaseStringUTFChars(env, kernel, name);
    return found ? JNI_TRUE : JNI_FALSE;
}
