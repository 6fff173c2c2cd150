; SPDX-License-Identifier: Apache-2.0 OR MIT
; The subkeys into RAM [Twofish98, 4.3.4]. The file that includes this defines h_of_index, which
; takes ZL and Y and leaves z0..z3; r0..r15 are free here.

; store_subkeys - all 40
;   in     twofish_key
;   out    subkeys; all registers are lost
;   cost   86 bytes
store_subkeys:
    ldi     XL, lo8(subkeys)
    ldi     XH, hi8(subkeys)
    clr     r8                          ; i
1:  mov     ZL, r8
    inc     r8
    ldi     YL, lo8(twofish_key)
    ldi     YH, hi8(twofish_key)
    rcall   h_of_index
    mov     r0, z0                      ; A
    mov     r1, z1
    mov     r2, z2
    mov     r3, z3
    mov     ZL, r8
    inc     r8
    ldi     YL, lo8(twofish_key + 4)
    rcall   h_of_index
    add_word r0, r1, r2, r3, z3, z0, z1, z2     ; B is z rotated by 8
    movw    r4, r0
    movw    r6, r2
    add_word r4, r5, r6, r7, z3, z0, z1, z2     ; A + 2B
    rol_word r7, r4, r5, r6                     ; and 8 by the names
    st      X+, r0
    st      X+, r1
    st      X+, r2
    st      X+, r3
    st      X+, r7
    st      X+, r4
    st      X+, r5
    st      X+, r6
    cpi     XL, lo8(subkeys + 160)
    brne    1b
    ret
