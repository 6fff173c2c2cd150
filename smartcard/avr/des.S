; SPDX-License-Identifier: Apache-2.0 OR MIT
; DES and Triple-DES on an AVR with 32 registers [FIPS46-3]: the top file. 6805/des.asm has the ideas:
; IP, its inverse and PC-1 are one transposition of 8 by 8 bits, the key is kept as C and D and is
; rotated, and each bit of the subkeys and of P is moved by itself.
;
; Lines before this file is included (machines/avr.py) say:
;   key_bits     64 or 192
; and the macro KEPT names des_single.S or des_triple.S.
;
; The text is in r0..r7, in and out, byte i in r(i); des_key has the key. Every other register may be
; lost, none has to hold anything. Time depends on no data.

    .equ des_text, 0            ; r0..r7 as addresses of data
    .equ passes, key_bits / 64
    .equ decrypting, 7          ; bit of rounds

; A row of the transposed text each, from the first one on; during rounds what S-boxes give takes the
; place of the text.
#define R0 r15
#define L0 r14
#define R1 r13
#define L1 r12
#define R2 r11
#define L2 r10
#define R3 r9
#define L3 r8
#define s1 r0
#define s2 r1
#define s3 r2
#define s4 r3
#define s5 r4
#define s6 r5
#define s7 r6
#define s8 r7
#define t r16
#define rounds r17
#define C0 r18
#define C1 r19
#define C2 r20
#define C3 r21
#define D0 r22
#define D1 r23
#define D2 r24
#define D3 r25
#define XL r26
#define XH r27
#define YL r28
#define YH r29
#define ZL r30
#define ZH r31

    .section .bss
    .global des_key
des_key:
    .skip key_bits / 8          ; at first as it came; then C and D in each 8 bytes

    .section .progmem.des_tables, "a", @progbits
    .balign 256
tables:
    .include "tables/des_s.inc"
tables_end:

#include "tables/des_picks.inc"
#include KEPT

    .section .text.des_cipher, "ax", @progbits

; left, right - C or D rotated by one bit; 28 bits, the last ones in the high half
;   in     the bytes of C or D
;   out    the same; C, T are lost
;   cost   12 bytes (avr_des*)
;   time   6 clocks
.macro left X0, X1, X2, X3
    bst     \X0, 7
    lsl     \X3
    rol     \X2
    rol     \X1
    rol     \X0
    bld     \X3, 4
.endm
.macro right X0, X1, X2, X3
    bst     \X3, 4
    lsr     \X0
    ror     \X1
    ror     \X2
    ror     \X3
    bld     \X0, 7
.endm

; odd_box, even_box - S_n, in the high half of s or in the low half
;   in     R: the bytes that its six bits are in; key: the macro that has the bits of the subkey; box:
;          0 to 3; ZH: the table
;   out    s; t, ZL, T are lost
;   cost   none, by the box: 36 bytes or 38
;   time   constant
.macro odd_box s, key, R_before, R, box
    \key
    mov     t, \R
    bst     \R_before, 0
    bld     t, 2
    eor     ZL, t
    andi    ZL, 0xFC
.if \box
    ori     ZL, \box
.endif
    lpm     \s, Z
.endm
.macro even_box s, key, R, R_next, box
    \key
    mov     t, \R
    bst     \R_next, 7
    bld     t, 7
    eor     ZL, t
    andi    ZL, 0x9F
.if \box
    ori     ZL, 32 * \box
.endif
    lpm     \s, Z
.endm

; next_R - R = L + P, L = R
;   in     P: the macro that has a byte of it; s1 .. s8
;   out    R, L; t, T are lost
;   cost   38 bytes (avr_des*)
;   time   19 clocks
.macro next_R P, R, L
    \P
    eor     t, \L
    mov     \L, \R
    mov     \R, t
.endm

; des_encrypt, des_decrypt - one block [FIPS46-3]
;   in     text in r0..r7; des_key as des_set_key leaves it
;   out    text; all registers are lost
;   cost   38 bytes, 4,907 clocks (avr_des)
;   cost   38 bytes, 14,027 clocks (avr_des_triple)
;   time   constant
    .global des_encrypt
