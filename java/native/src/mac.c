/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CMAC as a mode: its message is associated data, and there is no text.
 */
#include "mode.h"

static mf_status init_cmac(mode *m)
{
    return mf_cmac_init(&m->state.cmac, &m->keys.cipher[0]);
}

/* Forgets a message that is not finished. */
static mf_status start_cmac(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    (void)iv;
    return iv_bytes == 0 ? init_cmac(m) : MF_ERROR_NONCE_LENGTH;
}

static mf_status update_cmac(mode *m, const unsigned char *data, size_t n_bytes)
{
    return mf_cmac_update(&m->state.cmac, data, n_bytes);
}

static mf_status finish_cmac(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                             unsigned char *tag, size_t tag_bytes)
{
    (void)out;
    (void)in;
    return n_bytes == 0 ? mf_cmac_finish(&m->state.cmac, tag, tag_bytes) : MF_ERROR_LENGTH;
}

static mf_status many_cmac(mode *m, mf_message *messages, size_t n)
{
    return mf_cmac_compute_many(&m->state.cmac, messages, n);
}

const mode_row mac_modes[] = {
    {"CMAC", 1, true, true, init_cmac, start_cmac, update_cmac, NULL, finish_cmac, many_cmac},
    {0},
};
