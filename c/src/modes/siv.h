/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The counter block that SIV takes from its tag.
 */
#ifndef MF_SRC_MODES_SIV_H
#define MF_SRC_MODES_SIV_H

#include <manyfish/siv.h>

#include "../common/bytes.h"

/* Q: V without two bits. [RFC5297, 2.6] */
MF_INLINE void mf_siv_first_counter(uint8_t q[16], const uint8_t v[16])
{
    memcpy(q, v, 16);
    q[8] &= 0x7F;
    q[12] &= 0x7F;
}

#endif
