/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * memcpy and its relatives, as the C standard has them. Compilers make small copies of known size
 * of loads and stores; what is left for these is long, or short and of a size known only when it
 * runs.
 */
#include <stdint.h>
#include <string.h>

/* Eight bytes at any address. */
typedef uint64_t __attribute__((aligned(1), may_alias)) word;

void *(memcpy)(void *restrict to, const void *restrict from, size_t n_bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (; n_bytes >= sizeof(word); n_bytes -= sizeof(word)) {
        *(word *)t = *(const word *)f;
        t += sizeof(word);
        f += sizeof(word);
    }
    while (n_bytes-- > 0) {
        *t++ = *f++;
    }
    return to;
}

void *(memmove)(void *to, const void *from, size_t n_bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((uintptr_t)t <= (uintptr_t)f) {
        while (n_bytes-- > 0) {
            *t++ = *f++;
        }
    } else {
        while (n_bytes-- > 0) {
            t[n_bytes] = f[n_bytes];
        }
    }
    return to;
}

void *(memset)(void *to, int value, size_t n_bytes)
{
    unsigned char *t = to;
    const word words = 0x0101010101010101 * (unsigned char)value;
    for (; n_bytes >= sizeof(word); n_bytes -= sizeof(word)) {
        *(word *)t = words;
        t += sizeof(word);
    }
    while (n_bytes-- > 0) {
        *t++ = (unsigned char)value;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t n_bytes)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    for (size_t i = 0; i < n_bytes; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}
