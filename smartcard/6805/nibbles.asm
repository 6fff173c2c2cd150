; SPDX-License-Identifier: Apache-2.0 OR MIT
; Twofish with q from its 4-bit permutations [TR3, 3.3]: 64 bytes of tables instead of 512, and q0
; and q1 as subroutines. Nothing is kept but key and S; 36 bytes of RAM besides these, the stack and
; the caller's return address included.
;
; The order of work is that of fly.asm with one round in its loop, with one h for all four uses. Two
; bytes of RAM fewer hold what goes on: T1 is added to both subkeys at once, which become F0 and F1,
; and q finds room for its return address.
;
; index counts the subkeys from index_base, so that it is 0 after K_38 and its bit 5 tells the rounds
; (E0 .. FE) from whitening (D8 .. DE). Its lowest bit is the direction, bit 6 is clear for T0.
index_base = 216
K_0 = index_base
K_4 = index_base+4
K_8 = index_base+8
decrypting = 1
t0_bit = 6

    .area RAM
    .org 0x20
E: .ds 4                     ; A + B = K_2i; then F0
O: .ds 4                     ; B, then K_2i+1, then F1
s_at = 0x28
key_at = 0x48
    .org s_at
twofish_s: .ds 4
; z of h is where v, y0, y2, y1 were. The column that MDS is applied to is y0 .. y3:
z:
v: .ds 1                     ; work of q
y0: .ds 1
y2: .ds 1
y1: .ds 1
twofish_s1: .ds 4
twofish_s_step == 8
twofish_text:                ; 16 bytes: R0, R1, R2, R3
R0: .ds 4
R1: .ds 4
R2: .ds 4
R3: .ds 4
y3: .ds 1
index: .ds 1
L: .ds 1                     ; which words h takes
t: .ds 1                     ; work of q; then s of MDS
twofish_key: .ds 16
s = t
rs_g2 = t
rs_g3 = y3
; The words that h takes first are at L, the others at L ^ 24: bits 3 and 4 of an address tell S_0
; from S_1 and M_0 from M_2 in the same way.
L_next = 24
S = s_at
M_even = key_at+8
M_odd = key_at+12
m_odd_bit = 2                ; set in M_odd
m_bit = 6                    ; set in M_odd and M_even

    .ifeq nibbles-1
    .include "q_pairs.asm"
    .else
    .include "q_sums.asm"
    .endif

mds_tables = 0
    .area CIPHER
    .include "mds.asm"
    .include "words.asm"

; add_z - word = word + z
;   in     z, a word in RAM
;   out    the word; A, C are lost
;   RAM    none
;   cost   24 bytes (nibbles*)
;   time   constant
    .macro add_z word
    lda *word+0
    add *z+0
    sta *word+0
    lda *word+1
    adc *z+1
    sta *word+1
    lda *word+2
    adc *z+2
    sta *word+2
    lda *word+3
    adc *z+3
    sta *word+3
    .endm

; twofish_encrypt, twofish_decrypt - one block [Twofish98, 4]
;   in     twofish_text, twofish_key, twofish_s
;   out    twofish_text; A and X are lost
;   RAM    text, E, O, v, y, index, L, t; 2 bytes of stack
;   cost   8 bytes, 163,001 clocks (nibbles)
;   cost   8 bytes, 114,337 clocks (nibbles_fast)
;   time   depends on the data
twofish_encrypt:
    lda #K_0
    .ifne decrypt
    bra set_index
twofish_decrypt:
    lda #K_4+decrypting
    .endif
set_index:
    sta *index

; subkeys - K_2i and K_2i+1 [Twofish98, 4.3.4], then goes on as index says
;   in     index
;   out    E, O; A, X, C are lost
;   RAM    these, v, y, L, t; 2 bytes of stack
;   cost   54 bytes (nibbles*)
;   time   depends on the data
subkeys:
    ldx #M_odd
    lda *index
    ora #decrypting
    sub #index_base             ; 2i+1
    bra h_of_byte
B_done:
    ; B = ROL(h(2i+1), 8), and K_2i+1 is rotated by 8 more: the places of its bytes do both
    lda *z+0
    sta *O+2
    lda *z+1
    sta *O+3
    lda *z+2
    sta *O+0
    lda *z+3
    sta *O+1
    ldx #M_even
    lda *index
    and #0xFF-decrypting
    sub #index_base             ; 2i

h_of_byte:
    stx *L
    sta *y1
    jsr q0
    sta *y0
    sta *y2
    lda *y1
    jsr q1
    sta *y1
    sta *y3

; first_q - y = q(byte)
;   in     a byte in RAM
;   out    y; A and X are lost
;   RAM    those of q, 2 bytes of stack
;   cost   7 bytes (nibbles*)
;   time   constant
    .macro first_q byte,y,q
    lda *byte
    jsr q
    sta *y
    .endm

; next_q - y = q(y + byte j of the words that L tells)
;   in     y, L
;   out    y; A and X are lost
;   RAM    those of q, 2 bytes of stack
;   cost   none, by the arguments: 11 bytes, or 10 where j is 0
;   time   constant
    .macro next_q y,j,q
    ldx *L
    .ifeq j
    lda ,x
    .else
    lda j,x
    .endif
    eor *y
    jsr q
    sta *y
    .endm

