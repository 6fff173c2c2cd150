/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the tests of wiping: an operation runs on a thread whose stack is ours and was filled
 * with a pattern; afterwards that stack is searched for secrets, or for how far down it depends on
 * them.
 */
#ifndef MF_TEST_WIPING_H
#define MF_TEST_WIPING_H

#include "test.h"

typedef void operation(void);

/* A secret is searched in windows: parts of it that do not occur by chance. */
typedef struct window {
    const char *name;
    size_t n_bytes;
    unsigned char bytes[8];
} window;

/* Adds windows of n_bytes (4 or 8) at each multiple of step; those of one repeated byte say
 * nothing. */
void add_secret(const char *name, const void *data, size_t data_bytes, size_t n_bytes, size_t step);

void forget_secrets(void);

/* To be called after the last add_secret. */
void sort_secrets(void);

/* The first secret that is left on the stack, or NULL. */
const window *find_secret(size_t *depth);

void run_on_stack(operation *run);

/* How far below its caller run() leaves bytes on the stack that are other ones after change(),
 * which changes all secrets: 0 if it leaves none. */
size_t stack_left(operation *run, operation *change);

/* In a case of the caller's: the row of a kernel states n_bytes, at least as many as are left. */
void check_stack(operation *run, operation *change, size_t n_bytes);

/* A test of wiping. */
typedef struct wiping {
    void (*set_up)(operation *prepare);    /* new keys and texts, then prepare */
    void (*run_elsewhere)(operation *run); /* runs it on the usual stack; what it changes is put
                                              back */
    void (*collect_secrets)(void);         /* after it has run: calls add_secret */
    const mf_status *status;               /* of the last operation */
} wiping;

/* In a case of the caller's. A word of 4 bytes may stand there by chance: what is really left is
 * there at the second try too. */
void check_leaves_nothing(const wiping *w, operation *prepare, operation *run);

/* Whether the search finds what a planted fault leaves. */
void check_planted(const wiping *w, operation *prepare, operation *run, bool expected);

/* False, and counted as skipped, in builds that keep copies on the stack. */
bool wiping_can_be_seen(void);

#endif
