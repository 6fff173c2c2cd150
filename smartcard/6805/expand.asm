; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; The subkeys from the key on the card [Twofish98, 4.3.4], by means of the cipher's own g: with M in
; the place of S it is h. There are two passes, one for each list of M: all B, then all A. So M is
; copied twice only; B waits in the place of K_2i, where the cipher adds it to A.

; copy_M - M_first, M_first+2, .. to the place of S, which makes h of g
;   in     twofish_key
;   out    twofish_s, X = -1; A is lost
;   RAM    none
;   cost   none is stated: 13 bytes and 106 clocks for 128 bits where the key is in page zero
;   time   constant
    .macro copy_M first, ?next
    ldx #3
next:
    .irp i, 0, 1, 2, 3
    .ifgt key_bits/64-i
    lda twofish_key+4*first+8*i,x
    sta twofish_s+key_bits/8-8-8*i,x
    .endif
    .endm
    decx
    bpl next
    .endm

; h_of_number - U = h(number * RHO) + the word at twofish_memory + X
;   in     X = where the subkey of this number goes: K_8 to K_39 are before K_0 to K_7
;   out    U; X as it was; A is lost
;   RAM    R1, y, s, index, 4 bytes of stack
;   time   constant, with MDS tables
h_of_number:
    stx *index
    txa
    lsra
    lsra
    add #8
    cmp #40
    blo 1$
    sub #40
1$: sta *R1
    sta *R1+1
    sta *R1+2
    sta *R1+3
    jsr round
    ldx *index
    rts

; twofish_set_key - all subkeys, then S
;   in     twofish_key
;   out    twofish_memory, twofish_s; A and X are lost
;   RAM    the work bytes of the cipher, 4 bytes of stack
;   time   constant, with MDS tables, but for twofish_rs
twofish_set_key:
    lda #2                      ; round is left once U is made
    sta *direction
    copy_M 1
    ldx #156
1$: clr twofish_memory+0,x
    clr twofish_memory+1,x
    clr twofish_memory+2,x
    clr twofish_memory+3,x
    bsr h_of_number
    lda *U+3                    ; B = ROL(h, 8)
    sta twofish_memory-4+0,x
    lda *U+0
    sta twofish_memory-4+1,x
    lda *U+1
    sta twofish_memory-4+2,x
    lda *U+2
    sta twofish_memory-4+3,x
    txa
    sub #8
    tax
    bcc 1$

    copy_M 0
    ldx #152
2$:
    .ifeq key_bits-128
    bsr h_of_number
    .else
    jsr h_of_number
    .endif
               ; U = A + B = K_2i
    .irp j, 0, 1, 2, 3
    lda *U+j
    .ifeq j
    add twofish_memory,x
    .else
    adc twofish_memory+j,x
    .endif
    sta *y0+j                   ; A + 2B
    .endm
    .irp j, 0, 1, 2, 3
    lda *U+j
    sta twofish_memory+j,x
    .endm
    rol_word y0                 ; K_2i+1 = ROL(A + 2B, 9), of which 8 bits are in the order of bytes
    tstx
    bmi 3$                      ; K_1, K_3, K_5, K_7 are stored as they are
    lsl *U
    rol *U+1
    rol *U+2
    rol *U+3
    bra 4$
3$: clr *U
    clr *U+1
    clr *U+2
    clr *U+3
4$: lda *y3
    sub *U
    sta twofish_memory+4+0,x
    lda *y0
    sbc *U+1
    sta twofish_memory+4+1,x
    lda *y1
    sbc *U+2
    sta twofish_memory+4+2,x
    lda *y2
    sbc *U+3
    sta twofish_memory+4+3,x
    txa
    sub #8
    tax
    bcc 2$
    ; falls into twofish_rs
