; SPDX-License-Identifier: Apache-2.0 OR MIT
; DES, for des.S: a block is one pass of 16 rounds, under one key.

; next_pass - what comes after 16 rounds and before the inverse of IP
.macro next_pass
.endm
