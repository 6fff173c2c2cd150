; SPDX-License-Identifier: Apache-2.0 OR MIT
; Words in RAM rotated by one bit.

; rol_word - a word rotated to the left
;   in     a word in RAM
;   out    the same word; the carry is lost
;   RAM    none
;   cost   11 bytes
;   time   constant: 25 clocks
    .macro rol_word word
    brset #7,*word+3,.+3        ; for the carry only, which becomes the highest bit
    rol *word
    rol *word+1
    rol *word+2
    rol *word+3
    .endm

; ror_word - a word rotated to the right
;   in     a word in RAM
;   out    the same word; the carry is lost
;   RAM    none
;   cost   11 bytes
;   time   constant: 25 clocks
    .macro ror_word word
    brset #0,*word,.+3          ; for the carry only, which becomes the highest bit
    ror *word+3
    ror *word+2
    ror *word+1
    ror *word
    .endm
