; SPDX-License-Identifier: Apache-2.0 OR MIT
; The smallest Twofish: q from its 4-bit permutations, one loop for all that happens four times.
; 36 bytes of RAM besides key and S, the stack and the caller's return address included. Clocks do not
; matter here: the order of things is what takes the fewest bytes.
;
; The cipher is 40 steps: step n adds a 32-bit word to a word of the text. Steps 0..3 add K_n and
; are the input whitening, steps 4..7 likewise the output whitening; steps 8 + 2r and 9 + 2r add F0
; and F1 of round r, each computed from nothing. Encryption takes 0..3, 8..39, 4..7, decryption the
; same backwards. The text is always R0, R1 (what F is made of), R2, R3 (what F is added to), so that
; its halves are exchanged between rounds.

    .area RAM
    .org 0x20
y: .ds 4                     ; X and the S-boxes of h
t: .ds 1                     ; work; stands after y
step: .ds 1                  ; see first_step
next: .ds 1                  ; 1 to encrypt, -1 to decrypt
L: .ds 1                     ; which words h takes: S, M_even or M_odd
s_at = 0x28
key_at = 0x48
    .org s_at
twofish_s: .ds 4
sum: .ds 4                   ; K_n, F0 or F1
twofish_s1: .ds 4
twofish_s_step == 8
twofish_text:                ; 16 bytes: R0, R1, R2, R3
R0: .ds 4
R1: .ds 4
R2: .ds 4
R3: .ds 4
k: .ds 1                     ; counters
j: .ds 1
v: .ds 1                     ; work
o: .ds 1
twofish_key: .ds 16
rs_g2 = t
rs_g3 = v
; L_i of h is at L ^ 8i ^ 24: bits 3 and 4 of an address must tell S_0 from S_1 and M_0 from M_2 in the
; same way, whence the two addresses above.
S = s_at ^ 0x10
M_even = (key_at+8) ^ 0x10
M_odd = (key_at+12) ^ 0x10

; The numbers of the steps in RAM: 5C..5F for K_0..K_3, 60..7F for rounds, 80..83 for K_4..K_7.
first_step = 0x5C
last_step = 0x83
step_of_n = 0x60-8           ; in rounds, which bit 5 tells
round_bit = 5

mds_tables = 0
    .include "half.asm"

    .area TABLES
nibble_pairs:
    .include "tables/nibbles.inc"
; For each row of MDS which y have another factor than 1, then which have EF: y3..y0 from the highest
; bit on. Row 3 stands before row 0 as well, for rows rotated by one.
mds_rows:
    .db 0xD5
    .db 0xE2, 0x76, 0xB9, 0xD5

    .area CIPHER
; add_h_of_step - sum = sum + h of four equal bytes, 2i for A and 2i+1 for B [Twofish98, 4.3.4]
;   in     step; X: M_even for A, M_odd for B, which is rotated
;   out    sum, y; L is X; A, X, C are lost
;   RAM    k, j, t, v, o, no stack
;   cost   26 bytes, 5,117 clocks (tiny)
;   time   depends on the data
add_h_of_step:
    stx *L
    lda *step
    sub #step_of_n
    brset #round_bit,*step,1$
    sub #first_step-step_of_n
    and #31
1$: and #0xFE
    brclr #2,*L,2$
    inca
2$: ldx #3
3$: sta *y,x
    decx
    bpl 3$

; add_h - sum = sum + h(y) [Twofish98, 4.3.2]
;   in     y, L
;   out    sum; y: the S-boxes of the old y; A, X, C are lost
;   RAM    k, j, t, v, o, no stack
;   cost   111 bytes, 5,052 clocks (tiny)
;   time   depends on the data
;
; A turn takes one byte through two of the four 4-bit permutations of a q. k counts the turns: bits 0
; and 1 are j, the byte of the word; bit 2 is set in the first half of q, clear in the second; the
; rest is the level, 2 being the innermost.
add_h:
    lda #23
    sta *k
    ; o = where the table is: + 16 if q1, which it is at level 2 if j is odd, at level 0 if j is even,
    ; at level 1 if j >= 2; + 32 in the second half
1$: lda *k
    brset #3,*k,2$
    lsla
    brset #4,*k,2$
    coma
2$: and #2
    lsla
    lsla
    lsla
    brset #2,*k,3$
    ora #32
3$: sta *o
    lda *k
    and #3
    sta *j
    tax
    lda *y,x
    sta *t
    lsra
    lsra
    lsra
    lsra
    eor *t
    and #15                     ; a + b [Twofish98, 4.3.5]
    ora *o
    tax
    lda nibble_pairs,x
    sta *v
    lda *t
    lsra
    lsra
    lsra
    eor *t
    lsra
    brclr #0,*t,4$
    eor #8
