; SPDX-License-Identifier: Apache-2.0 OR MIT
; A subkey into memory, as stored_F.asm wants them.

; store_odd - K_2i+1, or its difference to 2 K_2i
;   in     U = A + B = K_2i; y = A + 2B; X
;   out    4 bytes at twofish_memory + X + 4; U, y and A are lost
;   RAM    U, y
;   cost   56 bytes (subkeys_*)
;   time   constant
    .macro store_odd ?first_eight, ?store
    rol_word y0                 ; K_2i+1 = ROL(A + 2B, 9), of which 8 bits are in the order of bytes
    tstx
    bmi first_eight             ; K_1, K_3, K_5, K_7 are stored as they are
    lsl *U
    rol *U+1
    rol *U+2
    rol *U+3
    bra store
first_eight:
    .irp j, 0, 1, 2, 3
    clr *U+j
    .endm
store:
    lda *y3
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
    .endm
