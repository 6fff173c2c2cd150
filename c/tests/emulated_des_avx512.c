/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The DES kernel bitslice-avx512, its instructions emulated.
 */
#include "emulated_kernels.h"

#include "des/kernel.h"
#include "des/tables/round_bits.h"
#include "des/tables/slices.h"

#define mf_des_bitslice_avx512 mf_des_bitslice_avx512_as_it_is
#include "des/kernels/bitslice_avx512.c"

const mf_des_kernel mf_des_emulated_avx512 = {
    .common.name = "emulated bitslice-avx512",
    .common.summary = "the source of a kernel, its instructions in plain C",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(bitslice_key),
    .common.lanes = LANES,
    .common.constant_time = true,
    .common.bulk_stack = MF_DEEP_STACK_BYTES,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .one_key_bytes = BITSLICE_ONE_KEY_BYTES,
    .set_key = set_key,
};
