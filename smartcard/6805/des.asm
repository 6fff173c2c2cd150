; SPDX-License-Identifier: Apache-2.0 OR MIT
; DES and Triple-DES on a 6805 [FIPS46-3]: the top file. DES takes 23 bytes of RAM, key and text included.
; machines/m6805.py writes the options of a program before it:
;   triple     0: DES, a key of 8 bytes. 1: Triple-DES, a key of 24 bytes
;
; The text is a matrix of 8 by 8 bits. IP is its transposition, if the bytes are taken from the last
; one on: the rows are then R0, L0, R1, L1, .. The inverse of IP is the same transposition.
;
; R and L are kept rotated right by one bit. The six bits of an odd S-box are then the high bits of a
; byte; those of an even one are the low bits of a byte and the two high bits of the next. IP rotates,
; too, if it begins with the first byte, that one rotated right by two bits, and goes on with the last.
;
; The key is kept as C and D, 28 bits each. Four bits more repeat the first ones, so that C and D are
; rotated in place in both directions, and are after a block what they were before.
;
; Each bit of the subkeys and of P is picked by itself: brset copies it to the carry.

    .area RAM
    .org 0x20
des_key: .ds key_bits/8      ; at first as it came; then C and D in each 8 bytes
C0 = des_key
C1 = des_key+7
C2 = des_key+6
C3 = des_key+1
D0 = des_key+2
D1 = des_key+3
D2 = des_key+4
D3 = des_key+5
des_text: .ds 8
R0 = des_text                ; the first row, then the last byte and those before it
L0 = des_text+7
R1 = des_text+6
L1 = des_text+5
R2 = des_text+4
L2 = des_text+3
R3 = des_text+2
L3 = des_text+1
row_0 = R0
row_3 = L1
row_6 = R3
row_7 = L3
work: .ds 7                  ; rows 7 to 1 while the text is transposed
s1 = work                    ; what the S-boxes give: the odd ones in the high half
s2 = work+1
s3 = work+2
s4 = work+3
s5 = work+4
s6 = work+4
s7 = work+5
s8 = work+5
round = work+6               ; 0 to 15, or 8F down to 80 to decrypt
decrypting = 7

    .ifeq triple
    .include "des_single.asm"
    .else
    .include "des_triple.asm"
    .endif

    .area TABLES
    .include "tables/des_s.inc"
shifts:
    .include "tables/des_shifts.inc"

    .area CIPHER
; pick_low, pick_high - a bit into A, from the right or from the left
;   in     a byte in RAM
;   out    A, C
;   RAM    none
;   cost   4 bytes (des*)
;   time   constant: 8 clocks
    .macro pick_low byte,bit
    brset #bit,*byte,.+3        ; for the carry only
    rola
    .endm
    .macro pick_high byte,bit
    brset #bit,*byte,.+3
    rora
    .endm

    .include "tables/des_picks.inc"

; left, right - C or D rotated by one bit
;   in     the bytes of C or D
;   out    the same; C is lost
;   RAM    none
;   cost   11 bytes (des*)
;   time   constant: 25 clocks
    .macro left X0,X1,X2,X3
    brset #3,*X0,.+3            ; bit 5, which follows the four that are repeated
    rol *X3
    rol *X2
    rol *X1
    rol *X0
    .endm
    .macro right X0,X1,X2,X3
    brset #4,*X3,.+3            ; bit 28, which comes before the first
    ror *X0
    ror *X1
    ror *X2
    ror *X3
    .endm

; odd_box - A = S_n in the high half
;   in     R; key: the macro that has the bits of the subkey; table: where the S-boxes are
;   out    A; X, C are lost
;   RAM    none
;   cost   none, by the table: 31 bytes or 32
;   time   constant
;
; The bits that are no input are set, so that X is never small: the tables can be addressed from below
; 100, which saves a byte and a clock.
    .macro odd_box key,R,table
    key
    eor *R
    ora #3
    tax
    lda table-3,x
    .endm

; even_box - A = S_n in the low half
;   in     the bytes of R that have its first four bits and its last two; key, table as above
;   out    A; X, C are lost; s
;   RAM    s
;   cost   none, by the table: 44 bytes or 45
;   time   constant
    .macro even_box key,R,R_next,table,s
    lda *R
    eor *R_next
    and #0x0F
    eor *R_next
    sta *s
    key
    eor *s
    ora #0x30
    tax
    lda table-0x30,x
    .endm

; next_R - R = L + P, L = R
;   in     P: the macro that has a byte of it; s1 .. s8
;   out    R, L; A, X, C are lost
;   RAM    none
;   cost   40 bytes (des*)
;   time   constant: 78 clocks
    .macro next_R P,R,L
    P
    eor *L
    ldx *R
    stx *L
    sta *R
    .endm

; des_encrypt, des_decrypt - one block [FIPS46-3]
;   in     des_text; des_key as des_set_key leaves it
;   out    des_text; A and X are lost
;   RAM    text, work, no stack; the key changes meanwhile
;   cost   22 bytes, 18,187 clocks (des)
;   cost   22 bytes, 52,689 clocks (des_triple)
;   time   constant
des_encrypt:
    lda #8
    bra begin
des_decrypt:
    lda #9
