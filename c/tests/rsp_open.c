/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opens the files of rsp.h in a folder. bench/probe has another file in its place: it holds them
 * itself.
 */
#include "rsp.h"

bool rsp_open(rsp_file *file, const char *folder, const char *name)
{
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);

    file->line = 0;
    file->malformed = false;
    file->stream = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    return file->stream != NULL;
}
