/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernels and intrinsics on a machine without a system, which is an emulated one:
 * scripts/test-avx512. Results go to the serial port, a line a kernel and the sums.
 */
#include "intrinsics.h"

#include <manyfish/twofish.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "common/cpu.h"

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, MAX_BLOCKS = 100, N_RUNS = 20 };

static unsigned n_passed, n_failed, n_skipped;

/* --- In place of the system's library --------------------------------------------------------- */

void *memset(void *to, int value, size_t n_bytes)
{
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(n_bytes) : "a"(value) : "memory");
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n_bytes)
{
    void *at = to;
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(n_bytes) : : "memory");
    return to;
}

void *memmove(void *to, const void *from, size_t n_bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f) {
        return memcpy(to, from, n_bytes);
    }
    for (volatile size_t i = n_bytes; i > 0; i--) {
        t[i - 1] = f[i - 1];
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t n_bytes)
{
    const volatile unsigned char *x = a;
    const volatile unsigned char *y = b;
    for (size_t i = 0; i < n_bytes; i++) {
        if (x[i] != y[i]) {
            return x[i] - y[i];
        }
    }
    return 0;
}

int strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

char *getenv(const char *name)
{
    (void)name;
    return NULL;
}

unsigned long getauxval(unsigned long type)
{
    (void)type;
    return 0;
}

/* The first serial port, a 16550: its registers are at these distances. */
enum { SERIAL_PORT = 0x3F8, DATA = 0, LINE_CONTROL = 3, LINE_STATUS = 5 };

static void write_register(unsigned short which, unsigned char value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "d"((unsigned short)(SERIAL_PORT + which)));
}

static bool may_send(void)
{
    unsigned char status;
    __asm__ volatile("inb %1, %0"
                     : "=a"(status)
                     : "d"((unsigned short)(SERIAL_PORT + LINE_STATUS)));
    return (status & 0x20) != 0;
}

/* 115,200 bits a second: the divisor is 1, behind bit 7 of the line control. */
static void open_serial(void)
{
    write_register(LINE_CONTROL, 0x80);
    write_register(DATA, 1);
    write_register(DATA + 1, 0);
    write_register(LINE_CONTROL, 3);
}

static void print(const char *text)
{
    for (; *text != '\0'; text++) {
        while (!may_send()) {
        }
        write_register(DATA, (unsigned char)*text);
    }
}

static void print_number(unsigned n)
{
    char digits[12];
    char *d = digits + sizeof digits - 1;

    *d = '\0';
    do {
        *--d = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    print(d);
}

/* --- Tests ------------------------------------------------------------------------------------ */

/* [Steele, Lea, Flood 2014] */
static void random_bytes(void *out, size_t n_bytes)
{
    static uint64_t state;
    unsigned char *bytes = out;

    for (size_t i = 0; i < n_bytes; i++) {
        uint64_t z = state += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        bytes[i] = (unsigned char)(z ^ z >> 31);
    }
}

static void count(bool passed, const char *what, const char *name)
{
    if (passed) {
        n_passed++;
    } else {
        n_failed++;
        print("failed: ");
        print(what);
        print(" ");
        print(name);
        print("\n");
    }
}

static bool equals_zero(const mf_twofish *tested, const mf_twofish *zero, size_t n_blocks)
{
    static unsigned char text[MAX_BLOCKS * BLOCK], found[sizeof text], expected[sizeof text];

    random_bytes(text, n_blocks * BLOCK);
    return mf_twofish_encrypt_blocks(tested, found, text, n_blocks) == MF_OK &&
           mf_twofish_encrypt_blocks(zero, expected, text, n_blocks) == MF_OK &&
           memcmp(found, expected, n_blocks * BLOCK) == 0 &&
           mf_twofish_decrypt_blocks(tested, found, found, n_blocks) == MF_OK &&
           memcmp(found, text, n_blocks * BLOCK) == 0;
}

static void test_kernel(const char *name)
{
    static mf_twofish tested, zero;

    print("kernel ");
    print(name);
    print("\n");
    count(mf_twofish_selftest(name) == MF_OK, "self-test of", name);
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
        unsigned char key[32];

        random_bytes(key, sizeof key);
        count(mf_twofish_init_kernel(&tested, name, key, key_bytes) == MF_OK &&
                  mf_twofish_init_kernel(&zero, "zero", key, key_bytes) == MF_OK,
              "key of", name);
        for (size_t n_blocks = 1; n_blocks <= MAX_BLOCKS; n_blocks++) {
            count(equals_zero(&tested, &zero, n_blocks), "blocks of", name);
        }
    }
}

static void test_kernels(void)
{
    mf_kernel_info info;

    for (size_t i = 0; mf_twofish_kernel_info(i, &info) == MF_OK; i++) {
        if (info.runnable && info.constant_time) {
            test_kernel(info.name);
        } else if (!info.runnable) {
            n_skipped++;
            print("skipped: this machine cannot run ");
            print(info.name);
            print("\n");
        }
    }
}

static void test_intrinsic(const intrinsic *real, const intrinsic *emulated)
{
    bool same = true;

    for (int run = 0; run < N_RUNS; run++) {
        uint8_t operands[3][INTRINSIC_BYTES];
        uint8_t expected[INTRINSIC_BYTES] = {0};
        uint8_t found[INTRINSIC_BYTES] = {0};

        random_bytes(operands, sizeof operands);
        real->run(expected, operands[0], operands[1], operands[2]);
        emulated->run(found, operands[0], operands[1], operands[2]);
        same = same && memcmp(found, expected, sizeof found) == 0;
    }
    count(same, "intrinsic", real->name);
}

int main(void)
{
    open_serial();
    for (size_t i = 0; real_intrinsics[i].name != NULL; i++) {
        if (mf_cpu_has(real_intrinsics[i].cpu_features)) {
            test_intrinsic(&real_intrinsics[i], &emulated_intrinsics[i]);
        } else {
            n_skipped++;
        }
    }
    test_kernels();
    print_number(n_passed);
    print(" passed, ");
    print_number(n_failed);
    print(" failed, ");
    print_number(n_skipped);
    print(" skipped\n");
    /* The output must arrive before the machine is switched off. */
    for (volatile unsigned i = 0; i < 1000000; i++) {
    }
    return 0;
}
