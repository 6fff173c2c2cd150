/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * In place of c/tests/rsp_open.c: the vector files are in the program (src/parts.rs).
 */
#include "rsp.h"

/* The text of a file and its length; NULL if there is none of that name. */
const char *probe_vectors(const char *name, size_t *n_bytes);

bool rsp_open(rsp_file *file, const char *folder, const char *name)
{
    size_t n_bytes = 0;
    const char *text = probe_vectors(name, &n_bytes);

    (void)folder;
    file->line = 0;
    file->malformed = false;
    file->stream = text == NULL ? NULL : fmemopen((void *)text, n_bytes, "r");
    return file->stream != NULL;
}
