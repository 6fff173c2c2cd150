; SPDX-License-Identifier: Apache-2.0 OR MIT
; The registers that avr-gcc expects a function to keep.

; push_kept - what the caller wants to find again
.macro push_kept
.irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push    r\i
.endr
.endm

; pop_kept - and gets back
.macro pop_kept
.irp i, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop     r\i
.endr
.endm
