/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A saturated word through five rounds. Sets of 2^32 texts cost hours if each text is encrypted by
 * itself, so this file takes them in an order that saves work: g is a bijection, so T0 of the
 * second round takes all values too, and texts come in the order of the word that T0 is added to.
 * Then the second round needs no g, and the third one only a few look-ups. The fourth is computed
 * text by text. Of the fifth only a sum is asked for, which follows from the counts of its input
 * bytes.
 */
#include "lab.h"
#include "vector.h"

#include <manyfish/study/parts.h>

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, VALUES = 256, KEY_BYTES = 16, SUBKEYS = 10, FIRST_SUBKEY = 8 };

/* A key, and one set. Names of words are those of the left halves L1 to L5 of the rounds. */
typedef struct five_rounds {
    uint32_t table[LANES][VALUES];          /* g */
    uint32_t unmixed[LANES][VALUES];        /* the inverse of MDS, by bytes */
    uint8_t unboxed[LANES][VALUES][VALUES]; /* [j][y][k]: byte j of the X for which MDS^-1 of g(X)
                                               has there y plus the share of a low byte k */
    const lab_bytes *one;                   /* for each byte 256 bits, of which its own is set */
    uint32_t row[VALUES];                   /* the third round's g by the low byte of L3_1 */
    uint32_t K[SUBKEYS];
    uint32_t L1_0;
    uint32_t L2_1;
    uint32_t added;  /* to T0 in F0 of the second round */
    uint32_t more;   /* and in F1, less the same */
    uint32_t turned; /* L1_1 rotated, to which F1 is added */
} five_rounds;

static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

