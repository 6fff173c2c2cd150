/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DES on bit slices in AVX-512 registers: 512 blocks at a time.
 */
#include "../kernel.h"

#if defined(__x86_64__)

#define VEC_TARGET "avx512f,avx512bw,avx512vl,avx512vbmi,gfni"
#include "../../common/vec_avx512.h"

#include "../bitslice_add.h"
#include "../tables/s_boxes_ternary.h"

#include "../bitslice_vector.h"

const mf_des_kernel mf_des_bitslice_avx512 = {
    .common.name = "bitslice-avx512",
    .common.summary = "S-boxes as circuits, 512 blocks in registers of 64 bytes",
    .common.cpu_features = MF_CPU_AVX512 | MF_CPU_GFNI,
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
