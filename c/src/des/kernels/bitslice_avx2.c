/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DES on bit slices in AVX2 registers: 256 blocks at a time.
 */
#include "../kernel.h"

#if defined(__x86_64__)

#define VEC_TARGET "avx2"
#include "../../common/vec_avx2.h"

#include "../bitslice_add.h"
#include "../tables/s_boxes_standard.h"

#include "../bitslice_vector.h"

const mf_des_kernel mf_des_bitslice_avx2 = {
    .common.name = "bitslice-avx2",
    .common.summary = "S-boxes as circuits, 256 blocks in registers of 32 bytes",
    .common.cpu_features = MF_CPU_AVX2,
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
