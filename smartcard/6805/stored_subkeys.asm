; SPDX-License-Identifier: Apache-2.0 OR MIT
; K_2i+1 into memory, as stored_F.asm wants it: the difference to 2 K_2i, but K_1, K_3, K_5, K_7 as they
; are. K_2i+1 = ROL(A + 2B, 9), of which 8 bits are in the order of bytes: with Y = ROL(A + 2B, 8)
;   K_2i+1 = 2 Y + the highest bit of Y        K_2i+1 - 2 K_2i = 2 (Y - K_2i) + that bit
; so that the rotation by one bit comes last. Y is y3, y0, y1, y2, of which y3 is in A.

; store_Y_minus - Y - K_2i
;   in     A, y0, y1, y2: Y; U = K_2i; X
;   out    4 bytes at `at` + X + 4; A and C are lost
;   RAM    none
;   cost   22 bytes (subkeys_*)
;   time   constant: 41 clocks
    .macro store_Y_minus at
    sub *U+0
    sta at+4,x
    .irp j, 1, 2, 3
    lda *y0+j-1
    sbc *U+j
    sta at+4+j,x
    .endm
    .endm

; store_Y - Y as it is
;   in     A, y0, y1, y2: Y; X
;   out    4 bytes at `at` + X + 4; A is lost
;   RAM    none
;   cost   14 bytes (subkeys_*)
;   time   constant: 29 clocks
    .macro store_Y at
    sta at+4,x
    .irp j, 1, 2, 3
    lda *y0+j-1
    sta at+4+j,x
    .endm
    .endm

; double - twice what store_Y or store_Y_minus has stored, and the highest bit of Y
;   in     y2; X
;   out    4 bytes at `at` + X + 4; C is lost
;   RAM    none
;   cost   11 bytes (subkeys_*)
;   time   constant: 29 clocks
    .macro double at
    brset #7,*y2,.+3            ; for the carry only
    .irp j, 0, 1, 2, 3
    rol at+4+j,x
    .endm
    .endm
