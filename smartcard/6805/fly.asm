; SPDX-License-Identifier: Apache-2.0 OR MIT
; The cipher that keeps no subkeys: every round makes its two again [TR3, 3.1]. It keeps key and S, and
; with sboxes_stored the S-boxes. A block takes 36 bytes of RAM besides these, the caller's return
; address included, and no other stack but with one_h.
;
;   one_h            0: h is written out where it is needed. 1: it is a routine; for one round and
;                    fewer MDS tables than two
;   sboxes_stored    1: the S-boxes of g are in memory, and twofish_set_key makes them; for two MDS
;                    tables. 0: g makes them of q and S
;   two_rounds       0: the loop has one round and exchanges the halves of the text. 1: it has two
;                    rounds, which need no exchange
;   shared_rows      of two rounds: 1: both use the same code for MDS. 0: each has its own
;   whitening_loop   1: a loop adds subkeys to the text. 0: straight code
;   exchange_loop    the same of the exchange of halves that encryption ends with
;
; There are no calls: all goes to subkeys_of with an index in A, which says where to go on. It counts
; the subkeys from index_base, so that it is 0 after K_38 and its bit 5 tells the rounds (E0 .. FE)
; from whitening (D8 .. DE). Of whitening bit 1 tells the half of the text, bit 2 K_4 to K_7
; from K_0 to K_3. The lowest bit is the direction.
index_base = 216
K_0 = index_base
K_4 = index_base+4
K_8 = index_base+8
K_38 = index_base+38
decrypting = 1
twofish_s_step == 8
key_far = 0
key_indexed = one_h

; S = S_0, S_1, .. as twofish_rs leaves it: between are 4 bytes of work each, and RS takes the
; first bytes of the text as well. In a program that has key and S in EEPROM nothing is between. The
; second half of the text begins at 80, so that loops end by the sign of X.
text_at = 0x78
    .area RAM
    .ifne eeprom
    .org 0x20                ; EEPROM; what a host writes there
twofish_s: .ds key_bits/8
twofish_s1 = twofish_s+8
twofish_s2 = twofish_s+16
twofish_s3 = twofish_s+24
twofish_key: .ds key_bits/8
    .org text_at-8
    .else
    .org text_at-key_bits/8
twofish_s: .ds 4
    .endif
    .ifeq one_h
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
    .else
T1: .ds 2                    ; what h makes, the second half in the place of y2 and y3
y2: .ds 1
y3: .ds 1
twofish_s1: .ds 4
y0: .ds 1
y1: .ds 1
index: .ds 1
L_offset: .ds 1              ; which L h takes: from twofish_s on
    .endif
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
    .ifeq eeprom
twofish_key: .ds key_bits/8
    .endif
K_even: .ds 4                ; K_2i
K_odd: .ds 4                 ; B, then K_2i+1; then T1 + K_2i+1
    .ifeq one_h
index: .ds 1
saved: .ds 1                 ; what RAM held at FF
    .endif
    .ifne rs_constant
rs_w = K_even
rs_w_half = K_even+1
    .endif
rs_g2 = K_even+2
rs_g3 = K_even+3

; g takes S the other way round: L_0 is S_(k-1). h as a routine wants S as it wants the key, so that
; twofish_set_key turns it round.
    .ifeq one_h
S_last = twofish_s+key_bits/8-8
S_step = -8
    .else
S_last = twofish_s
S_step = 8
    .endif

    .ifne sboxes_stored
far_ram = 0x1000
twofish_sboxes = far_ram
far_ram_end = far_ram+0x400
    .endif

    .area TABLES
    .ifeq one_h
q0 = 0xFF                       ; q0_at_FF.asm says why
    .include "tables/q0_from_1.inc"
    .else
q0:
    .include "tables/q0.inc"
    .endif
q1:
    .include "tables/q1.inc"
    .include "mds_tables.asm"

    .area CIPHER
    .include "h.asm"
    .include "mds.asm"
    .include "words.asm"
    .ifeq one_h
    .include "q0_at_FF.asm"
    .ifne sboxes_stored
    .include "stored_sboxes.asm"
    .endif
    .include "h_inline.asm"
    .else
    .include "h_called.asm"
    .endif

; plus - A = A + a byte, which is byte j of a word: with the carry but for the lowest
;   in     A, C
;   out    A, C
;   RAM    none
;   cost   2 bytes (fly_2tables)
;   time   constant: 3 clocks
    .macro plus j,byte
    .ifeq j
    add *byte
    .else
    adc *byte
    .endif
    .endm

