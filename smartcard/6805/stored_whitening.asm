; SPDX-License-Identifier: Apache-2.0 OR MIT
; Whitening [Twofish98, 4], also together with the exchange of halves that undoes that of the last
; round.

; whiten_byte - a byte of the text + a byte of a subkey
;   in     X, in a loop
;   out    the text; A is lost
;   RAM    the text
;   cost   6 bytes (subkeys_*)
;   cost   7 bytes (eeprom_*)
;   time   constant: 13 clocks, without loop 10; 14 with subkeys in EEPROM
    .macro whiten_byte R, K
    .ifeq whitening-2
    lda *R
    eor *K
    sta *R
    .else
    lda *R,x
    eor K,x
    sta *R,x
    .endif
    .endm

; whiten - the text + four subkeys
;   in     the text
;   out    the text; A and X are lost
;   RAM    the text
;   cost   11 bytes (subkeys_small)
;   cost   29 bytes (subkeys_2tables)
;   cost   96 bytes (subkeys_unrolled)
;   time   constant: 306 clocks, 234, or 160
    .macro whiten K, ?next
    .ifeq whitening
    ldx #15
next:
    whiten_byte R0,K
    decx
    bpl next
    .endif
    .ifeq whitening-1
    ldx #3
next:
    .irp i, 0, 4, 8, 12
    whiten_byte R0+i,K+i
    .endm
    decx
    bpl next
    .endif
    .ifeq whitening-2
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    whiten_byte R0+i,K+i
    .endm
    .endif
    .endm

; exchange_byte - a byte of what exchange does
;   in     X, in a loop
;   out    the text; A is lost, without loop X too
;   RAM    the text, y0 in a loop
;   cost   16 bytes (subkeys_2tables)
;   cost   13 bytes (subkeys_unrolled)
;   time   constant: 33 clocks, without loop 22
    .macro exchange_byte j, K_low, K_high
    .ifeq whitening-2
    lda *R0+j
    eor *K_low+j
    tax
    lda *R2+j
    eor *K_high+j
    sta *R0+j
    stx *R2+j
    .else
    lda *R0,x
    eor K_low,x
    sta *y0
    lda *R2,x
    eor K_high,x
    sta *R0,x
    lda *y0
    sta *R2,x
    .endif
    .endm

; exchange - R0, R1 + K_low goes to R2, R3, and R2, R3 + K_high to R0, R1
;   in     the text
;   out    the text; A and X are lost
;   RAM    the text, y0 in a loop
;   cost   21 bytes (subkeys_2tables)
;   cost   104 bytes (subkeys_unrolled)
;   time   constant: 314 clocks, without loop 176
    .macro exchange K_low, K_high, ?next
    .ifeq whitening-2
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    exchange_byte j,K_low,K_high
    .endm
    .else
    ldx #7
next:
    exchange_byte 0,K_low,K_high
    decx
    bpl next
    .endif
    .endm
