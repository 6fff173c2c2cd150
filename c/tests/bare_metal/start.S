/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From a boot loader (Multiboot, 32-bit protected mode) to main() in 64-bit mode, with all vector
 * registers switched on, as a system does it [IntelSDM, 3, 10.8.5 and 13.2]. Then the end of the emulator.
 */
#define MULTIBOOT 0x1BADB002

        .section .multiboot, "a"
        .align 4
        .long MULTIBOOT, 0, -MULTIBOOT

        .bss
        .align 4096
level_4: .skip 4096
level_3: .skip 4096
level_2: .skip 4096
        .skip 65536
stack:

        .data
        .align 8
gdt:    .quad 0
        .quad 0x00AF9A000000FFFF        /* code of 64 bits */
        .quad 0x00CF92000000FFFF        /* data */
gdt_end:
gdt_pointer:
        .word gdt_end - gdt - 1
        .long gdt

        .text
        .code32
        .globl start
start:
        /* The first gigabyte where it is, in pages of 2 MiB. */
        movl    $level_3 + 3, level_4
        movl    $level_2 + 3, level_3
        movl    $0x83, %eax
        xorl    %ecx, %ecx
1:      movl    %eax, level_2(, %ecx, 8)
        addl    $0x200000, %eax
        incl    %ecx
        cmpl    $512, %ecx
        jne     1b
        movl    $level_4, %eax
        movl    %eax, %cr3
        movl    %cr4, %eax
        orl     $0x40620, %eax          /* PAE, OSFXSR, OSXMMEXCPT, OSXSAVE */
        movl    %eax, %cr4
        movl    $0xC0000080, %ecx       /* EFER */
        rdmsr
        orl     $0x100, %eax            /* LME */
        wrmsr
        movl    %cr0, %eax
        andl    $0xFFFFFFFB, %eax       /* no EM */
        orl     $0x80000002, %eax       /* PG, MP */
        movl    %eax, %cr0
        lgdt    gdt_pointer
        ljmp    $8, $in_64_bits

        .code64
in_64_bits:
        movl    $16, %eax
        movl    %eax, %ds
        movl    %eax, %es
        movl    %eax, %ss
        movl    $stack, %esp
        xorl    %ecx, %ecx
        xorl    %edx, %edx
        movl    $0xE7, %eax             /* x87, SSE, AVX, AVX-512 */
        xsetbv
        call    main
        /* Bochs ends when it sees this word at this port. */
        movl    $shutdown, %esi
        movw    $0x8900, %dx
        movl    $8, %ecx
        rep     outsb
1:      hlt
        jmp     1b

        .section .rodata
shutdown: .ascii "Shutdown"

        .section .note.GNU-stack, "", @progbits
