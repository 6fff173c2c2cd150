; SPDX-License-Identifier: Apache-2.0 OR MIT
; What fly.asm needs of h and g, with h as one routine: the least code with tables for q. It takes an
; L out of S and the key by an offset in RAM; for this S stands the other way round, S_(k-1) first.
; Two bytes of stack; nothing rides on the rows of MDS.
of_S = 0
of_M_even = twofish_key-twofish_s
of_M_odd = twofish_key-twofish_s+4

; h_of_index, h - T1 = h of four bytes A; of y [Twofish98, 4.3.2]
;   in     A, or y0..y3; X: of_S, of_M_even or of_M_odd
;   out    T1; A and X are lost
;   RAM    y, L_offset, T1
;   cost   197 bytes, 336 clocks (fly_one_h)
;   time   constant with MDS tables
h_of_index:
    sta *y0
    sta *y1
    sta *y2
    sta *y3
h:
    stx *L_offset
    m_s_boxes_begin y0,y1,y2,y3
    m_s_boxes_end
    m_row_0
    sta *T1+0
    m_row_1
    sta *T1+1
    m_row_2
    sta *T1+2                   ; y2, which is not needed any more
    m_row_3
    sta *T1+3                   ; y3
    rts

; add_to - a word += T1, whose byte j is T1 + t<j>
;   in     a word in RAM, T1
;   out    the word; A and C are lost
;   RAM    these
;   cost   24 bytes
;   time   constant: 40 clocks
    .macro add_to word,t0,t1,t2,t3
    lda *T1+t0
    add *word+0
    sta *word+0
    lda *T1+t1
    adc *word+1
    sta *word+1
    lda *T1+t2
    adc *word+2
    sta *word+2
    lda *T1+t3
    adc *word+3
    sta *word+3
    .endm

; copy - a byte
    .macro copy from,to
    lda *from
    sta *to
    .endm

; subkey_words - K_2i and K_2i+1 [Twofish98, 4.3.4]
;   in     X: index, without the direction
;   out    K_even, K_odd; A, X, C are lost
;   RAM    as h, 2 bytes of stack
;   cost   92 bytes (fly_one_h)
;   time   constant with MDS tables
    .macro subkey_words
    txa
    sub #index_base
    ldx #of_M_even
    jsr h_of_index
    copy T1+0,K_even+0
    copy T1+1,K_even+1
    copy T1+2,K_even+2
    copy T1+3,K_even+3
    lda *index
    ora #1
    sub #index_base
    ldx #of_M_odd
    jsr h_of_index
    add_to K_even,3,0,1,2       ; B = ROL(h(2i+1), 8)
    lda *K_even+0               ; K_2i+1 = ROL(A + 2B, 9)
    add *T1+3
    sta *K_odd+1
    lda *K_even+1
    adc *T1+0
    sta *K_odd+2
    lda *K_even+2
    adc *T1+1
    sta *K_odd+3
    lda *K_even+3
    adc *T1+2
    sta *K_odd+0
    rol_K_odd
    .endm

; T1_begin, T1_end - T1 = g(ROL(R1, 8)), K_even += T1, K_odd += 2 T1
;   in     Rb = R1; K_even, K_odd
;   out    T1, K_even, K_odd; A, X, C are lost
;   RAM    as h, 2 bytes of stack
;   time   constant with MDS tables
    .macro T1_begin Rb
    copy Rb+3,y0
    copy Rb+0,y1
    copy Rb+1,y2
    copy Rb+2,y3
    clrx
    jsr h
    .endm
    .macro T1_end
    add_to K_even,0,1,2,3
    add_to K_odd,0,1,2,3
    add_to K_odd,0,1,2,3
    .endm

; T0_begin, T0_end - T1 = T0 = g(R0): K_even and K_odd have T1 already
;   in     Ra = R0
;   out    T1; A, X, C are lost
;   RAM    as h, 2 bytes of stack
;   time   constant with MDS tables
    .macro T0_begin Ra
    copy Ra+0,y0
    copy Ra+1,y1
    copy Ra+2,y2
    copy Ra+3,y3
    clrx
    jsr h
    .endm
    .macro T0_end
    .endm

; reverse_S - exchanges S_0 with S_(k-1), and of four words the middle ones too
;   in     S as twofish_rs leaves it
;   out    S; A and X are lost
;   RAM    y0
;   time   constant
    .macro exchange_S low,high,?again
    ldx #3
again:
    lda *low,x
    sta *y0
    lda *high,x
    sta *low,x
    lda *y0
    sta *high,x
    decx
    bpl again
    .endm
    .macro reverse_S
    exchange_S twofish_s,twofish_s+key_bits/8-8
    .ifeq key_bits-256
    exchange_S twofish_s1,twofish_s2
    .endif
    .endm
