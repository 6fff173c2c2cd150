; SPDX-License-Identifier: Apache-2.0 OR MIT
; Twofish on an AVR with 32 registers: the top, which includes the parts that a program is made of.
;
; What is built is said by lines name = value before this file is included (machines/avr.py):
;   key_bits     128, 192 or 256
;   decrypt      1: both directions, 0: encryption only
;   nibbles      1: q is computed from its permutations of 4 bits, 0: tables; with fly.S only
;   u_tables     1: q has two more tables for its last use, which spare MDS work (mds.S)
;
; and the macro KEPT names the file of the class, by what it keeps in RAM besides the key: fly.S
; (S), stored.S (S and subkeys), sboxes.S (subkeys and S-boxes).
;
; How all routines are called: the text is in the registers r0..r15, in and out, byte i in r(i);
; twofish_key has the key, which stays as it is. Every other register may be lost, none has to hold
; anything. c.S puts functions around them that C can call.
;
; Time depends on no data: there is no branch on any, and look-ups in flash (3 clocks) and in RAM (2)
; take the same time at each address.

    .equ __SREG__, 0x3F
    .equ twofish_text, 0        ; r0..r15 as addresses of data
    .equ key_bytes, key_bits / 8

#include "registers.S"
#include "tables.S"
#include "mds.S"

    .section .text.twofish_cipher, "ax", @progbits
#include KEPT
