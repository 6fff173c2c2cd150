; SPDX-License-Identifier: Apache-2.0 OR MIT
; The S-boxes of h and g: levels of q with the bytes of L between them [Twofish98, 4.3.2].
; A macro for each byte of the word, since each has its own order of q0 and q1 [Twofish98, 4.3.5].
; Nothing here changes the carry.
;
; L_i is 4 bytes at L + i*step: step is 8 for M_even and M_odd, which alternate in the key, and -8
; for S, which twofish_rs leaves so, and which stands the other way round in g.

; eor_L - A += a byte of L; key_far is 1 where L is not in page zero, key_indexed where a byte in RAM
;         says which L it is
;   in     A, a byte in RAM or EEPROM
;   out    A; with key_indexed X is lost
;   RAM    none
;   cost   2 bytes (fly_2tables, subkeys_2tables)
;   cost   3 bytes (eeprom_2tables)
;   cost   4 bytes (fly_one_h)
;   time   constant: 3 clocks; 4 with key_far, 7 with key_indexed
    .macro eor_L byte
    .ifne key_indexed
    ldx *L_offset
    eor *byte,x
    .else
    .ifne key_far
    eor byte
    .else
    eor *byte
    .endif
    .endif
    .endm

; q_level - one level: A = q(A) of the table named, then nothing else
;   in     A
;   out    A; X is lost
;   RAM    none
;   cost   4 bytes (fly_one_h)
;   time   constant: 7 clocks; 6, and a byte less, where the table begins at FF
    .macro q_level table
    tax
    lda table,x
    .endm

; s_box_0, s_box_1, s_box_2, s_box_3 - bytes of h up to the matrix, all but the first look-up
;   in     A: the first look-up
;   out    A; X is lost
;   RAM    none
;   cost   11 bytes (fly_2tables)
;   cost   16 bytes (fly_2tables_192)
;   time   constant: 20 clocks, 10 more for each further 64 bits of key, a clock less for each
;          look-up in a table that begins at FF
    .macro s_box_0 L,step
    .ifge key_bits-256
    eor_L L+3*step+0
    q_level q1
    .endif
    .ifge key_bits-192
    eor_L L+2*step+0
    q_level q0
    .endif
    eor_L L+step+0
    q_level q0
    eor_L L+0
    q_level q1
    .endm

    .macro s_box_1 L,step
    .ifge key_bits-256
    eor_L L+3*step+1
    q_level q1
    .endif
    .ifge key_bits-192
    eor_L L+2*step+1
    q_level q1
    .endif
    eor_L L+step+1
    q_level q0
    eor_L L+1
    q_level q0
    .endm

    .macro s_box_2 L,step
    .ifge key_bits-256
    eor_L L+3*step+2
    q_level q0
    .endif
    .ifge key_bits-192
    eor_L L+2*step+2
    q_level q0
    .endif
    eor_L L+step+2
    q_level q1
    eor_L L+2
    q_level q1
    .endm

    .macro s_box_3 L,step
    .ifge key_bits-256
    eor_L L+3*step+3
    q_level q0
    .endif
    .ifge key_bits-192
    eor_L L+2*step+3
    q_level q1
    .endif
    eor_L L+step+3
    q_level q1
    eor_L L+3
    q_level q0
    .endm

; first_of_X - the first look-up, in the table for keys of 128, 192 or 256 bits
;   in     X
;   out    A
;   RAM    none
;   cost   3 bytes (fly_one_h)
;   time   constant: 5 clocks; 4 where the table begins at FF
    .macro first_of_X table_128,table_192,table_256
    .ifeq key_bits-128
    lda table_128,x
    .endif
    .ifeq key_bits-192
    lda table_192,x
    .endif
    .ifeq key_bits-256
    lda table_256,x
    .endif
    .endm

; s_first - the first look-up of a byte in RAM
;   in     a byte in RAM
;   out    A; X is lost
;   RAM    none
;   cost   5 bytes (fly_one_h)
;   time   constant: 8 clocks; 7 where the table begins at FF
    .macro s_first byte,table_128,table_192,table_256
    ldx *byte
    first_of_X table_128,table_192,table_256
    .endm

; s_boxes_begin, s_boxes_end - y = the S-boxes of g, of the bytes at i0, i1, i2, i3
;   in     4 bytes of the text
;   out    y0..y3, y2 in A as well; between the two i2 in X; X is lost
;   RAM    y
;   cost   54 bytes (fly_2tables)
;   cost   71 bytes (fly_2tables_192)
;   time   constant: 122 clocks with the end, which has 16 bytes; 128-bit keys, q0 at FF
    .macro s_boxes_begin i0,i1,i2,i3
    s_first i0,q0,q1,q1
    s_box_0 S_last,S_step
    sta *y0
    s_first i1,q1,q1,q0
    s_box_1 S_last,S_step
    sta *y1
    s_first i3,q1,q0,q1
    s_box_3 S_last,S_step
    sta *y3
    ldx *i2
    .endm
    .macro s_boxes_end
    first_of_X q0,q0,q0
    s_box_2 S_last,S_step
    sta *y2
    .endm
    .macro s_boxes_of_word i0,i1,i2,i3
    s_boxes_begin i0,i1,i2,i3
    s_boxes_end
    .endm

; m_s_boxes_begin, m_s_boxes_end - the same as m_row_0 to m_row_3 of mds.asm want it
;   in     4 bytes of the text
;   out    y1, y2; y0 + y2 at y0; y3 in A only; between the two i3 in X; X is lost
;   RAM    y0, y1, y2
;   cost   56 bytes (fly_small)
;   cost   73 bytes (fly_one_h)
;   time   constant
    .macro m_s_boxes_begin i0,i1,i2,i3
    s_first i1,q1,q1,q0
    s_box_1 S_last,S_step
    sta *y1
    s_first i2,q0,q0,q0
    s_box_2 S_last,S_step
    sta *y2
    s_first i0,q0,q1,q1
    s_box_0 S_last,S_step
    eor *y2
    sta *y0
    ldx *i3
    .endm
    .macro m_s_boxes_end
    first_of_X q1,q0,q1
    s_box_3 S_last,S_step
    .endm

; s_boxes_of_index - y = the S-boxes of h, of four equal bytes
;   in     A: the first look-up of byte 0; RAM: first look-ups in q0 and q1
;   out    y0..y3, y2 in A as well; X is lost
;   RAM    y
;   cost   58 bytes (fly_2tables, fly_small)
;   cost   80 bytes (fly_2tables_192)
;   time   constant
    .macro s_boxes_of_index M,in_q0,in_q1
    s_box_0 M,8
    sta *y0
    .ifeq key_bits-256
    lda *in_q0
    .else
    lda *in_q1
    .endif
    s_box_1 M,8
    sta *y1
    .ifeq key_bits-192
    lda *in_q0
    .else
    lda *in_q1
    .endif
    s_box_3 M,8
    sta *y3
    lda *in_q0
    s_box_2 M,8
    sta *y2
    .endm
