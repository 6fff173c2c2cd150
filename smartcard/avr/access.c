/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Opens an AVR, and decodes the instructions that use memory, calls and returns. */
#include "access.h"

#include <stddef.h>

avr_t *avr_open(void)
{
    avr_t *avr = avr_make_mcu_by_name("atmega328p");
    if (avr == NULL || avr_init(avr) != 0) {
        return NULL;
    }
    avr->codeend = FLASH_BYTES;
    return avr;
}

static unsigned flash_word(const avr_t *avr, uint32_t address)
{
    const uint8_t *flash = &avr->flash[address % FLASH_BYTES];
    return flash[0] | (unsigned)flash[1] << 8;
}

uint32_t avr_pointer(const avr_t *avr, unsigned low)
{
    return avr->data[low] | (uint32_t)avr->data[low + 1] << 8;
}

static struct access memory(uint32_t address)
{
    return (struct access){MEMORY, address};
}

/* LD, ST, LDS, STS, LPM, PUSH, POP: 1001 00sd dddd mmmm, s set where it stores. */
static struct access indirect(const avr_t *avr, unsigned opcode)
{
    uint32_t sp = avr_pointer(avr, R_SPL);
    switch (opcode & 15) {
    case 0x0:
        return memory(flash_word(avr, avr->pc + 2));
    case 0x1:
        return memory(avr_pointer(avr, R_ZL));
    case 0x2:
        return memory(avr_pointer(avr, R_ZL) - 1);
    case 0x4:
    case 0x5:
        return (struct access){FLASH, avr_pointer(avr, R_ZL)};
    case 0x9:
        return memory(avr_pointer(avr, R_YL));
    case 0xA:
        return memory(avr_pointer(avr, R_YL) - 1);
    case 0xC:
    case 0xD:
        return memory(avr_pointer(avr, R_XL));
    case 0xE:
        return memory(avr_pointer(avr, R_XL) - 1);
    case 0xF:
        return memory(opcode & 0x200 ? sp : sp + 1);
    default:
        return (struct access){0};
    }
}

/* LDD, STD: 10q0 qqsd dddd yqqq. */
static struct access displaced(const avr_t *avr, unsigned opcode)
{
    unsigned q = (opcode & 7) | (opcode >> 7 & 0x18) | (opcode >> 8 & 0x20);
    return memory(avr_pointer(avr, opcode & 8 ? R_YL : R_ZL) + q);
}

static struct access call_of(const avr_t *avr, unsigned opcode)
{
    if ((opcode & 0xF000) == 0xD000) { /* RCALL, 12 bits signed */
        uint32_t distance = (opcode & 0xFFF) ^ 0x800;
        return (struct access){CALL, (avr->pc + 2 + 2 * (distance - 0x800)) % FLASH_BYTES};
    }
    if (opcode == 0x9509) { /* ICALL */
        return (struct access){CALL, 2 * avr_pointer(avr, R_ZL) % FLASH_BYTES};
    }
    return (struct access){CALL, 2 * flash_word(avr, avr->pc + 2) % FLASH_BYTES};
}

struct access next_access(const avr_t *avr)
{
    unsigned opcode = flash_word(avr, avr->pc);
    if ((opcode & 0xFC00) == 0x9000) {
        return indirect(avr, opcode);
    }
    if ((opcode & 0xD000) == 0x8000) {
        return displaced(avr, opcode);
    }
    if ((opcode & 0xF000) == 0xD000 || opcode == 0x9509 || (opcode & 0xFE0E) == 0x940E) {
        return call_of(avr, opcode);
    }
    if (opcode == 0x9508) {
        return (struct access){RETURN, 0};
    }
    if (opcode == 0x95C8) { /* LPM without operands */
        return (struct access){FLASH, avr_pointer(avr, R_ZL)};
    }
    return (struct access){0};
}
