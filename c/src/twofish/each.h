/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys, a few blocks under each: the border between the front end (each.c) and a way to work
 * on a key in each lane (each/). To add one: a file in each/, a row in each/variants.h, a line in
 * CMakeLists.txt.
 *
 * The caller promises: the CPU can run the kernel of this name; state is aligned to 64 bytes; k is
 * 2, 3 or 4, the same in all calls; n_keys, also the same, is 1 to lanes; key i has the 8k bytes at
 * keys + 8k i; its block is at in + step i, and goes to out + step i; step is at least 16; out
 * equals in or is disjoint; nothing about other alignment. The variant promises: it cannot fail,
 * allocates nothing, has no globals, touches no byte outside its buffers, and has no branch on and
 * no address from a key or a block. The front end wipes.
 */
#ifndef MF_SRC_TWOFISH_EACH_H
#define MF_SRC_TWOFISH_EACH_H

#include <stddef.h>
#include <stdint.h>

/* Room for the state of any variant: each asserts that its own fits. It is memory of type uint64_t;
 * read and write it as that, as bytes or as vectors. */
enum { MF_TWOFISH_EACH_STATE_BYTES = 16384 };

typedef struct mf_twofish_each {
    const char *kernel; /* in whose place it works: that needs the same instructions */
    size_t lanes;       /* keys worked on at a time */
    size_t from;        /* with one block each, fewer keys cost less one after the other; */
    size_t more;        /* by which this grows with each further block */
    size_t max_blocks;  /* more blocks a key cost less one key after the other */
    size_t state_bytes; /* of state, for the caller to wipe, */
    size_t stack;       /* and of the stack, after any of these: at most MF_DEEP_STACK_BYTES */
    void (*set_keys)(void *state, const uint8_t *keys, unsigned k, size_t n_keys);
    void (*encrypt)(void *state, uint8_t *out, const uint8_t *in, size_t step, unsigned k,
                    size_t n_keys);
    void (*decrypt)(void *state, uint8_t *out, const uint8_t *in, size_t step, unsigned k,
                    size_t n_keys);
} mf_twofish_each;

/* Ends with NULL. Defined in each/variants.c. */
extern const mf_twofish_each *const mf_twofish_each_variants[];

#endif
