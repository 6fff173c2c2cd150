; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; The least ROM: one h for subkeys and g, loops instead of rows of instructions. The round is in RAM, since h
; needs X: index = 2i is that of K_(2i), K_(2i+1).

        .segment "CIPHER"
INPUT       = 2                 ; whitening begins with the second pair, as in fly.s
OUTPUT      = 6
FIRST_ROUND = 8
LAST_ROUND  = 38
STEP        = 2

; set_index - begins at a pair of subkeys; A is lost
;   cost   4 bytes (6502_fly_small*)
.macro set_index i
        lda #i
        sta index
.endmacro

; copy - bytes from one place to another; A and X are lost
;   cost   9 bytes
.macro copy count, to, from
        .local next
        ldx #count - 1
next:   lda from, x
        sta to, x
        dex
        bpl next
        within_page
.endmacro

; make_subkeys - T0 = 2 K_index - K_(index+1), T1 = K_(index+1) - K_index, see round.s [Twofish98, 4.3.4]
.macro make_subkeys
        lda index
        ldx #M_EVEN
        jsr h_of_byte           ; A
        copy 4, T0, column
        ldx index
        inx
        txa
        ldx #M_ODD
        jsr h_of_byte           ; ROR(B, 8)
        clc                     ; T0 = A + B = K_index
    .repeat 4, j
        lda T0 + j
        adc column + ((j + 3) & 3)
        sta T0 + j
    .endrep
        clc                     ; T1 = ROL(A + 2B, 8)
    .repeat 4, j
        lda T0 + j
        adc column + ((j + 3) & 3)
        sta T1 + ((j + 1) & 3)
    .endrep
        rol_1 T1                ; K_(index+1)
        word_op sec, sbc, T1, T0
        word_op sec, sbc, T0, T1
.endmacro

; round - what encryption and decryption share: F, XORed into R2 and R3; then the halves change places
; If the index is of a pair for whitening, g is left out. So F0 and F1 are the subkeys themselves, and whiten
; R2 and R3.
;   in     R0 .. R3, index
;   out    R0 .. R3; A, X and Y are lost
;   RAM    T0, T1, column
;   cost   321 bytes, 1,757 clocks (6502_fly_small)
;   time   constant
round:
        make_subkeys
        copy 4, column, R0
        jsr g_or_0
        word_op clc, adc, T0, column
        copy 3, column + 1, R1
        lda R1 + 3
        sta column
        jsr g_or_0
        word_op clc, adc, T1, column
        pht_and_swap
        rts

; whiten - whitens R2, R3 with the pair, then R0, R1 with the pair before; two swaps are none
;   cost   10 bytes (6502_fly_small*)
.macro whiten
        jsr round
        dec index
        dec index
        jsr round
.endmacro

; g_or_0 - the column becomes g of it, but 0 if the index is of a pair for whitening
;   in     column, index
;   out    column; A, X and Y are lost
;   cost   19 bytes, 286 clocks (6502_fly_small)
;   time   as in a round; less for whitening
g_or_0:
        ldx #S_LIST
        lda index
        cmp #FIRST_ROUND
        bcs h
        within_page
        lda #0
    .repeat 4, j
        sta column + j
    .endrep
        rts

; h_of_byte - the column becomes h of A in all 4 bytes; goes on into h
;   in     A, X as for h
;   out    column; A, X and Y are lost
;   cost   8 bytes, 288 clocks (6502_fly_small)
;   time   constant
h_of_byte:
    .repeat 4, j
        sta column + j
    .endrep

; h - the column becomes h of it [Twofish98, 4.3.2]
;   in     column; X = M_EVEN, M_ODD or S_LIST: where L_0 is, from twofish_key; L_1 is 8 bytes on, ..
;   out    column; A, X and Y are lost
;   cost   195 bytes (6502_fly_small)
;   time   constant
h:
    .repeat 4, j
        ldy column + j
        q k, j, 0, y
      .repeat k, n
        eor twofish_key + 8 * (k - 1 - n) + j, x
        tay
        q k - 1 - n, j, 0, y
      .endrep
        sta column + j
    .endrep
        eor column              ; column = sum, y_1, y_2, y_3, see mds.s
        eor column + 1
        eor column + 2
        sta column
        lda column + 1          ; z_0: sum ^ c with c = y_0, a = y_1
        eor column + 2
        eor column + 3
        halve
        eor column + 1
        halve
        eor column
        tax
        lda column              ; z_1: c = y_3, a = y_1 ^ y_2
        eor column + 3
        halve
        eor column + 1
        eor column + 2
        halve
        eor column
        tay
        lda column              ; z_2: c = y_2, a = y_0 ^ y_3 = sum ^ y_1 ^ y_2
        eor column + 2
        halve
        eor column
        eor column + 1
        eor column + 2
        halve
        eor column
        sta column + 2
        lda column              ; z_3: c = y_1, a = y_0 ^ y_2 = sum ^ y_1 ^ y_3
        eor column + 1
        halve
        eor column
        eor column + 1
        eor column + 3
        halve
        eor column
        sta column + 3
        stx column
        sty column + 1
        rts
