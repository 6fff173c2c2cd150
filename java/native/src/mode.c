/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by all modes: finding one by its name, and the end of its life.
 */
#include "mode.h"

#include <stdlib.h>
#include <string.h>

static const mode_row *find(const mode_row *rows, const char *name)
{
    while (rows->name != NULL && strcmp(rows->name, name) != 0) {
        rows++;
    }
    return rows->name == NULL ? NULL : rows;
}

const mode_row *mode_row_of(const char *name)
{
    const mode_row *row = find(plain_modes, name);

    if (row == NULL) {
        row = find(aead_modes, name);
    }
    if (row == NULL) {
        row = find(mac_modes, name);
    }
    return row;
}

void mode_wipe(mode *m)
{
    keys_wipe(&m->keys);
    free(m->held); /* associated data and nonces are no secrets */
    free(m->messages);
    mf_wipe(m, sizeof *m);
}
