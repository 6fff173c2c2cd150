; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of g into memory, entry by entry: what an entry is, and where it goes, keep_entry says.
byte = y0                       ; whose entries are made

; make_entry - the entry of `byte` in the S-box of this number; its tables are those that first_of_X takes
;   in     X = byte; twofish_s
;   out    the entry; X as it was; A is lost
;   RAM    byte, and what keep_entry takes
;   cost   24 bytes (sboxes_oncard)
;   cost   47 bytes (mds_oncard)
;   time   constant
    .macro make_entry s_box, number, table_128, table_192, table_256
    first_of_X table_128,table_192,table_256
    s_box S_last,S_step
    keep_entry 0x100*number
    .endm

; make_entries - those of X in all S-boxes
;   in     X; twofish_s
;   out    4 entries; X as it was; A is lost
;   RAM    byte, and what keep_entry takes
;   cost   76 bytes (fly_sboxes)
;   time   constant
    .macro make_entries
    stx *byte
    make_entry s_box_0,0,q0,q1,q1
    make_entry s_box_1,1,q1,q1,q0
    make_entry s_box_2,2,q0,q0,q0
    make_entry s_box_3,3,q1,q0,q1
    .endm