LAB_INLINE uint32_t rol(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

LAB_INLINE uint32_t look_up(const uint32_t (*table)[VALUES], uint32_t x)
{
    return table[0][x & 255] ^ table[1][x >> 8 & 255] ^ table[2][x >> 16 & 255] ^ table[3][x >> 24];
}

LAB_INLINE uint32_t g(const five_rounds *f, uint32_t x)
{
    return look_up(f->table, x);
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* inverse[i] is what MDS takes to bit i. */
static void invert_mds(uint32_t inverse[32])
{
    uint32_t product[32];
    for (unsigned i = 0; i < 32; i++) {
        inverse[i] = (uint32_t)1 << i;
        product[i] = mf_twofish_parts_mds(inverse[i]);
    }
    for (unsigned i = 0; i < 32; i++) {
        for (unsigned j = i + 1; (product[i] >> i & 1) == 0; j++) {
            product[i] ^= product[j];
            inverse[i] ^= inverse[j];
        }
        for (unsigned j = 0; j < 32; j++) {
            const uint32_t on = j != i ? 0 - (product[j] >> i & 1) : 0;
            product[j] ^= product[i] & on;
            inverse[j] ^= inverse[i] & on;
        }
    }
}

static void fill_unmixed(uint32_t unmixed[LANES][VALUES])
{
    uint32_t inverse[32];
    invert_mds(inverse);
    for (unsigned j = 0; j < LANES; j++) {
        for (unsigned x = 0; x < VALUES; x++) {
            unmixed[j][x] = 0;
            for (unsigned i = 0; i < 8; i++) {
                unmixed[j][x] ^= (x >> i & 1) * inverse[8 * j + i];
            }
        }
    }
}

static void fill_lane(five_rounds *f, unsigned lane, const uint8_t box[VALUES])
{
    uint8_t inverse[VALUES];
    for (unsigned x = 0; x < VALUES; x++) {
        f->table[lane][x] = mf_twofish_parts_mds((uint32_t)box[x] << 8 * lane);
        inverse[box[x]] = (uint8_t)x;
    }
    for (unsigned y = 0; y < VALUES; y++) {
        for (unsigned k = 0; k < VALUES; k++) {
            f->unboxed[lane][y][k] = inverse[y ^ (f->unmixed[0][k] >> 8 * lane & 255)];
        }
    }
}

static void fill_one(lab_bytes one[VALUES])
{
    memset(one, 0, VALUES * sizeof one[0]);
    for (unsigned x = 0; x < VALUES; x++) {
        one[x][x / 8] = (uint8_t)(1U << x % 8);
    }
}

static mf_status set_key(five_rounds *f, const uint8_t *key)
{
    uint32_t S[4];
    uint8_t box[LANES][VALUES];
    mf_status status = mf_twofish_parts_sbox_key(S, key, KEY_BYTES);
    if (status == MF_OK) {
        status = mf_twofish_parts_boxes(box, S, KEY_BYTES / 8);
    }
    if (status == MF_OK) {
        status = mf_twofish_parts_subkeys(f->K, FIRST_SUBKEY, SUBKEYS, key, KEY_BYTES);
    }
    if (status == MF_OK) {
        fill_unmixed(f->unmixed);
        for (unsigned lane = 0; lane < LANES; lane++) {
            fill_lane(f, lane, box[lane]);
        }
    }
    return status;
}

/* The first round, and of the second all but T0. */
static void set_text(five_rounds *f, const uint8_t *text)
{
    const uint32_t L1_1 = load32(text + 4), R3 = load32(text + 12);
    f->L1_0 = load32(text);
    f->L2_1 = rol(R3, 1) ^ (g(f, f->L1_0) + 2 * g(f, rol(L1_1, 8)) + f->K[1]);
    const uint32_t T1 = g(f, rol(f->L2_1, 8));
    f->added = T1 + f->K[2];
    f->more = T1 + f->K[3] - f->K[2];
    f->turned = rol(L1_1, 1);
    for (unsigned k = 0; k < VALUES; k++) {
        f->row[k] = f->table[1][k ^ (f->turned & 255)];
    }
}

/* --- 256 texts -------------------------------------------------------------------------------- */

/* L2_0 for T0 = t, t + 1, .. as far as the low byte carries nothing. */
LAB_INLINE void fill_L2(const five_rounds *f, uint32_t *L2_0, uint32_t t, unsigned n)
{
    const uint32_t y = look_up(f->unmixed, t & ~(uint32_t)255);
    const uint8_t *at0 = f->unboxed[0][y & 255] + (t & 255);
    const uint8_t *at1 = f->unboxed[1][y >> 8 & 255] + (t & 255);
    const uint8_t *at2 = f->unboxed[2][y >> 16 & 255] + (t & 255);
    const uint8_t *at3 = f->unboxed[3][y >> 24] + (t & 255);
    for (unsigned b = 0; b < n; b++) {
        L2_0[b] = (uint32_t)at0[b] | (uint32_t)at1[b] << 8 | (uint32_t)at2[b] << 16 |
                  (uint32_t)at3[b] << 24;
    }
}

/* g of L3_0 = w ^ b rotated: b moves byte 0, and its lowest bit byte 3. */
LAB_INLINE void fill_T0(const five_rounds *f, uint32_t T0[VALUES], uint32_t w)
{
    const uint32_t even = g(f, w) ^ f->table[0][w & 255];
    const uint32_t change = f->table[3][w >> 24] ^ f->table[3][w >> 24 ^ 128];
    for (size_t h = 0; h < VALUES / 2; h++) {
        const uint32_t T = f->table[0][(w & 255) ^ h] ^ even;
        T0[2 * h] = T;
        T0[2 * h + 1] = T ^ change;
    }
}

/* g of L3_1 = turned ^ s, turned ^ (s + 1), .. rotated, as far as the low byte carries nothing. */
LAB_INLINE void fill_T1(const five_rounds *f, uint32_t *T1, uint32_t s, unsigned n)
{
    const uint32_t x = f->turned ^ s;
    const uint32_t high = g(f, rol(x, 8)) ^ f->table[1][x & 255];
    const uint32_t *row = f->row + (s & 255);
    for (unsigned b = 0; b < n; b++) {
        T1[b] = row[b] ^ high;
    }
}

LAB_INLINE void fill_g(const five_rounds *f, uint32_t T0[VALUES], uint32_t T1[VALUES],
                       uint32_t (*left)[VALUES])
{
    for (unsigned b = 0; b < VALUES; b++) {
        const uint32_t x = left[0][b], y = left[1][b];
        T0[b] = g(f, x);
        T1[b] = f->table[1][y & 255] ^ f->table[2][y >> 8 & 255] ^ f->table[3][y >> 16 & 255] ^
                f->table[0][y >> 24];
    }
}

LAB_INLINE void mix(uint32_t right[2][VALUES], const uint32_t T0[VALUES], const uint32_t T1[VALUES],
                    const uint32_t *K)
{
    for (unsigned b = 0; b < VALUES; b++) {
        right[0][b] = rol(right[0][b] ^ (T0[b] + T1[b] + K[0]), 31);
        right[1][b] = rol(right[1][b], 1) ^ (T0[b] + 2 * T1[b] + K[1]);
    }
}

/* odd[j] gets byte j of L5_0, odd[4 + j] byte j of L5_1. */
LAB_INLINE void count(const five_rounds *f, lab_bytes odd[2 * LANES], uint32_t (*L5)[VALUES])
{
    const lab_bytes *one = f->one;
    lab_bytes a = odd[0], b = odd[1], c = odd[2], d = odd[3];
    lab_bytes e = odd[4], o = odd[5], p = odd[6], q = odd[7];
    for (unsigned n = 0; n < VALUES; n++) {
        const uint32_t x = L5[0][n], y = L5[1][n];
        a ^= one[x & 255];
        b ^= one[x >> 8 & 255];
        c ^= one[x >> 16 & 255];
        d ^= one[x >> 24];
        e ^= one[y & 255];
        o ^= one[y >> 8 & 255];
        p ^= one[y >> 16 & 255];
        q ^= one[y >> 24];
    }
    odd[0] = a, odd[1] = b, odd[2] = c, odd[3] = d;
    odd[4] = e, odd[5] = o, odd[6] = p, odd[7] = q;
}

/* Texts for which T0 + added in the second round is u, u + 1, .. u + 255; u is a multiple of 256.
 * Returns the sum of L4_1. */
LAB_CLONES static uint32_t five_rounds_block(const five_rounds *f, lab_bytes odd[2 * LANES],
                                             uint32_t u)
{
    uint32_t T0[VALUES], T1[VALUES], L2[2][VALUES], L3[2][VALUES], sum = 0;
    const uint32_t t = u - f->added, s = u + f->more;
    const unsigned of_t = VALUES - (t & 255), of_s = VALUES - (s & 255);

    fill_L2(f, L2[0], t, of_t);
    fill_L2(f, L2[0] + of_t, t + of_t, VALUES - of_t);
    fill_T0(f, T0, rol(f->L1_0 ^ u, 31));
    fill_T1(f, T1, s, of_s);
    fill_T1(f, T1 + of_s, s + of_s, VALUES - of_s);
    for (unsigned b = 0; b < VALUES; b++) {
        L2[1][b] = f->L2_1;
        L3[0][b] = rol(f->L1_0 ^ (u + b), 31);
        L3[1][b] = f->turned ^ (s + b);
    }
    mix(L2, T0, T1, f->K + 4); /* now L4 */
    fill_g(f, T0, T1, L2);
    mix(L3, T0, T1, f->K + 6); /* now L5 */
    count(f, odd, L3);
    for (unsigned b = 0; b < VALUES; b++) {
        sum ^= L2[1][b];
    }
    return sum;
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Bit 1 of F1 = T0 + 2 T1 + K in the fifth round, summed over an even number of texts: bit 1 of T0,
 * bit 0 of T1, and a carry from bit 0 of T0 if that of K is set. */
static uint32_t sum_of_F1(const five_rounds *f, uint8_t (*odd)[VALUES / 8])
{
    uint32_t sum = 0;
    for (unsigned j = 0; j < LANES; j++) {
        for (unsigned x = 0; x < VALUES; x++) {
            const uint32_t T0 = f->table[j][x], T1 = f->table[(j + 1) % LANES][x];
            sum ^= (T0 >> 1 ^ (T0 & f->K[9])) & (uint32_t)odd[j][x / 8] >> x % 8;
            sum ^= T1 & (uint32_t)odd[LANES + j][x / 8] >> x % 8;
        }
    }
    return sum & 1;
}

static void store(uint64_t found[LANES][2][VALUES / 64], uint8_t odd[2 * LANES][VALUES / 8])
{
    memset(found, 0, LANES * sizeof found[0]);
    for (unsigned j = 0; j < LANES; j++) {
        for (unsigned i = 0; i < VALUES / 8; i++) {
            found[j][0][i / 8] |= (uint64_t)odd[j][i] << i % 8 * 8;
            found[(j + 1) % LANES][1][i / 8] |= (uint64_t)odd[LANES + j][i] << i % 8 * 8;
        }
    }
}

static void sum_blocks(const five_rounds *f, uint64_t odd[LANES][2][VALUES / 64], uint32_t *sum,
                       uint32_t first, uint32_t n_blocks)
{
    union {
        lab_bytes v[2 * LANES];
        uint8_t byte[2 * LANES][VALUES / 8];
    } counted;
    uint32_t L4_1 = 0;

    memset(&counted, 0, sizeof counted);
    for (uint32_t i = 0; i < n_blocks; i++) {
        L4_1 ^= five_rounds_block(f, counted.v, (first + i) << 8);
    }
    *sum = (L4_1 & 1) ^ sum_of_F1(f, counted.byte);
    store(odd, counted.byte);
}

mf_status lab_five_rounds(uint64_t odd[LANES][2][VALUES / 64], uint32_t *sum, const uint8_t *key,
                          const uint8_t *text, uint32_t first, uint32_t n_blocks)
{
    lab_bytes one[VALUES];
    five_rounds *f = malloc(sizeof *f);
    if (f == NULL) {
        return MF_ERROR_MEMORY;
    }
    fill_one(one);
    f->one = one;
    const mf_status status = set_key(f, key);
    if (status == MF_OK) {
        set_text(f, text);
        sum_blocks(f, odd, sum, first, n_blocks);
    }
    free(f);
    return status;
}
