; SPDX-License-Identifier: Apache-2.0 OR MIT
; The tables that mds.asm wants: EF and 5B, half, or none.

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
