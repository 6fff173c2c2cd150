/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sources of this library, for the results of a run.
 */
#include "lab.h"

/* A hash of the files of this folder; not of the C library, which tests hold to the cipher. */
const char *lab_sources(void)
{
    return LAB_SOURCES;
}
