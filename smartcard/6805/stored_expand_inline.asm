; SPDX-License-Identifier: Apache-2.0 OR MIT
; The subkeys from the key on the card [Twofish98, 4.3.4], faster than stored_expand.asm: h is here once
; more, for words of four equal bytes, whose first look-ups are two instead of four. M is read where it
; is. For two MDS tables and keys of 128 bits.

B = R0                          ; ROL(h(2i+1), 8)
q0_of_number = R1
q1_of_number = R1+1

; sum_of_A - U = A + B = K_2i
;   in     A: byte j of A = h(2i); C
;   out    C; A is lost
;   RAM    U, B
;   cost   4 bytes
;   time   constant: 7 clocks
    .macro sum_of_A j
    plus j,B
    sta *U+j
    .endm

; store_U_for_Y - K_2i into memory, and Y = ROL(A + 2B, 8)
;   in     U, B; X
;   out    4 bytes at `at` + X; A, y0, y1, y2: Y as store_Y wants it; C is lost
;   RAM    y
;   cost   30 bytes
;   time   constant: 56 clocks
    .macro store_U_for_Y at
    .irp j, 0, 1, 2
    lda *U+j
    sta at+j,x
    plus j,B
    sta *y0+j
    .endm
    lda *U+3
    sta at+3,x
    plus 3,B
    .endm

; store_pair - K_2i and K_2i+1 into memory, by store_Y or store_Y_minus
;   in     U, B, X
;   out    8 bytes at `at` + X; A = X - 8, C: whether X was less
;   RAM    y
;   time   constant
    .macro store_pair at, store
    store_U_for_Y at
    store at
    double at
    txa
    sub #8
    .endm

; twofish_set_key - all subkeys, then S
;   in     twofish_key
;   out    twofish_memory, twofish_s; A and X are lost
;   RAM    the work bytes of the cipher, 4 bytes of stack
;   cost   433 bytes, 12,937 clocks (subkeys_fast_key)
;   time   constant (subkeys_fast_key)
twofish_set_key:
    q0_to_FF
    lda #4*38
next_pair:
    sta *index
    lsra
    lsra
    tax
    lda q0,x
    sta *q0_of_number
    lda q1,x
    sta *q1_of_number
    lda q1+1,x
    sta *y3
    lda q0+1,x
    sta *y2
    s_boxes_of_index twofish_key+4,y2,y3
    rows B+1,B+2,B+3,B+0
    lda *q0_of_number
    s_boxes_of_index twofish_key,q0_of_number,q1_of_number
    row_0
    sum_of_A 0
    row_1
    sum_of_A 1
    row_2
    sum_of_A 2
    row_3
    sum_of_A 3
    ldx *index
    cpx #4*8
    blo first_eight
    store_pair K_even-4*8,store_Y_minus
    jmp next_pair
first_eight:
    store_pair K_0,store_Y
    bcs 1$
    jmp next_pair
1$: q0_from_RAM
    ; falls into twofish_rs
