; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of g from S on the card.
    .include "make_sboxes.asm"

; expand_sboxes - S, then all S-boxes; twofish_set_key ends here
;   in     twofish_key
;   out    twofish_s, twofish_sboxes; A and X are lost
;   RAM    what entries_of_X and twofish_rs take, 4 bytes of stack
;   cost   11 bytes (sboxes_oncard, mds_oncard)
;   time   constant, but for twofish_rs
expand_sboxes:
    jsr twofish_rs
    clrx
1$: jsr entries_of_X
    incx
    bne 1$
    rts

; entries_of_X - those of X in all S-boxes; h_of_number makes them of M for the numbers of subkeys
;   in     X; twofish_s
;   out    4 entries; X as it was; A is lost
;   RAM    byte, and what keep_entry takes
;   cost   99 bytes (sboxes_oncard)
;   time   constant
entries_of_X:
    make_entries
    rts
