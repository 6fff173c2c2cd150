/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DES on bit slices in NEON registers: 128 blocks at a time.
 */
#include "../kernel.h"

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "../../common/vec_neon.h"

#include "../bitslice_add.h"
#include "../tables/s_boxes_select.h"

#include "../bitslice_vector.h"

const mf_des_kernel mf_des_bitslice_neon = {
    .common.name = "bitslice-neon",
    .common.summary = "S-boxes as circuits, 128 blocks in registers of 16 bytes",
    .common.cpu_features = MF_CPU_NEON,
    .common.expanded_key_bytes = sizeof(bitslice_key),
    .common.lanes = LANES,
    .common.constant_time = true,
    .common.set_key_stack = 3072,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .one_key_bytes = BITSLICE_ONE_KEY_BYTES,
    .set_key = set_key,
};

#endif
