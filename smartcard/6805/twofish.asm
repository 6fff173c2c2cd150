; SPDX-License-Identifier: Apache-2.0 OR MIT
; Twofish on a 6805 [Twofish98] [TR3, 3]: the top file, which gives RAM and tables their places and
; includes the parts that the card is made of. machines/m6805.py writes the options before it:
;   key_bits             128, 192 or 256
;   encrypt, decrypt     1 or 0
;   mds_tables           what MDS is made of: 2 tables (EF, 5B), 1 (half) or none
;   rs_constant          1: RS takes the same time for every key
;   keeps                what is stored between blocks besides key and S: 0 nothing; more: stored.asm

    .ifne keeps
    .include "stored.asm"
    .else
key_far = 0

    .area RAM
    .org 0x20
T1: .ds 4                    ; T1, then T0 + T1
K_odd: .ds 4                 ; B, then K_2i+1, its bytes rotated by one place; then T1 + K_2i+1
index: .ds 1                 ; of the subkeys, see fly.asm
direction: .ds 1             ; bit 0: decryption
    .iflt mds_tables-2
s: .ds 1                     ; y0 + y1 + y2 + y3
    .endif
    .ifne rs_constant
rs_w = T1
rs_w_half = T1+1
    .endif

; S = S_0, S_1, .. as twofish_rs leaves it: between are 4 bytes of work each, and RS takes the
; first bytes of the text as well.
    .org 0x30
twofish_s: .ds 4
y0: .ds 1                    ; the column that MDS is applied to
y1: .ds 1
y2: .ds 1
y3: .ds 1
twofish_s1: .ds 4
K_even: .ds 4                ; K_2i
    .ifge key_bits-192
twofish_s2: .ds 4
    .ds 4
    .endif
    .ifge key_bits-256
twofish_s3: .ds 4
    .ds 4
    .endif
S_last = twofish_s+key_bits/8-8
rs_g2 = T1+2
rs_g3 = T1+3

twofish_text:                ; 16 bytes: R0, R1, R2, R3
R0: .ds 4
R1: .ds 4
R2: .ds 4
R3: .ds 4
twofish_key: .ds key_bits/8

    .area TABLES
q0:
    .include "tables/q0.inc"
q1:
    .include "tables/q1.inc"
    .ifeq mds_tables-2
times_ef:
    .include "tables/ef.inc"
times_5b:
    .include "tables/5b.inc"
    .endif
    .ifeq mds_tables-1
half_table:
    .include "tables/half.inc"
    .endif

    .include "h.asm"
    .include "mds.asm"
    .area CIPHER
    .include "fly.asm"

    .area SET_KEY
twofish_set_key:
    .include "rs.asm"
    .endif
