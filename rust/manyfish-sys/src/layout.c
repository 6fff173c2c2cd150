/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sizes, offsets and constants as the C compiler sees them, by name, for the test in ffi.rs that
 * compares them with the Rust declarations. No program links this.
 */
#include <stddef.h>

#include <manyfish/aead.h>
#include <manyfish/mac.h>
#include <manyfish/twofish.h>

typedef struct fact {
    const char *name;
    size_t value;
} fact;

#define CONSTANT(name) {#name, (size_t)(name)}
#define SIZE(type) {#type, sizeof(type)}
#define OFFSET(type, member) {#type "." #member, offsetof(type, member)}

extern const fact manyfish_sys_layout[];
const fact manyfish_sys_layout[] = {
    CONSTANT(MF_OK),
    CONSTANT(MF_ERROR_NULL),
    CONSTANT(MF_ERROR_KEY_LENGTH),
    CONSTANT(MF_ERROR_LENGTH),
    CONSTANT(MF_ERROR_OVERLAP),
    CONSTANT(MF_ERROR_NO_KEY),
    CONSTANT(MF_ERROR_KERNEL),
    CONSTANT(MF_ERROR_CPU),
    CONSTANT(MF_ERROR_TAG),
    CONSTANT(MF_ERROR_PADDING),
    CONSTANT(MF_ERROR_NONCE_LENGTH),
    CONSTANT(MF_ERROR_CAPACITY),
    CONSTANT(MF_ERROR_STATE),
    CONSTANT(MF_ERROR_TOO_LONG),
    CONSTANT(MF_ERROR_BLOCK),
    CONSTANT(MF_ERROR_SELFTEST),
    CONSTANT(MF_ERROR_TAG_LENGTH),
    CONSTANT(MF_ERROR_ROUNDS),
    CONSTANT(MF_ERROR_TABLES),
    CONSTANT(MF_ERROR_MEMORY),
    CONSTANT(MF_ERROR_EXECUTABLE),
    CONSTANT(MF_ERROR_FILE),
    CONSTANT(MF_ERROR_POLICY),
    CONSTANT(MF_MAX_BLOCK_BYTES),
    CONSTANT(MF_TWOFISH_BLOCK_BYTES),
    CONSTANT(MF_TWOFISH_MAX_KEY_BYTES),
    CONSTANT(MF_TWOFISH_CONTEXT_BYTES),
    CONSTANT(MF_OCB_TAG_BYTES),
    CONSTANT(MF_OCB_MAX_NONCE_BYTES),
    CONSTANT(MF_OCB_MASKS),
    CONSTANT(MF_EAX_MIN_TAG_BYTES),
    CONSTANT(MF_EAX_MAX_TAG_BYTES),
    CONSTANT(MF_SIV_TAG_BYTES),
    CONSTANT(MF_SIV_MAX_STRINGS),
    CONSTANT(MF_GCM_MAX_TAG_BYTES),
    CONSTANT(MF_GCM_HASH_KEY_WORDS),
    CONSTANT(MF_XTS_TWEAK_BYTES),
    CONSTANT(MF_XTS_MAX_BYTES),
    CONSTANT(MF_CTS_CS1),
    CONSTANT(MF_CTS_CS2),
    CONSTANT(MF_CTS_CS3),
    SIZE(mf_status),
    SIZE(mf_kernel_info),
    OFFSET(mf_kernel_info, summary),
    OFFSET(mf_kernel_info, cpu_features),
    OFFSET(mf_kernel_info, expanded_key_bytes),
    OFFSET(mf_kernel_info, lanes),
    OFFSET(mf_kernel_info, constant_time),
    OFFSET(mf_kernel_info, runnable),
    OFFSET(mf_kernel_info, is_default),
    SIZE(mf_cipher),
    OFFSET(mf_cipher, key),
    OFFSET(mf_cipher, has_key),
    OFFSET(mf_cipher, encrypt_blocks),
    OFFSET(mf_cipher, decrypt_blocks),
    SIZE(mf_twofish),
    SIZE(mf_ctr),
    OFFSET(mf_ctr, counter),
    OFFSET(mf_ctr, blocks_left),
    SIZE(mf_ocb),
    SIZE(mf_cts),
    SIZE(mf_cfb),
    SIZE(mf_ofb),
    SIZE(mf_xts),
    SIZE(mf_cmac),
    SIZE(mf_eax),
    SIZE(mf_siv_string),
    SIZE(mf_siv),
    SIZE(mf_gcm),
    OFFSET(mf_ocb, l),
    OFFSET(mf_ocb, n_blocks),
    OFFSET(mf_ocb, aad_n_blocks),
    OFFSET(mf_ocb, phase),
    OFFSET(mf_cfb, segment_bits),
    OFFSET(mf_ofb, unused_bytes),
    OFFSET(mf_xts, tweak),
    OFFSET(mf_cmac, rest_bytes),
    OFFSET(mf_eax, text),
    OFFSET(mf_eax, ctr),
    OFFSET(mf_eax, phase),
    OFFSET(mf_siv_string, n_bytes),
    OFFSET(mf_siv, ctr),
    OFFSET(mf_gcm, ghash),
    OFFSET(mf_gcm, hash_key),
    OFFSET(mf_gcm, ctr),
    OFFSET(mf_gcm, text_bytes),
    OFFSET(mf_gcm, phase),
    {NULL, 0},
};
