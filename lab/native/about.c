/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The compiler and flags of this library, for the results of a run.
 */
#include "lab.h"

const char *lab_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}
