; SPDX-License-Identifier: Apache-2.0 OR MIT
; The cipher that keeps nothing but key and S: every round makes its two subkeys anew [TR3, 3.1].
; 36 bytes of RAM besides these, the caller's return address included; no other stack.
;
;   two_rounds       0: the loop has one round and exchanges the halves of the text. 1: it has two
;                    rounds, which need no exchange
;   shared_rows      of two rounds: 1: both use the same code for MDS. 0: each has its own
;   whitening_loop   1: a loop adds subkeys to the text. 0: straight code
;   exchange_loop    the same of the exchange of halves that encryption ends with
;
; All calls are jumps: one byte, index, says where to go on. It counts the subkeys from index_base,
; so that it is 0 after K_38 and its bit 5 tells the rounds (E0 .. FE) from whitening (D8 .. DE). Its
; lowest bit is the direction.
index_base = 216
K_0 = index_base
K_4 = index_base+4
K_8 = index_base+8
K_38 = index_base+38
decrypting = 1
twofish_s_step == 8
key_far = 0

    .area RAM
    .org 0x20
K_even: .ds 4                ; K_2i
K_odd: .ds 4                 ; B, then K_2i+1; then T1 + K_2i+1
index: .ds 1
saved: .ds 1                 ; what RAM held at FF
    .ifne rs_constant
rs_w = K_even
rs_w_half = K_even+1
    .endif
rs_g2 = K_even+2
rs_g3 = K_even+3

; S = S_0, S_1, .. as twofish_rs leaves it: between are 4 bytes of work each, and RS takes the
; first bytes of the text as well.
    .org 0x30
twofish_s: .ds 4
y0: .ds 1                    ; the column that MDS is applied to
y1: .ds 1
y2: .ds 1
y3: .ds 1
twofish_s1: .ds 4
T1: .ds 4                    ; T1, then T0 + T1
q0_of_index = T1+0           ; before that
q1_of_index = T1+1
s = T1+3
    .ifge key_bits-192
twofish_s2: .ds 8
    .endif
    .ifge key_bits-256
twofish_s3: .ds 8
    .endif
S_last = twofish_s+key_bits/8-8

twofish_text:                ; 16 bytes: R0, R1, R2, R3
R0: .ds 4
R1: .ds 4
R2: .ds 4
R3: .ds 4
twofish_key: .ds key_bits/8

; q0 begins at FF. A look-up in a table from there on is a byte and a clock less than elsewhere, since
; 8 bits are enough for its address. FF is RAM, and may be the caller's: it is saved, and holds the
; first entry while the cipher runs.
q0 = 0xFF
    .area TABLES
    .include "tables/q0_from_1.inc"
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

    .area CIPHER
    .include "h.asm"
    .include "mds.asm"
    .include "words.asm"

; plus - A = A + a byte, which is byte j of a word: with the carry but for the lowest
;   in     A, C
;   out    A, C
;   RAM    none
;   cost   none is stated: 2 bytes, 3 clocks
;   time   constant
    .macro plus j,byte
    .ifeq j
    add *byte
    .else
    adc *byte
    .endif
    .endm

; s_boxes_of_index - y = the S-boxes of h, of four equal bytes
;   in     A: the first look-up of byte 0; RAM: first look-ups in q0 and q1
;   out    y0..y3, y2 in A as well; X is lost
;   RAM    y
;   cost   58 bytes (fly_2tables, fly_1table, fly_0tables)
;   cost   80 bytes (fly_2tables_192)
;   cost   102 bytes (fly_2tables_256)
;   time   constant
    .macro s_boxes_of_index M,in_q0,in_q1
    s_box_0 M,8
    sta *y0
    .ifeq key_bits-256
    lda *in_q0
    .else
    lda *in_q1
    .endif
    s_box_1 M,8
    sta *y1
    .ifeq key_bits-192
    lda *in_q0
    .else
    lda *in_q1
    .endif
    s_box_3 M,8
    sta *y3
    lda *in_q0
    s_box_2 M,8
    sta *y2
    .endm

