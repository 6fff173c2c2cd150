; SPDX-License-Identifier: Apache-2.0 OR MIT
;
; Tables in ROM, each a page. SETUP_TABLES are those that set_key alone needs.

.if prepared
        .segment "SETUP_TABLES"
.else
        .segment "TABLES"
.endif
q0:     .include "tables/q0.inc"
q1:     .include "tables/q1.inc"

        .segment "TABLES"
.if mds_tables = 2 && full = 0
times_EF:
        .include "tables/ef.inc"
times_5B:
        .include "tables/5b.inc"
.endif
.if mds_tables = 1 && full = 0
halves: .include "tables/half.inc"
.endif

; Which q stands at which level of byte j of h: bit 4 level + j, level 0 is the outermost
; [Twofish98, 4.3.2].
Q_ORDER = $93AC5

; q - A = the q of level and byte j, of what X + offset or Y is
;   time   4 clocks
.macro q level, j, offset, index
        lda q0 + $100 * ((Q_ORDER >> (4 * (level) + (j))) & 1) + offset, index
.endmacro
