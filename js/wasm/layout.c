/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The memory, for JavaScript: the sizes of the contexts, and two fixed places for
 * what goes in and comes out, so that no call allocates any.
 */
#include <manyfish/aead.h>
#include <manyfish/twofish.h>

enum {
    PIECE_BYTES = 65536, /* of a message, at a time */
    SMALL_BYTES = 4096   /* keys, nonces, tags, and what functions fill in */
};

_Alignas(16) unsigned char manyfish_piece[PIECE_BYTES];
_Alignas(16) unsigned char manyfish_small[SMALL_BYTES];

/* In the order of src/library.ts. */
const uint32_t manyfish_sizes[] = {
    sizeof manyfish_piece, sizeof manyfish_small, sizeof(mf_twofish), sizeof(mf_cipher),
    sizeof(mf_cfb),        sizeof(mf_ofb),        sizeof(mf_ctr),     sizeof(mf_xts),
    sizeof(mf_ocb),        sizeof(mf_eax),        sizeof(mf_gcm),     sizeof(mf_siv),
    sizeof(mf_cmac),
};
