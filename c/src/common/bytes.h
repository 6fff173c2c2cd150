/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bytes and words: little-endian access at any alignment, rotations, XOR of byte strings, the
 * test for buffers that overlap, and linear maps of a byte. Knows no cipher.
 */
#ifndef MF_SRC_COMMON_BYTES_H
#define MF_SRC_COMMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(MF_SMALL)
#define MF_INLINE static inline __attribute__((always_inline))
#else
#define MF_INLINE static inline
#endif

/* Of a table that vector units load whole: no load crosses from one line of the cache to the next.
 * It may be read by words elsewhere, too. */
#if defined(__x86_64__) || defined(__aarch64__)
#define MF_ALIGNED_TO_LINE _Alignas(64)
#else
#define MF_ALIGNED_TO_LINE _Alignas(uint32_t)
#endif

/* The word itself where the machine is little-endian, else its bytes in reverse: so a word goes to
 * memory in one store. Spelled with shifts, gcc stores four bytes, and a load of the word right
 * after them has to wait: 30 cycles a block in serial modes. */
MF_INLINE uint32_t mf_le32(uint32_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return x;
#else
    const uint8_t bytes[4] = {(uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16),
                              (uint8_t)(x >> 24)};
    memcpy(&x, bytes, 4);
    return x;
#endif
}

MF_INLINE uint32_t mf_load32_le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

MF_INLINE void mf_store32_le(uint8_t *p, uint32_t x)
{
    x = mf_le32(x);
    memcpy(p, &x, 4);
}

/* Written out, so that compilers see one load or store and a byte swap. */
MF_INLINE uint64_t mf_load64_be(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | (uint64_t)p[7];
}

MF_INLINE void mf_store64_be(uint8_t *p, uint64_t x)
{
    p[0] = (uint8_t)(x >> 56);
    p[1] = (uint8_t)(x >> 48);
    p[2] = (uint8_t)(x >> 40);
    p[3] = (uint8_t)(x >> 32);
    p[4] = (uint8_t)(x >> 24);
    p[5] = (uint8_t)(x >> 16);
    p[6] = (uint8_t)(x >> 8);
    p[7] = (uint8_t)x;
}

/* Byte i of a word as the paper counts them: byte 0 is the least significant. A word, not a
 * uint8_t: as an index that spares gcc a sign extension. */
MF_INLINE uint32_t mf_byte(uint32_t x, unsigned i)
{
    return x >> (8 * i) & 0xFF;
}

/* n must be 1 to 31. */
MF_INLINE uint32_t mf_rotl32(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

MF_INLINE uint32_t mf_rotr32(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* x, but the compiler does not know that: what is computed with it later is not mixed with what x
 * was computed from, and so happens in the order written. Changes speed only. */
MF_INLINE uint32_t mf_opaque(uint32_t x)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(x));
#endif
    return x;
}

/* The same for 64 bits, where a register has them. */
MF_INLINE uint64_t mf_opaque64(uint64_t x)
{
#if (defined(__GNUC__) || defined(__clang__)) && UINTPTR_MAX > 0xFFFFFFFF
    __asm__("" : "+r"(x));
#endif
    return x;
}

/* The same for an address. Tables behind it are reached by one register, where compilers would take
 * one for each table. */
MF_INLINE const void *mf_opaque_pointer(const void *p)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(p));
#endif
    return p;
}

MF_INLINE void mf_xor_8(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    uint64_t x;
    uint64_t y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    x ^= y;
    memcpy(out, &x, 8);
}

/* In a vector register where the target surely has one: elsewhere compilers would take the stack
 * for it, and leave the data there. */
MF_INLINE void mf_xor_16(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__SSE2__) || defined(__aarch64__))
    uint64_t x __attribute__((vector_size(16)));
    uint64_t y __attribute__((vector_size(16)));
    memcpy(&x, a, 16);
    memcpy(&y, b, 16);
    x ^= y;
    memcpy(out, &x, 16);
#else
    mf_xor_8(out, a, b);
    mf_xor_8(out + 8, a + 8, b + 8);
#endif
}

/* out = a ^ b, n_bytes bytes; out may be a or b. 60 cycles for 1 KiB, where words of 64 bits take
 * gcc 190. */
MF_INLINE void mf_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t n_bytes)
{
    for (; n_bytes >= 64; n_bytes -= 64, out += 64, a += 64, b += 64) {
        mf_xor_16(out, a, b);
        mf_xor_16(out + 16, a + 16, b + 16);
        mf_xor_16(out + 32, a + 32, b + 32);
        mf_xor_16(out + 48, a + 48, b + 48);
    }
    for (; n_bytes >= 16; n_bytes -= 16, out += 16, a += 16, b += 16) {
        mf_xor_16(out, a, b);
    }
    if (n_bytes >= 8) {
        mf_xor_8(out, a, b);
        n_bytes -= 8;
        out += 8;
        a += 8;
        b += 8;
    }
    for (size_t i = 0; i < n_bytes; i++) {
        out[i] = (uint8_t)(a[i] ^ b[i]);
    }
}

/* True if two ranges of n_bytes share a byte without being the same range. */
MF_INLINE bool mf_overlap_partly(const void *a, const void *b, size_t n_bytes)
{
    const uintptr_t x = (uintptr_t)a;
    const uintptr_t y = (uintptr_t)b;
    return x != y && (x < y ? y - x : x - y) < n_bytes;
}

/* True if the ranges share a byte. */
MF_INLINE bool mf_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t x = (uintptr_t)a;
    const uintptr_t y = (uintptr_t)b;
    return x < y ? y - x < a_bytes && b_bytes > 0 : x - y < b_bytes && a_bytes > 0;
}

/* A map of bytes that is linear over GF(2), in the two forms in which vector units apply it. */
typedef struct mf_byte_map {
    uint64_t matrix;  /* as GF2P8AFFINEQB takes it: byte 7 - i has the input bits of output bit i */
    uint8_t low[16];  /* the image of each low nibble, */
    uint8_t high[16]; /* and of each high one: the map is the XOR of both */
} mf_byte_map;

#endif
