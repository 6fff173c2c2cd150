; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; S from the key [Twofish98, 4.3]: RS times each 8 bytes of the key.
;
; The columns of RS are the remainders of powers of x modulo a polynomial over GF(2^8),
;   x^4 + (a + 1/a) x^3 + a x^2 + (a + 1/a) x + 1        a the element x of GF(2^8), modulo w,
; so that RS times m_0 .. m_7 is the remainder of m_7 x^11 + .. + m_0 x^4. A division byte by byte
; needs no multiplication but those by a and 1/a, which are shifts.
;
; The four bytes of the remainder slide downwards through RAM, one place for each key byte: a step
; that moves nothing costs least. S_i therefore ends at twofish_s + 8i, and the bytes between and
; above are work. What the program that includes this sets beforehand:
;   twofish_s     S_i is at twofish_s + 8i; a multiple of 8. Work: the 4 bytes after S_0, S_1, ..
;                 and 8 more after the last
;   twofish_key   in page zero above twofish_s (anywhere: 1 byte and 1 clock a step more)
;   rs_g2, rs_g3  2 bytes of work outside of those
;   rs_constant   1: the same clocks for every key, and rs_w, rs_w_half are work too. 0: not so

rs_w_low = 0x4D                 ; w(x) = x^8 + x^6 + x^3 + x^2 + 1 without its highest power
rs_w_over_x = 0xA6              ; what 1/x is modulo w

; rs_if_carry - A ^= constant if the carry is set; copy holds the constant in RAM
;   in     A, C
;   out    A; C as it was
;   RAM    none, no stack
;   cost   4 bytes (tiny)
;   cost   6 bytes (fly_2tables)
;   time   3 or 5 clocks; with rs_constant 6 either way
.macro rs_if_carry constant, copy, ?set, ?done
    .ifne rs_constant
    bcs set
    bra done                    ; 3 clocks, as many as an eor from RAM takes
set:
    eor *copy
    .else
    bcc done
    eor #constant
    .endif
done:
.endm

; twofish_rs - S from the key: RS times each 8 bytes of it [Twofish98, 4.3]
;   in     twofish_key
;   out    twofish_s; A and X are lost
;   RAM    the work bytes named above, 2 bytes of stack
;   cost   6 bytes, 1,368 clocks (tiny)
;   cost   14 bytes, 1,424 clocks (fly_2tables)
;   cost   10 bytes (fly_0tables_192)
;   cost   14 bytes (fly_0tables_256)
;   time   constant (fly_1table*, fly_2tables*, fly_unrolled)
twofish_rs:
    .ifne rs_constant
    lda #rs_w_low
    sta *rs_w
    lda #rs_w_over_x
    sta *rs_w_half
    .endif
    ldx #twofish_s+8
    bsr rs_word
    ldx #twofish_s+16
    .ifgt key_bits-128
    bsr rs_word
    ldx #twofish_s+24
    .endif
    .ifgt key_bits-192
    bsr rs_word
    ldx #twofish_s+32
    .endif
    ; the last word falls into rs_word

; rs_word - RS times 8 bytes of the key
;   in     X = twofish_s + 8i + 8
;   out    S_i; X = twofish_s + 8i; A is lost
;   RAM    the 8 bytes after S_i, rs_g2, rs_g3, no stack
;   cost   50 bytes, 681 clocks (tiny)
;   cost   54 bytes, 701 clocks (fly_2tables)
;   time   as twofish_rs
rs_word:
    clr ,x                      ; the remainder, lowest byte first
    clr 1,x
    clr 2,x
    clr 3,x
1$:
    decx                        ; the remainder r_0 .. r_3 is now at 1,x .. 4,x
    lda twofish_key-twofish_s,x
    eor 4,x                     ; b = r_3 + m, the byte that leaves at the top
    sta ,x                      ; r_0' = b
    lsla
    rs_if_carry rs_w_low, rs_w
    sta *rs_g2                  ; a b
    eor 2,x
    sta 2,x                     ; r_2' = r_1 + a b
    lda ,x
    lsra
    rs_if_carry rs_w_over_x, rs_w_half
    eor *rs_g2
    sta *rs_g3                  ; (a + 1/a) b
    eor 3,x
    sta 3,x                     ; r_3' = r_2 + (a + 1/a) b
    lda 1,x
    eor *rs_g3
    sta 1,x                     ; r_1' = r_0 + (a + 1/a) b
    txa
    and #7
    bne 1$
    rts
