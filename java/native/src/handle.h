/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Handles, by which Java knows a mode.
 */
#ifndef MANYFISH_JAVA_HANDLE_H
#define MANYFISH_JAVA_HANDLE_H

#include "mode.h"

#include <jni.h>

static inline mode *mode_of(jlong handle)
{
    return (mode *)(uintptr_t)handle; /* NOLINT(performance-no-int-to-ptr): Java has no pointers */
}

#endif
