/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arrays of Java, read and written where they are. While one is pinned the garbage collector may
 * have to wait, so pin for one piece only; nothing between pin and unpin calls
 * Java or waits.
 */
#ifndef MANYFISH_JAVA_PINNED_H
#define MANYFISH_JAVA_PINNED_H

#include <jni.h>
#include <stdbool.h>

/* At the default kernel's speed some 0.1 ms; at the slowest one's (one block at a time of
 * Triple-DES by bit slices) some 0.1 s. A multiple of every unit. */
enum { PIECE_BYTES = 1 << 16 };

typedef struct pinned {
    unsigned char *out; /* the first bytes of the arrays, the same if they are one array */
    unsigned char *in;
} pinned;

/* Pins both arrays. False if Java gives no memory for that: then an OutOfMemoryError waits. */
static inline bool pin(JNIEnv *env, pinned *p, jbyteArray out, jbyteArray in)
{
    /* A virtual machine that copies would give two copies, of which one overwrites the other. */
    const bool same = (*env)->IsSameObject(env, out, in);

    p->out = (*env)->GetPrimitiveArrayCritical(env, out, NULL);
    if (p->out == NULL) {
        return false;
    }
    if (same) {
        p->in = p->out;
        return true;
    }
    p->in = (*env)->GetPrimitiveArrayCritical(env, in, NULL);
    if (p->in == NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, out, p->out, JNI_ABORT);
        return false;
    }
    return true;
}

static inline void unpin(JNIEnv *env, const pinned *p, jbyteArray out, jbyteArray in)
{
    if (p->in != p->out) {
        (*env)->ReleasePrimitiveArrayCritical(env, in, p->in, JNI_ABORT);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, out, p->out, 0);
}

#endif
