/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The searched stack of wiping.h.
 */
#define _XOPEN_SOURCE 700 /* pthread_attr_setstack */

#include "wiping.h"

#ifdef INTERNAL
#include "common/wipe.h"
#endif

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 256 * 1024, PATTERN = 0x5A };

/* --- The secrets to search for ---------------------------------------------------------------- */

enum { MAX_WINDOWS = 16384, N_STARTS = 1 << 16 };

static window windows[MAX_WINDOWS];
static size_t n_windows;
static uint16_t sorted[MAX_WINDOWS];
/* By the first two bytes of a window: the first place in sorted; the one after it ends them. */
static uint16_t first_place[N_STARTS + 1];

/* True if fewer than half of the bytes are other than 0 and 0xFF: such windows occur by chance. A
 * kernel may store a bit a byte, or words in which few bits are ones; a secret has other windows
 * too. */
static bool says_little(const unsigned char *bytes, size_t n_bytes)
{
    size_t n_telling = 0;

    for (size_t i = 0; i < n_bytes; i++) {
        n_telling += bytes[i] != 0 && bytes[i] != 0xFF;
    }
    return 2 * n_telling < n_bytes;
}

void add_secret(const char *name, const void *data, size_t data_bytes, size_t n_bytes, size_t step)
{
    const unsigned char *bytes = (const unsigned char *)data;

    for (size_t i = 0; i + n_bytes <= data_bytes; i += step) {
        if (!all_bytes_are(bytes + i, n_bytes, bytes[i]) && !says_little(bytes + i, n_bytes) &&
            n_windows < MAX_WINDOWS) {
            windows[n_windows].name = name;
            windows[n_windows].n_bytes = n_bytes;
            memcpy(windows[n_windows].bytes, bytes + i, n_bytes);
            n_windows++;
        }
    }
}

static size_t start_of(const unsigned char *bytes)
{
    return (size_t)bytes[0] << 8 | bytes[1];
}

/* By counting. */
void sort_secrets(void)
{
    memset(first_place, 0, sizeof first_place);
    for (size_t n = 0; n < n_windows; n++) {
        first_place[start_of(windows[n].bytes)]++;
    }
    for (size_t start = 1; start <= N_STARTS; start++) {
        first_place[start] = (uint16_t)(first_place[start] + first_place[start - 1]);
    }
    for (size_t n = 0; n < n_windows; n++) {
        sorted[--first_place[start_of(windows[n].bytes)]] = (uint16_t)n;
    }
}

void forget_secrets(void)
{
    n_windows = 0;
}

/* --- The searched stack ----------------------------------------------------------------------- */

static _Alignas(65536) unsigned char stack[STACK_BYTES];
/* The bytes that are searched, from its start. Above are the frames of the thread that waits. */
static size_t searched;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static operation *waiting;

/* A function that saves some fields of PowerPC's condition register saves all of them, and how the
 * thread waited is in some. They would look as if they depended on secrets. */
static void clear_conditions(void)
{
#ifdef __powerpc__
    __asm__ __volatile__("mtcrf 0xC7,%0" : : "r"(0) : "cr0", "cr1", "cr5", "cr6", "cr7");
#endif
}

/* Waiting needs some of the stack. So the operation runs below a gap, or what it leaves would be
 * overwritten. */
static void run_below_gap(operation *run)
{
    volatile unsigned char gap[16 * 1024];

    gap[0] = 0;
    searched = (size_t)(gap - stack);
    clear_conditions();
    run();
    gap[sizeof gap - 1] = 0;
}

/* Through a pointer that the compiler cannot see through: in the frame of the thread the gap would
 * be above what waits. */
static void (*volatile run_below)(operation *) = run_below_gap;

static void *thread_main(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&lock);
    for (;;) {
        while (waiting == NULL) {
            (void)pthread_cond_wait(&changed, &lock);
        }
        run_below(waiting);
        waiting = NULL;
        (void)pthread_cond_signal(&changed);
    }
    return NULL;
}

static void hand_over(operation *run)
{
    CHECK(pthread_mutex_lock(&lock) == 0);
    waiting = run;
    CHECK(pthread_cond_signal(&changed) == 0);
    while (waiting != NULL) {
        (void)pthread_cond_wait(&changed, &lock);
    }
    CHECK(pthread_mutex_unlock(&lock) == 0);
}

static void nothing(void)
{
}

