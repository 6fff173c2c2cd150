; SPDX-License-Identifier: Apache-2.0 OR MIT
; The cipher with all subkeys in memory [TR3, 3.2].
;
;   keeps      what memory holds besides key and S: 1 the subkeys; 2 these and the four S-boxes of g,
;              divided by x; 3 the subkeys and those S-boxes times the entries of MDS
;   pairs      0: the loop has one round and exchanges the halves of the text. 1: it has two rounds,
;              which need no exchange
;   whitening  0: a loop over bytes; 1: a loop over four bytes of all words at once; 2: no loop
;   host       1: the host that sets the key fills memory. 0: the program does so
;   fast_key   1: a faster twofish_set_key, which has h and RS of its own. 0: it shares that of the cipher
;   interrupts 1: the key is not in page zero, so that the stack has room for interrupts. 0: it is with
;              128 bits
;   eeprom     1: key, S and memory are not in page zero, so their look-ups take longer
;
; 36 bytes of RAM besides memory, the caller's return address and that of one call included.

has_q = 1-host
    .ifeq keeps-1
has_q = 1
    .endif
set_key = 1-host
key_far = eeprom
key_indexed = 0
twofish_s_step == 8

; S = S_0, S_1, .. as twofish_rs leaves it: between are 4 bytes of work each, and RS takes the first
; bytes of the text as well. Symbols with = are those that decide how long an address is.
    .area RAM
    .ifne eeprom
far_ram = 0x2000
twofish_memory = far_ram        ; the subkeys: 160 bytes
twofish_s = far_ram+160
twofish_s1 = twofish_s+8
twofish_s2 = twofish_s+16
twofish_s3 = twofish_s+24
twofish_key = twofish_s+key_bits/8
far_ram_end = twofish_key+key_bits/8
    .else
twofish_memory = 0x20
twofish_s = 0xC0
twofish_s1 = twofish_s+8
    .ifeq key_bits-128+interrupts
twofish_key = 0xE8               ; to F7. 8 bytes of stack above: none for an interrupt, see README.md
    .else
far_ram = 0x2000
twofish_key = far_ram           ; only twofish_set_key reads it
far_ram_end = far_ram+key_bits/8
    .endif
    .endif
    .ifgt keeps-1
twofish_sboxes = 0x100
    .endif
S_last = twofish_s+key_bits/8-8
S_step = -8

    .org 0xC4
y0: .ds 1                       ; the column that MDS is applied to
y1: .ds 1
y2: .ds 1
y3: .ds 1
    .org 0xCC
U: .ds 4                        ; T1 + K_2r+8, then V, see stored_F.asm
    .ifeq eeprom
    .ifge key_bits-192
twofish_s2: .ds 4
    .endif
    .endif
F0: .ds 4
    .ifeq eeprom
    .ifge key_bits-256
twofish_s3: .ds 4
    .endif
    .endif
index: .ds 1                    ; 8r
mode: .ds 1                     ; bit 0: decryption; bit 1: key expansion
s: .ds 1                        ; y0 + y1 + y2 + y3, or t, see stored_mds.asm
saved: .ds 1                    ; what RAM held at FF
twofish_text:                   ; 16 bytes: R0, R1, R2, R3
R0: .ds 4
R1: .ds 4
R2: .ds 4
R3: .ds 4
rs_g2 = R2
rs_g3 = R2+1
rs_w = R2+2
rs_w_half = R2+3

    .area TABLES
    .ifeq keeps-1
q0 = 0xFF                       ; q0_at_FF.asm says why
    .include "tables/q0_from_1.inc"
    .else
    .ifne has_q
q0:
    .include "tables/q0.inc"
    .endif
    .endif
    .ifne has_q
q1:
    .include "tables/q1.inc"
    .endif
    .ifeq keeps-1
    .include "mds_tables.asm"
    .endif
    .ifeq keeps-2
    .ifgt mds_tables
half_table:
    .include "tables/half.inc"
    .endif
    .ifgt mds_tables-1
twice_and_half:
    .include "tables/twice_and_half.inc"
    .endif
    .endif

    .area CIPHER
    .ifne has_q
    .include "h.asm"
    .endif
    .ifeq keeps-1
    .include "mds.asm"
    .endif
    .ifeq keeps-2
    .include "stored_sboxes.asm"
    .include "stored_mds.asm"
    .endif
    .ifeq keeps-3
    .include "stored_mds_tables.asm"
    .endif
    .include "words.asm"
    .include "stored_F.asm"
    .include "stored_q0.asm"
    .include "stored_whitening.asm"
    .ifeq pairs
    .include "stored_one_round.asm"
    .else
    .include "stored_two_rounds.asm"
    .endif

    .ifne set_key
    .area SET_KEY
    .include "stored_subkeys.asm"
    .ifeq fast_key
    .include "stored_expand.asm"
    .ifne keeps-1
    .include "stored_expand_sboxes.asm"
    .endif
    .include "rs.asm"
    .else
    .include "stored_expand_inline.asm"
    .include "rs_tables.asm"
    .endif
    .endif
