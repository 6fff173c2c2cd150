; SPDX-License-Identifier: Apache-2.0 OR MIT
; What fly.asm needs of h and g, with the code of h wherever it is needed. The additions ride on the
; rows of MDS: they need no loads of their own.

; add_B - K_even = A + B: byte j of B is K_odd + at
;   in     A: byte j of A = h(2i); C
;   out    A, C
;   RAM    K_even, K_odd
;   cost   4 bytes (fly_2tables)
;   time   constant: 7 clocks
    .macro add_B j,at
    plus j,K_odd+at
    sta *K_even+j
    .endm

; add_K_odd - T1, and K_odd = T1 + K_odd
;   in     A: byte j of T1; C
;   out    A, C
;   RAM    T1, K_odd
;   cost   6 bytes (fly_2tables)
;   time   constant: 11 clocks
    .macro add_K_odd j
    sta *T1+j
    plus j,K_odd+j
    sta *K_odd+j
    .endm

; add_T1 - T1 = T0 + T1
;   in     A: byte j of T0; C
;   out    A, C
;   RAM    T1
;   cost   4 bytes (fly_2tables)
;   time   constant: 7 clocks
    .macro add_T1 j
    plus j,T1+j
    sta *T1+j
    .endm

; g_begin, g_end - y = the S-boxes of g, of the bytes at i0, i1, i2, i3: by q, or from memory at once
;   in     4 bytes of the text
;   out    y0..y3, y2 in A as well; between the two what s_boxes_begin says; X is lost
;   RAM    y
;   cost   28 bytes (fly_sboxes)
;   time   constant
    .ifeq sboxes_stored
    .macro g_begin i0,i1,i2,i3
    s_boxes_begin i0,i1,i2,i3
    .endm
    .macro g_end
    s_boxes_end
    .endm
    .else
    .macro g_begin i0,i1,i2,i3
    s_boxes_in_memory i0,i1,i2,i3
    .endm
    .macro g_end
    .endm
    .endif

; T1_begin, T1_end - T1 = g(ROL(R1, 8)), and K_odd = T1 + K_odd
;   in     Rb = R1, or R3 where the words are in exchanged roles; K_odd
;   out    T1, K_odd; A, X, C are lost
;   RAM    y, s, T1, K_odd
;   cost   none: it depends on what MDS is made of
;   time   constant with MDS tables
    .macro T1_begin Rb
    g_begin Rb+3,Rb+0,Rb+1,Rb+2
    .endm
    .macro T1_end
    g_end
    T1_rows
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

; T0_begin, T0_end - T1 = T0 + T1; T0 = g(R0)
;   in     Ra = R0, or R2 where the words are in exchanged roles; T1
;   out    T1; A, X, C are lost
;   RAM    y, T1. s has no byte of its own here: with fewer MDS tables than two it takes that of y3
;   cost   none: it depends on what MDS is made of
;   time   constant with MDS tables
    .ifeq mds_tables-2
    .macro T0_begin Ra
    g_begin Ra+0,Ra+1,Ra+2,Ra+3
    .endm
    .macro T0_end
    g_end
    T0_rows
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
    .macro T0_begin Ra
    m_s_boxes_begin Ra+0,Ra+1,Ra+2,Ra+3
    .endm
    .macro T0_end
    m_s_boxes_end
    T0_rows
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

; subkey_words - K_2i and K_2i+1 [Twofish98, 4.3.4]
;   in     X: index, without the direction
;   out    K_even, K_odd; A, X, C are lost
;   RAM    y, s, q0_of_index, q1_of_index
;   cost   304 bytes (fly_2tables)
;   time   constant with MDS tables
    .macro subkey_words
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
    rol_K_odd
    .endm