; add_B - K_even = A + B: byte j of B is K_odd + at
;   in     A: byte j of A = h(2i); C
;   out    A, C
;   RAM    K_even, K_odd
;   cost   none is stated: 4 bytes, 7 clocks
;   time   constant
    .macro add_B j,at
    plus j,K_odd+at
    sta *K_even+j
    .endm

; add_K_odd - T1, and K_odd = T1 + K_odd
;   in     A: byte j of T1; C
;   out    A, C
;   RAM    T1, K_odd
;   cost   none is stated: 6 bytes, 11 clocks
;   time   constant
    .macro add_K_odd j
    sta *T1+j
    plus j,K_odd+j
    sta *K_odd+j
    .endm

; add_T1 - T1 = T0 + T1
;   in     A: byte j of T0; C
;   out    A, C
;   RAM    T1
;   cost   none is stated: 4 bytes, 7 clocks
;   time   constant
    .macro add_T1 j
    plus j,T1+j
    sta *T1+j
    .endm

; T1_s_boxes, T1_rows - T1 = g(ROL(R1, 8)), and K_odd = T1 + K_odd
;   in     Rb = R1, or R3 where the words are in exchanged roles; K_odd
;   out    T1, K_odd; A, X, C are lost
;   RAM    y, s, T1, K_odd
;   cost   70 bytes (fly_2tables, fly_1table, fly_0tables)
;   time   constant with MDS tables
    .macro T1_s_boxes Rb
    s_boxes_of_word Rb+3,Rb+0,Rb+1,Rb+2
    .endm
    .macro T1_rows
    row_0
    add_K_odd 0
    carry_out
    row_1_from T1+0
    carry_in
    add_K_odd 1
    carry_out
    row_2_from T1+1
    carry_in
    add_K_odd 2
    carry_out
    row_3
    carry_in
    add_K_odd 3
    .endm

; T0_s_boxes, T0_rows - T1 = T0 + T1; T0 = g(R0)
;   in     Ra = R0, or R2 where the words are in exchanged roles; T1
;   out    T1; A, X, C are lost
;   RAM    y, T1. s has no byte of its own here: with fewer MDS tables than two it takes that of y3
;   cost   70 bytes (fly_2tables, fly_1table, fly_0tables)
;   time   constant with MDS tables
    .ifeq mds_tables-2
    .macro T0_s_boxes Ra
    s_boxes_of_word Ra+0,Ra+1,Ra+2,Ra+3
    .endm
    .macro T0_rows
    row_0
    add_T1 0
    row_1
    add_T1 1
    row_2
    add_T1 2
    row_3
    add_T1 3
    .endm
    .else
    .macro T0_s_boxes Ra
    s_boxes_for_m_rows Ra+0,Ra+1,Ra+2,Ra+3
    .endm
    .macro T0_rows
    m_row_0
    add_T1 0
    carry_out
    m_row_1
    carry_in
    add_T1 1
    carry_out
    m_row_2
    carry_in
    add_T1 2
    carry_out
    m_row_3
    carry_in
    add_T1 3
    .endm
    .endif

; next_index, last_index - A = index + 2, index - 2, which is stored
    .macro next_index
    lda *index
    add #2
    sta *index
    .endm
    .macro last_index
    lda *index
    sub #2
    sta *index
    .endm

; whiten_words - adds K_even and K_odd to the words Ra and Rb [Twofish98, 4]
;   in     K_even, K_odd; Rb stands after Ra
;   out    Ra, Rb; A and X are lost
;   RAM    these
;   cost   48 bytes (fly_2tables)
;   cost   11 bytes (fly_2tables_short)
;   time   constant
    .ifeq whitening_loop
    .macro whiten_words Ra
    .irp j,0,1,2,3,4,5,6,7
    lda *K_even+j
    eor *Ra+j
    sta *Ra+j
    .endm
    .endm
    .else
    .macro whiten_words Ra,?again
    ldx #7