/* One thread for all operations: an emulator takes long to start one. */
static bool start_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
    const bool starts = CHECK(pthread_create(&thread, &attributes, thread_main, NULL) == 0);
    if (starts) {
        hand_over(nothing);
    }
    CHECK(pthread_attr_destroy(&attributes) == 0);
    return starts;
}

void run_on_stack(operation *run)
{
    if (searched == 0 && !start_thread()) {
        return;
    }
    memset(stack, PATTERN, searched);
    hand_over(run);
    CHECK(stack[0] == PATTERN); /* the stack did not overflow */
}

static bool window_is_at(const window *w, const unsigned char *place)
{
    return memcmp(place, w->bytes, w->n_bytes) == 0;
}

/* How many bytes from its start still have the pattern. */
static size_t untouched(void)
{
    size_t n = 0;

    while (n < searched && stack[n] == PATTERN) {
        n++;
    }
    return n;
}

/* Words lie aligned; bytes anywhere. */
const window *find_secret(size_t *depth)
{
    const size_t start = untouched();

    for (size_t i = start - start % 8; i + 8 <= searched; i++) {
        const uint16_t *places = &first_place[start_of(stack + i)];

        for (size_t n = places[0]; n < places[1]; n++) {
            const window *w = &windows[sorted[n]];

            if ((w->n_bytes == 8 || i % 4 == 0) && window_is_at(w, stack + i)) {
                *depth = searched - i;
                return w;
            }
        }
    }
    return NULL;
}

#ifdef INTERNAL
/* --- How far down it depends on secrets ------------------------------------------------------- */

/* Addresses and counters are the same in both runs, and what the kernel wiped itself is 0 in
 * both. */
size_t stack_left(operation *run, operation *change)
{
    static unsigned char before[STACK_BYTES];
    size_t start = 0;

    change();
    run(); /* the dynamic linker saves registers when it binds a name */
    run_on_stack(run);
    memcpy(before, stack, sizeof before);
    change();
    run_on_stack(run);
    while (start < searched && stack[start] == before[start]) {
        start++;
    }
    return searched - start;
}

void check_stack(operation *run, operation *change, size_t n_bytes)
{
    enum { FRAME = 64 }; /* of run(), which calls the kernel */
    const size_t stated = n_bytes > MF_STACK_BYTES ? n_bytes : MF_STACK_BYTES;
    const size_t left = stack_left(run, change);

    if (!CHECK(left <= stated + FRAME)) {
        printf("  %zu bytes of the stack depend on secrets; the row states %zu\n", left, stated);
    }
}
#endif

/* --- Checks ----------------------------------------------------------------------------------- */

static const window *what_is_left(const wiping *w, operation *prepare, operation *run,
                                  size_t *depth)
{
    w->set_up(prepare);
    w->run_elsewhere(run); /* the dynamic linker saves registers when it binds a name */
    run_on_stack(run);
    CHECK_STATUS(*w->status, MF_OK);
    forget_secrets();
    w->collect_secrets();
    sort_secrets();
    return find_secret(depth);
}

void check_leaves_nothing(const wiping *w, operation *prepare, operation *run)
{
    size_t depth = 0;
    const window *found = what_is_left(w, prepare, run, &depth);

    if (found != NULL) {
        found = what_is_left(w, prepare, run, &depth);
    }
    if (!CHECK(found == NULL)) {
        printf("  %s is left %zu bytes below the operation\n", found->name, depth);
    }
}

static bool is_found(const wiping *w, operation *prepare, operation *run)
{
    size_t depth = 0;

    w->set_up(prepare);
    forget_secrets();
    w->collect_secrets();
    sort_secrets();
    run(); /* as above, for the dynamic linker */
    run_on_stack(run);
    return find_secret(&depth) != NULL;
}

void check_planted(const wiping *w, operation *prepare, operation *run, bool expected)
{
    bool found = is_found(w, prepare, run);

    if (found && !expected) { /* a few bytes may stand there by chance, but not twice */
        found = is_found(w, prepare, run);
    }
    CHECK(found == expected);
}

bool wiping_can_be_seen(void)
{
    if (!TEST_OPTIMISED) {
        test_skip("wiping: this build is not optimised and keeps every variable on the stack");
        return false;
    }
    if (TEST_SANITIZED) {
        test_skip("wiping: this build is instrumented, and its stack holds copies of its own");
        return false;
    }
    return true;
}