; h - z = h or g, all but the first q of each byte [Twofish98, 4.3.2], then goes on as L says
;   in     y0 .. y3, L: S, M_even or M_odd
;   out    z; A, X, C are lost
;   RAM    y, v, t, L; 2 bytes of stack
;   time   depends on the data
h:
    next_q y0,0,q0
    next_q y1,1,q0
    next_q y2,2,q1
    next_q y3,3,q1
    lda *L
    eor #L_next
    sta *L
    next_q y0,0,q1
    next_q y1,1,q0
    next_q y3,3,q0
    next_q y2,2,q1

    row_0
    sta *z+0
    row_3
    sta *z+3
    row_1_from z+0
    sta *z+1
    row_2_from z+1
    sta *z+2
    brclr #m_odd_bit,*L,1$
    jmp B_done
1$: brset #m_bit,*L,A_done
    jmp T_done

A_done:
    ; A + B, ROL(A + 2B, 9)
    lda *z+0
    add *O+1
    sta *E+0
    lda *z+1
    adc *O+2
    sta *E+1
    lda *z+2
    adc *O+3
    sta *E+2
    lda *z+3
    adc *O+0
    sta *E+3
    lda *E+0
    add *O+1
    sta *O+1
    lda *E+1
    adc *O+2
    sta *O+2
    lda *E+2
    adc *O+3
    sta *O+3
    lda *E+3
    adc *O+0
    sta *O+0
    lsla
    rol *O+1
    rol *O+2
    rol *O+3
    rol *O+0
    brset #5,*index,round

; whiten - adds E and O to the words Ra and the one after [Twofish98, 4]
;   in     E, O
;   out    Ra, the next word; A and X are lost
;   RAM    these
;   cost   11 bytes (nibbles*)
;   time   constant
    .macro whiten Ra,?again
    ldx #7
again:
    lda *E,x
    eor *Ra,x
    sta *Ra,x
    decx
    bpl again
    .endm

    brset #1,*index,whiten_second
    whiten R0
    lda *index
    add #2
    jmp set_index
whiten_second:
    whiten R2
    jmp whitened

; round - T1 and T0 are added to the subkeys, then F to the text, whose halves are exchanged
;   in     E, O, R0..R3, with R3 (decryption: R2) rotated already; index
;   out    R0..R3, index; A, X, C are lost
;   RAM    these, v, y, L, t; 2 bytes of stack
;   time   depends on the data
round:
    first_q R1+3,y0,q0
    first_q R1+0,y1,q1
    first_q R1+1,y2,q0
    first_q R1+2,y3,q1
    lda #S
    sta *L
    jmp h
T_done:
    add_z E
    brclr #t0_bit,*index,T0_done
    lsl *z+0
    rol *z+1
    rol *z+2
    rol *z+3
T0_done:
    add_z O
    brclr #t0_bit,*index,F_done
    bclr #t0_bit,*index
    first_q R0+0,y0,q0
    first_q R0+1,y1,q1
    first_q R0+2,y2,q0
    first_q R0+3,y3,q1
    lda #S
    sta *L
    jmp h
F_done:
    bset #t0_bit,*index
    ldx #7
1$: lda *E,x
    eor *R2,x
    sta *t
    lda *R0,x
    sta *R2,x
    lda *t
    sta *R0,x
    decx
    bpl 1$
    .ifne decrypt
    brset #0,*index,decrypt_end
    .endif
    ror_word R0
    lda *index
encrypt_next:
    add #2
    sta *index
    beq last
    rol_word R3
    jmp subkeys

    .ifne decrypt
decrypt_end:
    ror_word R1
    lda *index
decrypt_next:
    sub #2
    sta *index
    cmp #K_8-2+decrypting
    beq last
    rol_word R2
    jmp subkeys
    .endif

; whitened - after K_2 and K_3 or K_6 and K_7: to the first round, or returns
;   in     index
;   out    index
;   RAM    these
;   time   constant
whitened:
    .ifne decrypt
    brset #0,*index,decrypt_whitened
    .endif
    brset #2,*index,done
    lda #K_8-2
    bra encrypt_next
    .ifne decrypt
decrypt_whitened:
    brclr #2,*index,done
    lda #decrypting
    bra decrypt_next
    .endif
done:
    rts

; last - after all rounds: exchanges the halves and goes to the whitening of the output
;   in     index
;   out    index, the text; A and X are lost
;   RAM    these, t
;   time   constant
last:
    ldx #7
1$: lda *R0,x
    sta *t
    lda *R2,x
    sta *R0,x
    lda *t
    sta *R2,x
    decx
    bpl 1$
    lda #K_4
    .ifne decrypt
    brclr #0,*index,2$
    lda #K_0+decrypting
2$:
    .endif
    jmp set_index

    .area SET_KEY
rs_constant = 0
twofish_set_key:
    .include "rs.asm"
