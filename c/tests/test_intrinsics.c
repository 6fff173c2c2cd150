/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The emulated intrinsics against the real ones, where this machine has them, and the one for
 * linear maps against multiplication in GF(2^8) as the paper defines it, with the matrices of the
 * kernels.
 */
#include "test.h"

#ifdef WHY_SKIPPED

int main(void)
{
    test_skip("emulated kernels: %s", WHY_SKIPPED);
    return test_end();
}

#else

#include "common/cpu.h"
#include "emulated/immintrin.h"
#include "intrinsics.h"
#include "twofish/tables/tables.h"

enum { N_RUNS = 1000 };

static void compare(const intrinsic *real, const intrinsic *emulated)
{
    test_case("%s", real->name);
    for (int i = 0; i < N_RUNS; i++) {
        uint8_t operands[3][INTRINSIC_BYTES];
        uint8_t expected[INTRINSIC_BYTES] = {0};
        uint8_t found[INTRINSIC_BYTES] = {0};

        random_bytes(operands, sizeof operands);
        real->run(expected, operands[0], operands[1], operands[2]);
        emulated->run(found, operands[0], operands[1], operands[2]);
        if (!CHECK_BYTES(found, expected, sizeof found)) {
            return;
        }
    }
}

static void test_against_real(void)
{
    size_t n_absent = 0;

    for (size_t i = 0; real_intrinsics[i].name != NULL; i++) {
        if (mf_cpu_has(real_intrinsics[i].cpu_features)) {
            compare(&real_intrinsics[i], &emulated_intrinsics[i]);
        } else {
            n_absent++;
        }
    }
    if (n_absent > 0 || real_intrinsics[0].name == NULL) {
        test_skip("intrinsics: this CPU cannot run all that are emulated");
    }
}

/* Modulo the polynomial of the MDS matrix. [Twofish98, 4.2] */
static uint8_t multiply(uint8_t x, uint8_t y)
{
    unsigned product = 0;

    for (int i = 7; i >= 0; i--) {
        product <<= 1;
        product ^= (product >> 8) * 0x169;
        product ^= (y >> i & 1) * (unsigned)x;
    }
    return (uint8_t)product;
}

static void test_map(const char *name, const mf_byte_map *map, uint8_t factor)
{
    test_case("the linear map %s", name);
    for (unsigned x = 0; x < 256; x++) {
        const __m512i y = _mm512_gf2p8affine_epi64_epi8(
            _mm512_set1_epi8((char)x), _mm512_set1_epi64((long long)map->matrix), 0);

        CHECK(all_bytes_are(&y, sizeof y, multiply((uint8_t)x, factor)));
    }
}

int main(void)
{
    test_map("EF", &mf_twofish_times_ef, 0xEF);
    test_map("5B", &mf_twofish_times_5b, 0x5B);
    test_against_real();
    return test_end();
}

#endif