begin:
    add #8                      ; the half carry: rounds follow
    sta *work
    brset #0,*row_0,.+3
    ror *row_0
    brset #0,*row_0,.+3
    ror *row_0
transpose_text:
    lda *row_0

; transpose - the matrix of the text, then goes on as the flags say
;   in     A: the first byte; the text without it; bit 0 of work; half carry: 1 IP, 0 its inverse
;   out    the text; A, X are lost; C: the bit 0
;   RAM    text, work
;   cost   57 bytes, 712 clocks (des)
;   time   constant
;
; Each byte gives one bit to each row. The last row was in work before, whose bit 0 is the last one to
; leave it; nothing until the end of IP changes the half carry.
transpose:
    ldx #8
    bra 2$
1$: lda *des_text,x
2$: lsla
    rol *row_0
    .irp i,6,5,4,3,2,1,0
    lsla
    rol *work+i
    .endm
    decx
    bne 1$
    ldx #6
3$: lda *work,x
    sta *des_text+1,x
    decx
    bpl 3$
    bhcs IP_done
    bcc 4$
    brset #7,*row_0,.+3
    rol *row_0
    brset #7,*row_0,.+3
    rol *row_0
4$: rts

IP_done:
    first_pass

; begin_rounds - from K_1 on, or down from K_16
;   in     C: 1 to decrypt
;   out    round; A is lost
;   RAM    round
;   cost   13 bytes (des*)
;   time   constant
begin_rounds:
    bcs 1$
    clr *round
    bra next_left
1$: lda #0x8F
    sta *round
    jmp f

; next_left - C and D for the next round of encryption [FIPS46-3, KS]
;   in     round
;   out    C, D; A, X are lost
;   RAM    none
;   cost   30 bytes (des*)
;   time   by the round: 64 or 120 clocks
next_left:
    ldx *round
    lda shifts,x
1$: left C0,C1,C2,C3
    left D0,D1,D2,D3
    deca
    bpl 1$

; f - a round [FIPS46-3, the cipher function f]
;   in     C, D, R, L
;   out    R, L, round; A, X are lost
;   RAM    work
;   cost   497 bytes (des*)
;   time   constant
f:
    odd_box key_1,R0,rom
    sta *s1
    even_box key_2,R0,R1,rom,s2
    sta *s2
    odd_box key_3,R1,rom+1
    sta *s3
    even_box key_4,R1,R2,rom+0x10,s4
    sta *s4
    even_box key_6,R2,R3,rom+0x20,s6
    and #0x0F
    sta *s6
    odd_box key_5,R2,rom+2
    and #0xF0
    ora *s6
    sta *s6
    even_box key_8,R3,R0,rom+0x30,s8
    and #0x0F
    sta *s8
    odd_box key_7,R3,rom+3
    and #0xF0
    ora *s8
    sta *s8
    next_R p_0,R0,L0
    next_R p_1,R1,L1
    next_R p_2,R2,L2
    next_R p_3,R3,L3
    brset #decrypting,*round,next_right
    inc *round
    brset #4,*round,last
    jmp next_left

; next_right - C and D for the next round of decryption
;   in     round: that which has ended
;   out    C, D, round; A, X are lost
;   RAM    none
;   cost   37 bytes (des*)
;   time   by the round: 64 or 120 clocks
next_right:
    ldx *round
    lda shifts-0x80,x
1$: right C0,C1,C2,C3
    right D0,D1,D2,D3
    deca
    bpl 1$
    dec *round
    bpl last
    jmp f

; last - R and L exchanged; after the last pass the inverse of IP
;   in     R, L
;   out    the text; A, X, C are lost
;   RAM    work
;   cost   41 bytes (des)
;   cost   95 bytes (des_triple)
;   time   constant
    .macro exchange R,L
    lda *R
    ldx *L
    sta *L
    stx *R
    .endm
last:
    exchange R0,L0
    exchange R1,L1
    exchange R2,L2
    exchange R3,L3
    next_pass
    lda #1
    add #0                      ; clears the half carry
    sta *work
    jmp transpose_text

    .area SET_KEY
; des_set_key - PC-1 [FIPS46-3, KS]: C and D in place of the key
;   in     des_key
;   out    des_key; the text, A, X, C are lost
;   RAM    text, work, 2 bytes of stack
;   cost   50 bytes, 1,105 clocks (des)
;   cost   66 bytes, 3,765 clocks (des_triple)
;   time   constant
;
; Rows 0, 1, 2 and half of 3 of the transposed key are C; 6, 5, 4 and the other half are D. The bytes
; are where the transposition takes the last one of the key first.
des_set_key:
    first_key
    clr *work
    ldx #6
1$: lda *des_key,x
    sta *des_text+1,x
    decx
    bpl 1$
    lda *des_key+7
    add #0                      ; clears the half carry
    jsr transpose
    ; row 3 = the end of D, the first bits of D; row 7 = the end of C, the first bits of C
    lda *row_6
    ldx #4
2$: lsla
    rol *row_3
    rol *row_7
    decx
    bne 2$
    lda *row_0
    ldx #4
3$: lsla
    rol *row_7
    decx
    bne 3$
    ldx #7
4$: store_key
    decx
    bpl 4$
    next_key
    rts
