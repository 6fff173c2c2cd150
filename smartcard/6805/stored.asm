; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; The cipher with all subkeys in memory [TR3, 3.2].
;
; keeps  what is in memory besides key and S: 1 subkeys; 2 subkeys and the four S-boxes of g;
;        3 subkeys and those S-boxes times the entries of MDS
; pairs  1: the loop makes two rounds, the second with the words in exchanged roles; 0: one round,
;        which also exchanges the words
;
; A round adds four numbers for each byte of F:
;   F0 = T0 + T1 + K_2r+8        F1 = T0 + 2 T1 + K_2r+9        [Twofish98, 4.1]
; The first two additions ride on the rows of MDS: U = T1 + K_2r+8 and F0 = T0 + U. Then F1 = F0 + V,
; where V = U + (K_2r+9 - 2 K_2r+8). Memory holds this difference in place of K_2r+9, for each round
; r. K_0 to K_7 are as they are; they stand after the others, whose place is then 8r.
;
; The rotations by one bit are apart from the rest, so that decryption shares all else: encryption
; rotates R3 before a round and R2 after it, decryption R2 before and R3 after.

set_key = 1-host
key_far = eeprom

; Where things are. S_0, S_1, .. are as twofish_rs leaves them: between are 4 bytes of work each, and
; RS takes the first bytes of the text as well.
    .area RAM
    .ifne eeprom
twofish_memory = 0x100          ; the subkeys: 160 bytes
twofish_s = 0x1A0
twofish_s1 = 0x1A8
twofish_key = 0x1B0
    .else
twofish_memory = 0x20
    .endif

    .org 0xC0
    .ifeq eeprom
twofish_s = 0xC0
    .ds 4
    .endif
y0: .ds 1                       ; the column that MDS is applied to
y1: .ds 1
y2: .ds 1
y3: .ds 1
    .ifeq eeprom
twofish_s1: .ds 4
    .endif
U: .ds 4                        ; T1 + K_2r+8, then V
    .ifge key_bits-192
twofish_s2: .ds 4
    .endif
F0: .ds 4
    .ifge key_bits-256
twofish_s3: .ds 4
    .endif
index: .ds 1                    ; 8r
direction: .ds 1                ; bit 0: decryption; bit 1: key expansion
s: .ds 1                        ; y0 + y1 + y2 + y3
    .ds 1
twofish_text:
R0: .ds 4
R1: .ds 4
R2: .ds 4
R3: .ds 4
S_last = twofish_s+key_bits/8-8
rs_g2 = R2
rs_g3 = R2+1
rs_w = R2+2
rs_w_half = R2+3

    .ifeq eeprom
    .ifeq key_bits-128
twofish_key = 0xE8
    .else
twofish_key = 0x100             ; only twofish_set_key reads it
    .endif
    .endif
    .ifgt keeps-1
    .org 0x100
twofish_sboxes:                 ; what a host has made of key and S
    .endif

    .area TABLES
    .iflt keeps-2
q0:
    .include "tables/q0.inc"
q1:
    .include "tables/q1.inc"
    .endif
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

    .ifeq keeps-1
    .include "h.asm"
    .endif
    .ifeq keeps-2
    .include "sboxes.asm"
    .endif
    .ifeq keeps-3
    .include "mds_tables.asm"
    .else
    .include "mds.asm"
    .endif
    .area CIPHER

K_even = twofish_memory         ; K_2r+8, 8r bytes further on
K_odd = twofish_memory+4        ; K_2r+9 - 2 K_2r+8
K_0 = twofish_memory+128
K_4 = twofish_memory+144

    .include "words.asm"

; add_K - a byte of U = T1 + K_2r+8
    .macro add_K op,j,offset
    ldx *index
    op K_even+offset+j,x
    sta *U+j
    .endm

; add_U - a byte of F0 = T0 + U, which goes to R2 at once
    .macro add_U op,j,a,c
    op *U+j
    sta *F0+j
    add_to_word a+j,c+j
    .endm

; add_to_word - a byte of F into its word; in a loop of one round the words change places
    .macro add_to_word a,c
    eor *c
    .ifeq pairs
    ldx *a
    stx *c
    sta *a
    .else
    sta *c
    .endif
    .endm

    .macro make_V op,j,offset
    lda *U+j
    op K_odd+offset+j,x
    sta *U+j
    .endm

    .macro add_V op,j,b,d
    lda *F0+j
    op *U+j
    add_to_word b+j,d+j
    .endm

; F_into - what encryption and decryption of a round have in common: F of a, b into c, d
    .macro F_into a,b,c,d,offset
x_kept = 0
    s_boxes_of_word b+3,b+0,b+1,b+2
    row_0
    add_K add,0,offset
    carry_out
    row_1
    carry_in
    add_K adc,1,offset
    carry_out
    row_2
    carry_in
    add_K adc,2,offset
    carry_out
    row_3
    carry_in
    add_K adc,3,offset
    .ifne set_key
    brclr #1,*direction,.+4
    rts
    .endif
x_kept = pairs
    s_boxes_of_word a+0,a+1,a+2,a+3
    row_0
    add_U add,0,a,c
    carry_out
    row_1
    carry_in
    add_U adc,1,a,c
    carry_out
    row_2
    carry_in
    add_U adc,2,a,c
    carry_out
    row_3
    carry_in
    add_U adc,3,a,c
    ldx *index
    make_V add,0,offset
    make_V adc,1,offset
    make_V adc,2,offset
    make_V adc,3,offset
    add_V add,0,b,d
    add_V adc,1,b,d
    add_V adc,2,b,d
    add_V adc,3,b,d
    .endm

; whiten - the text XORed with four subkeys
;   in     the text
;   out    the text; A and X are lost
;   RAM    none
;   cost   11 bytes, 306 clocks
;   time   constant
    .macro whiten K,?next
    ldx #15
next:
    lda *twofish_text,x
    eor K,x
    sta *twofish_text,x
    decx
    bpl next
    .endm

; exchange_and_whiten - undoes the exchange of words in the last round, and whitens
    .macro whiten_and_exchange K,?next
    ldx #7
next:
    lda *R0,x
    eor K,x
    sta *y0
    lda *R2,x
    eor K+8,x
    sta *R0,x
    lda *y0
    sta *R2,x
    decx
    bpl next
    .endm

    .macro exchange_and_whiten K,?next
    ldx #7
next:
    lda *R0,x
    eor K+8,x
    sta *y0
    lda *R2,x
    eor K,x
    sta *R0,x
    lda *y0
    sta *R2,x
    decx
    bpl next
    .endm

    .ifeq pairs
    .include "one_round.asm"
    .else
    .include "two_rounds.asm"
    .endif

    .ifne set_key
    .area SET_KEY
    .include "expand.asm"
    .include "rs.asm"
    .endif