des_encrypt:
    ldi     XL, lo8(des_key)
    ldi     XH, hi8(des_key)
    ldi     rounds, 32 * (passes - 1) + 16
    rjmp    begin
    .global des_decrypt
des_decrypt:
    ldi     XL, lo8(des_key + 8 * (passes - 1))
    ldi     XH, hi8(des_key + 8 * (passes - 1))
    ldi     rounds, 32 * (passes - 1) + 16 + (1 << decrypting)
begin:
    rcall   transpose
pass:
.irp each, C0, C1, C2, C3, D0, D1, D2, D3
    ld      \each, X+
.endr
    ldi     YL, lo8(double_shifts)
    ldi     YH, hi8(double_shifts)
    ldi     ZH, hi8(tables)

; one_round - rotates C and D to the left, or after f to the right [FIPS46-3, KS]
;   in     R, L, C, D, rounds; Y: the shifts of the rounds; ZH: the table
;   out    the same; r0..r7, t, ZL are lost
;   cost   570 bytes (avr_des)
;   cost   616 bytes (avr_des_triple)
;   time   by the round
one_round:
    sbrc    rounds, decrypting
    rjmp    f
    lsl     YL
    rol     YH
    clr     t
    rol     t
1:  left    C0, C1, C2, C3
    left    D0, D1, D2, D3
    subi    t, 1
    brcc    1b
f:
    odd_box  s1, key_1, R3, R0, 0
    even_box s2, key_2, R0, R1, 0
    odd_box  s3, key_3, R0, R1, 1
    even_box s4, key_4, R1, R2, 1
    odd_box  s5, key_5, R1, R2, 2
    even_box s6, key_6, R2, R3, 2
    odd_box  s7, key_7, R2, R3, 3
    even_box s8, key_8, R3, R0, 3
    next_R  p_0, R0, L0
    next_R  p_1, R1, L1
    next_R  p_2, R2, L2
    next_R  p_3, R3, L3
    sbrs    rounds, decrypting
    rjmp    round_ends
    lsr     YH
    ror     YL
    clr     t
    rol     t
2:  right   C0, C1, C2, C3
    right   D0, D1, D2, D3
    subi    t, 1
    brcc    2b
round_ends:
    dec     rounds
    mov     t, rounds
    andi    t, 31
    breq    3f
    rjmp    one_round
3:
    next_pass
    ; R and L exchanged
    mov     r7, L0
    mov     r6, R0
    mov     r5, L1
    mov     r4, R1
    mov     r3, L2
    mov     r2, R2
    mov     r1, L3
    mov     r0, R3
    rcall   transpose
    movw    r0, r8
    movw    r2, r10
    movw    r4, r12
    movw    r6, r14
    ret

; transpose - a matrix of 8 by 8 bits
;   in     r7: the first row, .. r0
;   out    r15: the first row, .. r8; t, Z are lost
;   cost   44 bytes, 173 clocks (avr_des*)
;   time   constant
transpose:
    ldi     ZL, 8
    clr     ZH
1:  ld      t, -Z               ; r7 to r0
.irp row, r15, r14, r13, r12, r11, r10, r9, r8
    lsl     t
    rol     \row
.endr
    tst     ZL
    brne    1b
    ret

    .section .text.des_set_key, "ax", @progbits

; des_set_key - PC-1 [FIPS46-3, KS]: C and D in place of the key
;   in     des_key
;   out    des_key; r0..r17, X, Z are lost
;   cost   50 bytes, 220 clocks (avr_des)
;   cost   50 bytes, 648 clocks (avr_des_triple)
;   time   constant
;
; Rows 0, 1, 2 and half of 3 of the transposed key are C; 6, 5, 4 and the other half are D.
    .global des_set_key
des_set_key:
    ldi     XL, lo8(des_key)
    ldi     XH, hi8(des_key)
    ldi     r17, passes
1:
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
    ld      r\i, X+
.endr
    rcall   transpose
    sbiw    XL, 8
.irp row, 15, 14, 13, 12, 9, 10, 11
    st      X+, r\row
.endr
    swap    r12
    st      X+, r12
    dec     r17
    brne    1b
    ret
