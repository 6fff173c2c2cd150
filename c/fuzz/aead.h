/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * OCB, EAX, GCM and CCM, called in one form.
 */
#ifndef MF_FUZZ_AEAD_H
#define MF_FUZZ_AEAD_H

#include <manyfish/aead.h>

#include "fuzz.h"

typedef union aead_state {
    mf_ocb ocb;
    mf_eax eax;
    mf_gcm gcm;
    mf_ccm ccm;
} aead_state;

/* All but the text of one message. CCM wants the lengths before. */
typedef struct aead_case {
    const mf_cipher *cipher;
    unsigned char nonce[16];
    size_t nonce_bytes;
    unsigned char aad[64];
    size_t aad_bytes;
    size_t text_bytes;
    size_t tag_bytes;
} aead_case;

/* The functions return what the mode's own return. update and finish write the whole piece, but OCB
 * may give fewer bytes and hold some back; *out_bytes says how many. */
typedef struct aead_mode {
    const char *name;
    size_t min_tag_bytes, tag_step; /* each of these up to 16 is a length of tags */
    mf_status (*init)(aead_state *state, const mf_cipher *cipher);
    mf_status (*whole)(aead_state *state, bool decrypt, const aead_case *c, void *out,
                       const void *in, unsigned char *tag);
    mf_status (*start)(aead_state *state, const aead_case *c);
    mf_status (*aad)(aead_state *state, const void *aad, size_t n_bytes);
    mf_status (*update)(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                        const void *in, size_t n_bytes);
    mf_status (*finish)(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                        const void *in, size_t n_bytes, unsigned char *tag, size_t tag_bytes);
    void (*wipe)(aead_state *state);
} aead_mode;

enum { AEAD_MODES = 4 };
extern const aead_mode aead_modes[AEAD_MODES];

#endif
