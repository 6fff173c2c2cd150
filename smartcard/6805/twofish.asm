; SPDX-License-Identifier: Apache-2.0 OR MIT
; Twofish on a 6805 [Twofish98] [TR3, 3]: the top file. machines/m6805.py writes the options of a
; program before it:
;   key_bits             128, 192 or 256
;   encrypt, decrypt     1 or 0
;   mds_tables           what MDS is made of: 2 tables (EF, 5B), 1 (half) or none
;   rs_constant          1: RS takes the same time for every key
;   rs_tables            1: RS with two tables, which only fly.asm has
;   keeps                what is stored between blocks besides key and S: 0 no subkeys; more: stored.asm
;   tiny                 1: the least ROM, tiny.asm
;   nibbles              q from its 4-bit permutations, nibbles.asm: 1 with 64 bytes of tables, 2 with 205
; and those that fly.asm and stored.asm name.

v_low = 0x69                    ; v(x) = x^8 + x^6 + x^5 + x^3 + 1 without its highest power [Twofish98, 4.2]
v_over_x = 0xB4                 ; what 1/x is modulo v

    .ifne tiny
    .include "tiny.asm"
    .else
    .ifne nibbles
    .include "nibbles.asm"
    .else
    .ifeq keeps
    .include "fly.asm"
    .else
    .include "stored.asm"
    .endif
    .endif
    .endif
