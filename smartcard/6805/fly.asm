; SPDX-License-Identifier: Apache-2.0 OR MIT
; The cipher that keeps nothing but key and S: each round makes its two subkeys anew.
;
; The index of the subkeys counts from index_base, so that it is 0 after K_38 and its bit 5 tells
; the rounds (E0 .. FE) from whitening (D8 .. DE).
index_base = 216
K_0 = index_base
K_4 = index_base+4
K_6 = index_base+6
K_8 = index_base+8

; rol_word, ror_word - rotates a word by one bit
    .macro rol_word word
    brset #7,*word+3,.+3      ; carry = highest bit
    rol *word
    rol *word+1
    rol *word+2
    rol *word+3
    .endm

    .macro ror_word word
    brset #0,*word,.+3      ; carry = lowest bit
    ror *word+3
    ror *word+2
    ror *word+1
    ror *word
    .endm

    .macro add_B op,j
    op *K_odd+j
    sta *K_even+j
    .endm

    .macro add_K_odd op,j,from
    sta *T1+j
    op *K_odd+from
    sta *K_odd+from
    .endm

    .macro add_T1 op,j
    op *T1+j
    sta *T1+j
    .endm

    .macro double_B op,j
    lda *K_even+j
    op *K_odd+j
    sta *K_odd+j
    .endm

    .macro F_byte op,K,Rx,Ry
    lda *T1+.j
    .endm

twofish_encrypt:
    clr *direction
    lda #K_0
    bra begin
twofish_decrypt:
    lda #1
    sta *direction
    lda #K_4
begin:
    sta *index

subkeys:
    s_boxes_of_index 1
    rows K_odd+1,K_odd+2,K_odd+3,K_odd+0
    s_boxes_of_index 0
    row_0
    add_B add,0
    carry_out
    row_1
    carry_in
    add_B adc,1
    carry_out
    row_2
    carry_in
    add_B adc,2
    carry_out
    row_3
    carry_in
    add_B adc,3
    double_B add,0
    double_B adc,1
    double_B adc,2
    double_B adc,3
    lsla
    rol *K_odd
    rol *K_odd+1
    rol *K_odd+2
    rol *K_odd+3

    brset #5,*index,round
    brset #1,*index,whiten_23
    .macro whiten K,R
    lda *K
    eor *R
    sta *R
    .endm
    whiten K_even+0,R0+0
    whiten K_even+1,R0+1
    whiten K_even+2,R0+2
    whiten K_even+3,R0+3
    whiten K_odd+3,R1+0
    whiten K_odd+0,R1+1
    whiten K_odd+1,R1+2
    whiten K_odd+2,R1+3
    inc *index
    inc *index
    jmp subkeys
whiten_23:
    whiten K_even+0,R2+0
    whiten K_even+1,R2+1
    whiten K_even+2,R2+2
    whiten K_even+3,R2+3
    whiten K_odd+3,R3+0
    whiten K_odd+0,R3+1
    whiten K_odd+1,R3+2
    whiten K_odd+2,R3+3
    brset #0,*direction,whitened_d
    brset #2,*index,done
    lda #K_8-2
    jmp enc_next
whitened_d:
    brclr #2,*index,done
    clra
    jmp dec_next
done:
    rts

round:
    s_boxes_of_word R1+3,R1+0,R1+1,R1+2
    row_0
    add_K_odd add,0,3
    carry_out
    row_1_from T1+0
    carry_in
    add_K_odd adc,1,0
    carry_out
    row_2_from T1+1
    carry_in
    add_K_odd adc,2,1
    carry_out
    row_3
    carry_in
    add_K_odd adc,3,2

    s_boxes_of_word R0+0,R0+1,R0+2,R0+3
    row_0
    add_T1 add,0
    carry_out
    row_1
    carry_in
    add_T1 adc,1
    carry_out
    row_2
    carry_in
    add_T1 adc,2
    carry_out
    row_3
    carry_in
    add_T1 adc,3

    .macro swap_xor op,j,K,Rx,Ry
    lda *T1+j
    op *K
    eor *Ry
    ldx *Rx
    stx *Ry
    sta *Rx
    .endm
    swap_xor add,0,K_even+0,R0+0,R2+0
    swap_xor adc,1,K_even+1,R0+1,R2+1
    swap_xor adc,2,K_even+2,R0+2,R2+2
    swap_xor adc,3,K_even+3,R0+3,R2+3
    swap_xor add,0,K_odd+3,R1+0,R3+0
    swap_xor adc,1,K_odd+0,R1+1,R3+1
    swap_xor adc,2,K_odd+1,R1+2,R3+2
    swap_xor adc,3,K_odd+2,R1+3,R3+3
    brset #0,*direction,round_d
    ror_word R0
    lda *index
enc_next:
    add #2
    sta *index
    beq last_e
    rol_word R3
    jmp subkeys
round_d:
    ror_word R1
    lda *index
dec_next:
    sub #2
    sta *index
    cmp #K_8-2
    beq last_d
    rol_word R2
    jmp subkeys
last_e:
    lda #K_4
    bra last
last_d:
    lda #K_0
last:
    sta *index
    ldx #7
swap:
    lda *R0,x
    sta *y0
    lda *R2,x
    sta *R0,x
    lda *y0
    sta *R2,x
    decx
    bpl swap
    jmp subkeys
