; SPDX-License-Identifier: Apache-2.0 OR MIT
; The subkeys from the key on the card [Twofish98, 4.3.4], faster than stored_expand.asm: h is here once
; more, for words of four equal bytes, whose first look-ups are two instead of four. M is read where it
; is. For two MDS tables and keys of 128 bits.

B = R0                          ; ROL(h(2i+1), 8)
q0_of_index = R1
q1_of_index = R1+1

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

; twofish_set_key - all subkeys, then S
;   in     twofish_key
;   out    twofish_memory, twofish_s; A and X are lost
;   RAM    the work bytes of the cipher, 4 bytes of stack
;   cost   397 bytes, 13,741 clocks (subkeys_fast_key)
;   time   constant (subkeys_fast_key)
twofish_set_key:
    q0_to_RAM jsr
    lda #8*19
1$: sta *index
    lsra
    lsra
    add #8                      ; the number of the first subkey here: K_0 to K_7 are after the others
    cmp #40
    blo 2$
    sub #40
2$: tax
    lda q0,x
    sta *q0_of_index
    lda q1,x
    sta *q1_of_index
    lda q1+1,x
    sta *y3
    lda q0+1,x
    sta *y2
    s_boxes_of_index twofish_key+4,y2,y3
    rows B+1,B+2,B+3,B+0
    lda *q0_of_index
    s_boxes_of_index twofish_key,q0_of_index,q1_of_index
    row_0
    sum_of_A 0
    row_1
    sum_of_A 1
    row_2
    sum_of_A 2
    row_3
    sum_of_A 3
    ldx *index
    .irp j, 0, 1, 2, 3
    lda *U+j
    sta twofish_memory+j,x
    plus j,B
    sta *y0+j                   ; A + 2B
    .endm
    store_odd
    lda *index
    sub #8
    bcs 3$
    jmp 1$
3$: q0_from_RAM
    ; falls into twofish_rs
