; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Twofish for the 6502: the top, which includes the parts. A program is a few lines for ca65:
;
;   key_bits   = 128     ; 128, 192 or 256
;   memory     = 0       ; key memory besides key and S: 0: subkeys are made on the fly; 160: they are
;                        ; stored; 1184: S-boxes are stored too; 3232: S-boxes times MDS. [TR3, Table 3]
;   mds_tables = 2       ; ROM tables for MDS: 2 (EF and 5B), 1 (half) or 0 (shifts)
;   small      = 0       ; 1: one routine h, the least ROM; with memory = 0 and without tables for MDS
;   unrolled   = 0       ; 1: two rounds one after the other, which need no swaps; not if small
;   one_g      = 0       ; 1: one routine g for both words of a round; with memory, not if unrolled
;   fast_whitening = 0   ; 1: without a loop or what rounds need
;   encrypt    = 1       ; 0: without, and so with decrypt
;   decrypt    = 1
;   padding    = 0       ; bytes before the code; as many as keep the branches within a page
;   .include "twofish.s"
;
; X is the index of the subkeys of a round and lives through all of it. Y is the index into tables; they
; begin at pages, so a look-up always takes 4 clocks. There is no cache, no branch on data but balanced
; ones (mds.s), so time is constant. Decimal mode is off when routines are called; A, X and Y are lost.

        .setcpu "6502"

k = key_bits / 64
stored = memory > 0             ; subkeys
prepared = memory > 160         ; S-boxes
full = memory > 1184            ; S-boxes times MDS

        .include "ram.s"
        .include "tables.s"
        .include "words.s"
        .include "mds.s"
        .include "g.s"

        .segment "CIPHER"
        .res padding

.if small
        .include "small.s"
.elseif stored
        .include "round.s"
        .include "stored.s"
        .include "expand.s"
.else
        .include "fly.s"
        .include "round.s"
.endif
        .include "cipher.s"
        .include "rs.s"
