; SPDX-License-Identifier: Apache-2.0 OR MIT
; mf_avr_random for the simulator, which gives a random byte at this port.

    .section .text.random, "ax", @progbits
    .global mf_avr_random
mf_avr_random:
    in      r24, 0x2B
    ret