again:
    lda *K_even,x
    eor *Ra,x
    sta *Ra,x
    decx
    bpl again
    .endm
    .endif

; exchange - exchanges the halves of the text: the last round undoes its swap [Twofish98, 4]
;   in     the text
;   out    the text; A and X are lost
;   RAM    the text, y0
;   cost   64 bytes (fly_2tables)
;   cost   17 bytes (fly_2tables_short)
;   time   constant
    .ifeq exchange_loop
    .macro exchange
    .irp j,0,1,2,3,4,5,6,7
    lda *R0+j
    ldx *R2+j
    stx *R0+j
    sta *R2+j
    .endm
    .endm
    .else
    .macro exchange ?again
    ldx #7
again:
    lda *R0,x
    sta *y0
    lda *R2,x
    sta *R0,x
    lda *y0
    sta *R2,x
    decx
    bpl again
    .endm
    .endif

; twofish_encrypt, twofish_decrypt - one block [Twofish98, 4]
;   in     twofish_text, twofish_key, twofish_s
;   out    twofish_text; A and X are lost
;   RAM    text, K_even, K_odd, y, T1, index, saved and FF; no stack
;   cost   19 bytes, 22,909 clocks (fly_2tables)
;   cost   19 bytes, 22,093 clocks (fly_unrolled)
;   time   constant with MDS tables
twofish_encrypt:
    lda #K_0
    .ifne decrypt
    bra begin
twofish_decrypt:
    lda #K_4+decrypting
begin:
    .endif
    ldx *q0
    stx *saved
    ldx #q0_of_0
    stx *q0
set_index:
    sta *index
    .ifne decrypt
    and #0xFF-decrypting
    .endif
    tax

; subkeys - K_2i and K_2i+1 [Twofish98, 4.3.4], then goes on as index says
;   in     index, also in X, but there without the direction
;   out    K_even, K_odd; A, X, C are lost
;   RAM    y, s, q0_of_index, q1_of_index
;   cost   418 bytes (fly_2tables)
;   time   constant with MDS tables
subkeys:
    lda q0-index_base,x
    sta *q0_of_index
    lda q1-index_base,x
    sta *q1_of_index
    .ifeq key_bits-128
    lda q1-index_base+1,x
    sta *y3
    lda q0-index_base+1,x
    sta *y2
    .else
    lda q0-index_base+1,x
    sta *y2
    lda q1-index_base+1,x
    sta *y3
    .endif
    ; B = ROL(h(2i+1), 8), and K_2i+1 is rotated by 8 more: the places of its bytes do both.
    s_boxes_of_index twofish_key+4,y2,y3
    rows K_odd+2,K_odd+3,K_odd+0,K_odd+1

    .ifeq key_bits-128
    lda *q0_of_index
    .else
    lda *q1_of_index
    .endif
    s_boxes_of_index twofish_key,q0_of_index,q1_of_index
    row_0
    add_B 0,1
    carry_out
    row_1
    carry_in
    add_B 1,2
    carry_out
    row_2
    carry_in
    add_B 2,3
    carry_out
    row_3
    carry_in
    add_B 3,0

    ; K_2i+1 = ROL(A + 2B, 9)
    lda *K_even+0
    add *K_odd+1
    sta *K_odd+1
    lda *K_even+1
    adc *K_odd+2
    sta *K_odd+2
    lda *K_even+2
    adc *K_odd+3
    sta *K_odd+3
    lda *K_even+3
    adc *K_odd+0
    sta *K_odd+0
    lsla
    rol *K_odd+1
    rol *K_odd+2
    rol *K_odd+3
    rol *K_odd+0

    brset #5,*index,round
    brset #1,*index,whiten_second
    whiten_words R0
    next_index
    jmp set_index
whiten_second:
    whiten_words R2
    jmp whitened

    .ifeq two_rounds
    .include "fly_one_round.asm"
    .else
    .include "fly_two_rounds.asm"
    .endif

    .area SET_KEY
twofish_set_key:
    .include "rs.asm"
