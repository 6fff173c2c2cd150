/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The C library as bench.mjs measures the package: a mode and megabytes a second in each line.
 * Usage: native KERNEL KEY-BYTES
 */
#include <manyfish/aead.h>
#include <manyfish/twofish.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BYTES = 65536 };

static unsigned char text[BYTES], out[BYTES], zeros[32], tag[16];
static mf_twofish key;
static mf_cipher cipher;
static mf_ocb ocb;

static mf_status ecb_once(void)
{
    return mf_ecb_encrypt(&cipher, out, text, BYTES);
}

static mf_status ctr_once(void)
{
    mf_ctr ctr;
    const mf_status status = mf_ctr_init(&ctr, &cipher, zeros, 128);
    return status == MF_OK ? mf_ctr_crypt(&ctr, out, text, BYTES) : status;
}

static mf_status ocb_once(void)
{
    return mf_ocb_encrypt(&ocb, zeros, 12, NULL, 0, out, text, BYTES, tag);
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *mode, mf_status (*work)(void))
{
    const double start = now();
    size_t n = 0;
    do {
        if (work() != MF_OK) {
            exit(1);
        }
        n++;
    } while (now() - start < 0.06);
    printf("%s %.2f\n", mode, (double)n * BYTES / 1e6 / (now() - start));
}

int main(int argc, char **argv)
{
    if (argc != 3 ||
        mf_twofish_init_kernel(&key, argv[1], zeros, strtoul(argv[2], NULL, 10)) != MF_OK) {
        return 1;
    }
    cipher = mf_twofish_cipher(&key);
    if (mf_ocb_init(&ocb, &cipher) != MF_OK) {
        return 1;
    }
    measure("ecb", ecb_once);
    measure("ctr", ctr_once);
    measure("ocb", ocb_once);
    return 0;
}
