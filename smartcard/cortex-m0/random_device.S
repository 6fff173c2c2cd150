/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * mf_thumb_random for the simulators, which have a random word at this address.
 */
#include "function.inc"

FUNCTION mf_thumb_random, random
    movs r0, #1
    lsls r0, #30
    ldr r0, [r0]
    bx lr
    END mf_thumb_random