; rol_K_odd - what is left of K_2i+1 = ROL(A + 2B, 9), whose bytes are in their places: one bit
;   in     K_odd, A = K_odd+0
;   out    K_odd; A and C are lost
;   RAM    K_odd
;   cost   9 bytes (fly_2tables, fly_one_h)
;   time   constant: 23 clocks
    .macro rol_K_odd
    lsla
    rol *K_odd+1
    rol *K_odd+2
    rol *K_odd+3
    rol *K_odd+0
    .endm

; whiten - adds K_even and K_odd to a half of the text [Twofish98, 4]
;   in     K_even, K_odd; half: 0 (R0 and R1) or 1
;   out    the text; A and X are lost
;   RAM    these
;   cost   48 bytes (fly_1table)
;   cost   9 bytes (fly_small)
;   time   constant
    .ifeq whitening_loop
    .macro whiten_byte half,j
    lda *K_even+j
    eor *R0+8*half+j
    sta *R0+8*half+j
    .endm
    .macro whiten half
    whiten_byte half,0
    whiten_byte half,1
    whiten_byte half,2
    whiten_byte half,3
    whiten_byte half,4
    whiten_byte half,5
    whiten_byte half,6
    whiten_byte half,7
    .endm
    .else
    .macro whiten half,?again
    .ifeq half
    ldx #text_at
again:
    lda *K_even-text_at,x
    eor ,x
    sta ,x
    incx
    bpl again
    .else
    ldx #text_at+15
again:
    lda *K_even-text_at-8,x
    eor ,x
    sta ,x
    decx
    bmi again
    .endif
    .endm
    .endif

; exchange - exchanges the halves of the text: the last round undoes its swap [Twofish98, 4]
;   in     the text
;   out    the text; A and X are lost
;   RAM    the text, y0
;   cost   64 bytes (fly_1table)
;   cost   15 bytes (fly_small)
;   time   constant
    .ifeq exchange_loop
    .macro exchange_byte j
    lda *R0+j
    ldx *R2+j
    stx *R0+j
    sta *R2+j
    .endm
    .macro exchange
    exchange_byte 0
    exchange_byte 1
    exchange_byte 2
    exchange_byte 3
    exchange_byte 4
    exchange_byte 5
    exchange_byte 6
    exchange_byte 7
    .endm
    .else
    .macro exchange ?again
    ldx #text_at
again:
    lda ,x
    sta *y0
    lda *8,x
    sta ,x
    lda *y0
    sta *8,x
    incx
    bpl again
    .endm
    .endif

; twofish_encrypt, twofish_decrypt - one block [Twofish98, 4]
;   in     twofish_text, twofish_key, twofish_s
;   out    twofish_text; A and X are lost
;   RAM    text, K_even, K_odd, y, T1, index, saved and FF; no stack
;   cost   19 bytes, 22,651 clocks (fly_2tables)
;   cost   19 bytes, 24,221 clocks (fly_1table)
;   cost   19 bytes, 25,207 clocks (fly_small)
;   cost   19 bytes, 22,113 clocks (fly_unrolled)
;   time   constant (fly_1table*, fly_2tables*, fly_eeprom*, fly_rs_tables, fly_sboxes, fly_small*, fly_unrolled)
twofish_encrypt:
    lda #K_0
    .ifne decrypt
    bra begin
twofish_decrypt:
    lda #K_4+decrypting
begin:
    .endif
    .ifeq one_h
    q0_to_FF
    .endif
subkeys_of:
    sta *index
    .ifne decrypt
    and #0xFF-decrypting
    .endif
    tax

; subkeys - K_2i and K_2i+1 [Twofish98, 4.3.4], then goes on as index says
;   in     index; X: index without the direction
;   out    K_even, K_odd; A, X, C are lost
;   RAM    y, s, q0_of_index, q1_of_index
;   cost   338 bytes (fly_2tables)
;   time   constant with MDS tables
subkeys:
    subkey_words
    brset #5,*index,round
    brset #1,*index,second_half
    whiten 0
    lda *index
    add #2
    jmp subkeys_of
second_half:
    whiten 1
    jmp whitened

    .ifeq two_rounds
    .include "fly_one_round.asm"
    .else
    .include "fly_two_rounds.asm"
    .endif

    .area SET_KEY
    .ifeq host
    .ifne sboxes_stored
    .include "fly_expand_sboxes.asm"
    .include "rs.asm"
    .else
    .ifeq one_h
twofish_set_key:
    .ifeq rs_tables
    .include "rs.asm"
    .else
    .include "rs_tables.asm"
    .endif
    .else
twofish_set_key:
    bsr twofish_rs
    reverse_S
    rts
    .include "rs.asm"
    .endif
    .endif
    .endif
