; SPDX-License-Identifier: Apache-2.0 OR MIT
; The cipher that keeps nothing but key and S: every round makes its two subkeys anew [TR3, 3.1].
; 36 bytes of RAM besides these, the caller's return address included; no other stack (one_h: two
; bytes of it).
;
;   one_h            0: h is written out where it is needed. 1: it is a routine (one round only)
;   two_rounds       0: the loop has one round and exchanges the halves of the text. 1: it has two
;                    rounds, which need no exchange
;   shared_rows      of two rounds: 1: both use the same code for MDS. 0: each has its own
;   whitening_loop   1: a loop adds subkeys to the text. 0: straight code
;   exchange_loop    the same of the exchange of halves that encryption ends with
;
; All calls are jumps: one byte, index, says where to go on. It counts the subkeys from index_base,
; so that it is 0 after K_38 and its bit 5 tells the rounds (E0 .. FE) from whitening (D8 .. DE). Its
; lowest bit is the direction.
index_base = 216
K_0 = index_base
K_4 = index_base+4
K_8 = index_base+8
K_38 = index_base+38
decrypting = 1
twofish_s_step == 8
key_far = 0
key_indexed = one_h

    .area RAM
    .org 0x20
K_even: .ds 4                ; K_2i
K_odd: .ds 4                 ; B, then K_2i+1; then T1 + K_2i+1
index: .ds 1
    .ifeq one_h
saved: .ds 1                 ; what RAM held at FF
    .else
L_offset: .ds 1              ; which L h takes: from twofish_s on
    .endif
    .ifne rs_constant
rs_w = K_even
rs_w_half = K_even+1
    .endif
rs_g2 = K_even+2
rs_g3 = K_even+3

; S = S_0, S_1, .. as twofish_rs leaves it: between are 4 bytes of work each, and RS takes the
; first bytes of the text as well. In a card that has key and S in EEPROM nothing is between.
    .org 0x30
    .ifeq eeprom
twofish_s: .ds 4
    .endif
y0: .ds 1                    ; the column that MDS is applied to
y1: .ds 1
y2: .ds 1
y3: .ds 1
    .ifeq eeprom
twofish_s1: .ds 4
    .endif
T1: .ds 4                    ; T1, then T0 + T1
q0_of_index = T1+0           ; before that
q1_of_index = T1+1
s = T1+3
    .ifeq eeprom
    .ifge key_bits-192
twofish_s2: .ds 8
    .endif
    .ifge key_bits-256
twofish_s3: .ds 8
    .endif
    .endif
twofish_text:                ; 16 bytes: R0, R1, R2, R3
R0: .ds 4
R1: .ds 4
R2: .ds 4
R3: .ds 4

    .ifne eeprom
    .org 0x80                ; EEPROM; what a host writes there
twofish_s: .ds 8
twofish_s1: .ds key_bits/8-8
    .endif
twofish_key: .ds key_bits/8

    .ifeq one_h
S_last = twofish_s+key_bits/8-8
S_step = -8
    .else
S_last = twofish_s
S_step = 8
    .endif

    .area TABLES
    .ifeq one_h
q0 = 0xFF
    .include "tables/q0_from_1.inc"
    .else
q0:
    .include "tables/q0.inc"
    .endif
q1:
    .include "tables/q1.inc"
    .ifeq mds_tables-2
times_ef:
    .include "tables/ef.inc"
times_5b:
    .include "tables/5b.inc"
    .endif
    .ifeq mds_tables-1
half_table:
    .include "tables/half.inc"
    .endif

    .area CIPHER
    .include "h.asm"
    .include "mds.asm"
    .include "words.asm"
    .ifeq one_h
    .include "h_inline.asm"
    .else
    .include "h_called.asm"
    .endif

; plus - A = A + a byte, which is byte j of a word: with the carry but for the lowest
;   in     A, C
;   out    A, C
;   RAM    none
;   cost   none is stated: 2 bytes, 3 clocks
;   time   constant
    .macro plus j,byte
    .ifeq j
    add *byte
    .else
    adc *byte
    .endif
    .endm

; next_index, last_index - A = index + 2, index - 2, which is stored
    .macro next_index
    lda *index
    add #2
    sta *index
    .endm
    .macro last_index
    lda *index
    sub #2
    sta *index
    .endm

; whiten_words - adds K_even and K_odd to the words Ra and Rb [Twofish98, 4]
;   in     K_even, K_odd; Rb stands after Ra
;   out    Ra, Rb; A and X are lost
;   RAM    these
;   cost   48 bytes (fly_2tables)
;   cost   11 bytes (fly_2tables_short)
;   time   constant
    .ifeq whitening_loop
    .macro whiten_words Ra
    .irp j,0,1,2,3,4,5,6,7
    lda *K_even+j
    eor *Ra+j
    sta *Ra+j
    .endm
    .endm
    .else
    .macro whiten_words Ra,?again
    ldx #7
again:
    lda *K_even,x
    eor *Ra,x
    sta *Ra,x
    decx
    bpl again
    .endm
    .endif

; exchange - exchanges the halves of the text: the last round undoes its swap [Twofish98, 4]
;   in     the text
;   out    the text; A and X are lost
;   RAM    the text, y0
;   cost   64 bytes (fly_2tables)
;   cost   17 bytes (fly_2tables_short)
;   time   constant
    .ifeq exchange_loop
    .macro exchange
    .irp j,0,1,2,3,4,5,6,7
    lda *R0+j
    ldx *R2+j
    stx *R0+j
    sta *R2+j
    .endm
    .endm
    .else
    .macro exchange ?again
    ldx #7
again:
    lda *R0,x
    sta *y0
    lda *R2,x
    sta *R0,x
    lda *y0
    sta *R2,x
    decx
    bpl again
    .endm
    .endif

; twofish_encrypt, twofish_decrypt - one block [Twofish98, 4]
;   in     twofish_text, twofish_key, twofish_s
;   out    twofish_text; A and X are lost
;   RAM    text, K_even, K_odd, y, T1, index, saved and FF; no stack
;   cost   19 bytes, 22,909 clocks (fly_2tables)
;   cost   19 bytes, 22,093 clocks (fly_unrolled)
;   time   constant with MDS tables
twofish_encrypt:
    lda #K_0
    .ifne decrypt
    bra begin
twofish_decrypt:
    lda #K_4+decrypting
begin:
    .endif
    .ifeq one_h
    ldx *q0
    stx *saved
    ldx #q0_of_0
    stx *q0
    .endif
set_index:
    sta *index
    .ifne decrypt
    and #0xFF-decrypting
    .endif
    tax

; subkeys - K_2i and K_2i+1 [Twofish98, 4.3.4], then goes on as index says
;   in     index, also in X, but there without the direction
;   out    K_even, K_odd; A, X, C are lost
;   RAM    y, s, q0_of_index, q1_of_index
;   cost   418 bytes (fly_2tables)
;   time   constant with MDS tables
subkeys:
    subkey_words

    brset #5,*index,round
    brset #1,*index,whiten_second
    whiten_words R0
    next_index
    jmp set_index
whiten_second:
    whiten_words R2
    jmp whitened

    .ifeq two_rounds
    .include "fly_one_round.asm"
    .else
    .include "fly_two_rounds.asm"
    .endif

    .area SET_KEY
    .ifeq host
    .ifeq one_h
twofish_set_key:
    .include "rs.asm"
    .else
twofish_set_key:
    bsr twofish_rs
    reverse_S
    rts
    .include "rs.asm"
    .endif
    .endif
