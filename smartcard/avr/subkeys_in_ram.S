; SPDX-License-Identifier: Apache-2.0 OR MIT
; What is in RAM when subkeys are stored: S-boxes if the program has them, subkeys, the key and S.

    .section .bss.twofish, "aw", @nobits
    .balign 256                 ; pointers to these stay in one page; a page for each S-box
    .global twofish_key, twofish_s, twofish_memory
twofish_memory:
#ifdef S_BOXES_IN_RAM
s_boxes:
    .space  4 * 256
#endif
subkeys:
    .space  160
twofish_key:
    .space  key_bytes
; The words of S lie 8 bytes apart, as those of the key that h takes.
twofish_s:
    .space  key_bytes - 4
    .global twofish_s1, twofish_s2, twofish_s3
    .equ    twofish_s1, twofish_s + 8
    .equ    twofish_s2, twofish_s + 16
    .equ    twofish_s3, twofish_s + 24