4$: and #15                     ; a + ROR4(b, 1) + 8 a
    ora *o
    tax
    lda nibble_pairs,x
    tax
    eor *v
    and #15
    brset #2,*k,5$              ; the high half is of the first look-up, in the second half of q of
    stx *v                      ; the other
5$: eor *v
    brset #2,*k,6$
    sta *t
    lda *k
    cmp #8                      ; the outermost q has no L after it
    eor *L
    tax
    lda *t
    bcs 6$
    eor ,x
6$: ldx *j
    sta *y,x
    dec *k
    bpl 1$

; add_mds - sum = sum + MDS * y [Twofish98, 4.2]; where L is M_odd, MDS * y is rotated left by 8 first
;   in     y, L
;   out    sum; A, X, C are lost
;   RAM    k, t, v, no stack
;   cost   60 bytes, 944 clocks (tiny)
;   time   depends on the data
;
; A row is s + half(half(s + c) + a), as mds.asm has it. Bits of mds_rows tell which y are in s + c,
; then which are in a.
add_mds:
    clr *k
    clr *t                      ; the carry
1$: ldx *k
    brset #2,*L,2$
    incx
2$: lda mds_rows,x
    sta *v
    clra
3$: ldx #3
4$: lsl *v
    bcc 5$
    eor *y,x
5$: decx
    bpl 4$
    half
    tst *v
    bne 3$
    eor *y+0
    eor *y+1
    eor *y+2
    eor *y+3
    ldx *k
    lsr *t
    adc *sum,x
    sta *sum,x
    rol *t
    inc *k
    brclr #2,*k,1$
    rts

; twofish_encrypt, twofish_decrypt - one block [Twofish98, 4]
;   in     twofish_text, twofish_key, twofish_s
;   out    twofish_text; A and X are lost
;   RAM    text, y, sum, step, next, L, k, j, t, v, o; 2 bytes of stack
;   cost   188 bytes, 809,018 clocks (tiny)
;   time   depends on the data
twofish_encrypt:
    lda #1
    ldx #first_step
    bra begin
twofish_decrypt:
    lda #-1
    ldx #last_step
begin:
    sta *next
    stx *step
one_step:
    ldx #3
1$: clr *sum,x
    decx
    bpl 1$
    ; K_n: A + B, or ROL(A + 2B, 9) [Twofish98, 4.3.4]
    ldx #M_even
    jsr add_h_of_step
    ldx #M_odd
    jsr add_h_of_step
    brclr #0,*step,2$
    bsr add_mds
    ldx #sum
    lda #9
    jsr rotate
2$: brclr #round_bit,*step,whitening
    ; F0 = T0 + T1 + K, F1 = T0 + 2 T1 + K [Twofish98, 4.1]
    ldx #3
3$: lda *R0,x
    sta *y,x
    decx
    bpl 3$
    ldx #S
    stx *L
    jsr add_h
    ldx #3
4$: lda *R1,x
    sta *y+1,x                  ; ROL(R1, 8), but for R1's last byte, which goes to t
    decx
    bpl 4$
    lda *y+4
    sta *y+0
    jsr add_h
    brclr #0,*step,5$
    jsr add_mds
    ; the second step of a round rotates left by 1 before it adds, the first right by 1 after
5$: lda *next
    lsra
    eor *step
    and #1
    sta *o
    deca
    and #31
    sta *k
    lda *step
    ora #2
    bra add_sum
whitening:
    clr *o
    clr *k
    lda *step
add_sum:
    and #3
    lsla
    lsla
    add #twofish_text
    tax
    lda *o
    bsr rotate
    lda *sum+0
    eor ,x
    sta ,x
    lda *sum+1
    eor 1,x
    sta 1,x
    lda *sum+2
    eor 2,x
    sta 2,x
    lda *sum+3
    eor 3,x
    sta 3,x
    lda *k
    bsr rotate
    lda *step
    add *next
    sta *step
    brclr #0,*o,7$
    brclr #round_bit,*step,7$   ; no exchange after the last round
    ldx #7
6$: lda *R0,x
    sta *t
    lda *R2,x
    sta *R0,x
    lda *t
    sta *R2,x
    decx
    bpl 6$
7$: lda *step
    sub #first_step
    cmp #last_step+1-first_step
    bcc 8$
    jmp one_step
8$: rts

; rotate - the word at X rotated left by A bits
;   in     X: its address; A: 0 to 127
;   out    the word, X; A, C are lost
;   RAM    v, no stack
;   cost   19 bytes, 1,199 clocks (tiny)
;   time   depends on A
rotate:
    sta *v
    bra 2$
1$: lda 3,x
    lsla
    rol ,x
    rol 1,x
    rol 2,x
    rol 3,x
2$: dec *v
    bpl 1$
    rts

    .area SET_KEY
rs_constant = 0
twofish_set_key:
    .include "rs.asm"
