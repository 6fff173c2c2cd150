; SPDX-License-Identifier: Apache-2.0 OR MIT
; The subkeys from the key on the card [Twofish98, 4.3.4], by means of the cipher's own g: with M in
; the place of S it is h. Where g has S-boxes in memory, each number first has its entries made of M.
; There are two passes, one for each list of M: all B, then all A. So M is copied twice only. B waits in
; the place of K_2i, where the cipher adds it to A.

; copy_M - M_first, M_first+2, .. to the place of S, which makes h of g
;   in     twofish_key
;   out    twofish_s; A and X are lost
;   RAM    none
;   cost   13 bytes (subkeys_2tables)
;   cost   20 bytes (subkeys_2tables_192)
;   cost   25 bytes (subkeys_2tables_256)
;   time   constant: 98 clocks for 128 bits
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

; next_lower - on to the subkeys before, as long as there are any
;   in     X
;   out    X; A is lost
;   RAM    none
;   cost   6 bytes (subkeys_*)
;   time   constant
    .macro next_lower again
    txa
    sub #8
    tax
    bcc again
    .endm

; h_of_number - U = h(number * RHO) + the word at twofish_memory + X
;   in     X = where the subkey of this number goes: K_0 to K_7 are after the others
;   out    U; X as it was; A is lost
;   RAM    R1, y, s, index, 4 bytes of stack
;   cost   27 bytes, 322 clocks (subkeys_2tables)
;   time   constant with MDS tables
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
    .ifne keeps-1
    tax
    jsr entries_of_X
    .endif
    jsr round
    ldx *index
    rts

; call_h - a call of h_of_number; with S-boxes or a longer key it is far
;   cost   2 bytes (subkeys_2tables)
;   cost   3 bytes (sboxes_oncard)
    .macro call_h
    .ifeq key_bits/64*keeps-2
    bsr h_of_number
    .else
    jsr h_of_number
    .endif
    .endm

; twofish_set_key - all subkeys, then S
;   in     twofish_key
;   out    twofish_memory, twofish_s; A and X are lost
;   RAM    the work bytes of the cipher, 4 bytes of stack
;   cost   175 bytes, 19,298 clocks (subkeys_2tables)
;   time   constant (mds_oncard*, sboxes_oncard, subkeys_?table*, subkeys_interrupts, subkeys_unrolled)
twofish_set_key:
    q0_to_RAM jsr
    .ifeq keeps-3
    lda #v_over_x
    sta *v_copy
    .endif
    lda #2                      ; out once U is made
    sta *mode
    copy_M 1
    ldx #4*39
1$: .irp j, 0, 1, 2, 3
    clr twofish_memory+j,x
    .endm
    call_h
    lda *U+3                    ; B = ROL(h, 8)
    sta twofish_memory-4+0,x
    lda *U+0
    sta twofish_memory-4+1,x
    lda *U+1
    sta twofish_memory-4+2,x
    lda *U+2
    sta twofish_memory-4+3,x
    next_lower 1$

    copy_M 0
    ldx #4*38
2$: call_h                      ; U = A + B = K_2i
    .irp j, 0, 1, 2, 3
    lda *U+j
    plus_x j,twofish_memory
    sta *y0+j                   ; A + 2B
    .endm
    .irp j, 0, 1, 2, 3
    lda *U+j
    sta twofish_memory+j,x
    .endm
    lda *y3
    tstx
    bmi 3$                      ; K_0 to K_7
    store_Y_minus twofish_memory
    bra 4$
3$: store_Y twofish_memory
4$: double twofish_memory
    next_lower 2$
    q0_from_RAM
    ; falls into twofish_rs, or expand_sboxes
