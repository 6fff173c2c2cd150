/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Building the shared tables, and keeping them in a file. Rows are computed in slices, which
 * threads take one after the other; a file is checked by computing them again, which is quicker
 * than any checksum of 256 MiB would be, and finds whatever differs.
 */
#include "tables.h"

#include <stdatomic.h>

#include "system.h"

/* --- Where they are --------------------------------------------------------------------------- */

/* By number. Atomic pointers publish the tables; the builder holds a lock. */
static _Atomic(const void *) ready[MF_TWOFISH_TABLES_HUGE + 1];

const void *mf_twofish_shared(unsigned which)
{
    return which <= MF_TWOFISH_TABLES_HUGE
               ? atomic_load_explicit(&ready[which], memory_order_acquire)
               : NULL;
}

static void set_shared(unsigned which, const void *tables)
{
    atomic_store_explicit(&ready[which], tables, memory_order_release);
}

size_t mf_twofish_shared_bytes(unsigned which)
{
    return which == MF_TWOFISH_TABLES_BIG    ? MF_TWOFISH_TABLES_BIG_BYTES
           : which == MF_TWOFISH_TABLES_HUGE ? MF_TWOFISH_TABLES_HUGE_BYTES
                                             : 0;
}

bool mf_twofish_tables_ready(mf_twofish_tables which)
{
    return mf_twofish_shared(which) != NULL;
}

/* --- The rows --------------------------------------------------------------------------------- */

/* One slice for each byte position and byte of L_1. */
enum { SLICES = 4 * 256 };

/* Tables to fill or, if table is NULL, to compare with. */
typedef struct work {
    unsigned char *table;
    const unsigned char *compared;
    size_t slice_bytes;
    atomic_size_t next; /* slice to do */
    atomic_size_t n_done;
    atomic_bool stop;
    atomic_bool differs;
    mf_twofish_tables_progress *progress;
    void *context;
} work;

static void big_row(uint8_t row[256], unsigned j, unsigned s)
{
    const uint8_t *first = mf_twofish_q[mf_twofish_q_order[2][j]];
    const uint8_t *second = mf_twofish_q[mf_twofish_q_order[1][j]];
    for (size_t x = 0; x < 256; x++) {
        row[x] = second[first[x] ^ s];
    }
}

static void huge_row(uint32_t row[256], const uint8_t big[256], unsigned j, unsigned t)
{
    for (size_t x = 0; x < 256; x++) {
        row[x] = mf_twofish_mds[j][big[x] ^ t];
    }
}

static void put(work *w, size_t at, const void *row, size_t row_bytes)
{
    if (w->table != NULL) {
        memcpy(w->table + at, row, row_bytes);
    } else if (memcmp(w->compared + at, row, row_bytes) != 0) {
        atomic_store(&w->differs, true);
        atomic_store(&w->stop, true);
    }
}

/* Whether the tables are big or huge is seen by the size of a slice. */
static void do_slice(work *w, size_t slice)
{
    uint8_t big[256];
    uint32_t row[256];
    const unsigned j = (unsigned)(slice / 256);

    big_row(big, j, slice % 256);
    if (w->slice_bytes == sizeof big) {
        put(w, slice * sizeof big, big, sizeof big);
        return;
    }
    for (unsigned t = 0; t < 256; t++) {
        huge_row(row, big, j, t);
        put(w, slice * w->slice_bytes + t * sizeof row, row, sizeof row);
    }
}

/* Calls the progress function if n_done slices are a 64th more than told last. */
static void tell(work *w, size_t *told)
{
    const size_t n_done = atomic_load(&w->n_done);
    if (w->progress != NULL && n_done / (SLICES / 64) != *told) {
        *told = n_done / (SLICES / 64);
        if (!w->progress(w->context, n_done * w->slice_bytes, SLICES * w->slice_bytes)) {
            atomic_store(&w->stop, true);
        }
    }
}

static void do_slices(void *argument, bool is_caller)
{
    work *w = argument;
    size_t told = 0;
    size_t slice = atomic_fetch_add(&w->next, 1);

    while (slice < SLICES && !atomic_load(&w->stop)) {
        do_slice(w, slice);
        atomic_fetch_add(&w->n_done, 1);
        slice = atomic_fetch_add(&w->next, 1);
        if (is_caller && slice < SLICES) {
            tell(w, &told);
        }
    }
}

/* Fills a table, or compares with another one. */
static mf_status run(work *w, unsigned which, unsigned n_threads)
{
    size_t told = 0;

    w->slice_bytes = mf_twofish_shared_bytes(which) / SLICES;
    mf_system_run(which == MF_TWOFISH_TABLES_BIG ? 1 : n_threads, do_slices, w);
    if (!atomic_load(&w->stop)) {
        tell(w, &told); /* that all is done */
    }
    if (atomic_load(&w->differs)) {
        return MF_ERROR_FILE;
    }
    return atomic_load(&w->stop) ? MF_ERROR_CANCELLED : MF_OK;
}

/* --- In memory -------------------------------------------------------------------------------- */

/* Whose memory the tables are in: built here, or mapped from a file with its head in front of them.
 * Behind the lock. */
static void *built[MF_TWOFISH_TABLES_HUGE + 1];
static mf_system_file mapped[MF_TWOFISH_TABLES_HUGE + 1];

static mf_status build(unsigned which, unsigned n_threads, mf_twofish_tables_progress *progress,
                       void *context)
{
    const size_t n_bytes = mf_twofish_shared_bytes(which);
    unsigned char *table = mf_system_memory_new(n_bytes);
    work w = {.table = table, .progress = progress, .context = context};

    if (table == NULL) {
        return MF_ERROR_MEMORY;
    }
    const mf_status status = run(&w, which, n_threads);
    if (status == MF_OK) {
        mf_system_memory_seal(table, n_bytes);
        built[which] = table;
        set_shared(which, table);
    } else {
        mf_system_memory_free(table, n_bytes);
    }
    return status;
}

mf_status mf_twofish_tables_build(mf_twofish_tables which, unsigned n_threads,
                                  mf_twofish_tables_progress *progress, void *context)
{
    mf_status status = MF_OK;

    if (mf_twofish_shared_bytes(which) == 0) {
        return MF_ERROR_TABLES;
    }
    mf_system_lock();
    if (mf_twofish_shared(which) == NULL) {
        status = build(which, n_threads, progress, context);
    }
    mf_system_unlock();
    return status;
}

/* --- In a file -------------------------------------------------------------------------------- */

/* Stands before the tables in a file. So long that rows lie at multiples of their size. */
typedef struct head {
    char name[16];
    uint32_t version;
    uint32_t byte_order; /* words of tables are the machine's own */
    uint32_t which;
    uint32_t unused[1024 - 7];
} head;

_Static_assert(sizeof(head) == 4096, "a head is 4096 bytes");

static head head_of(unsigned which)
{
    static const char name[] = "manyfish tables\n"; /* all but its zero goes into the head */
    head h = {.version = 1, .byte_order = 0x01020304, .which = which};
    memcpy(h.name, name, sizeof h.name);
    return h;
}

/* file is the head and the tables. */
static mf_status check(unsigned which, const unsigned char *file, unsigned n_threads,
                       mf_twofish_tables_progress *progress, void *context)
{
    const head expected = head_of(which);
    work w = {.compared = file + sizeof expected, .progress = progress, .context = context};

    if (memcmp(file, &expected, sizeof expected) != 0) {
        return MF_ERROR_FILE;
    }
    return run(&w, which, n_threads);
}

static mf_status map(unsigned which, const char *path, unsigned n_threads,
                     mf_twofish_tables_progress *progress, void *context)
{
    const size_t n_bytes = sizeof(head) + mf_twofish_shared_bytes(which);
    mf_system_file file;

    if (!mf_system_map(&file, path, n_bytes)) {
        return MF_ERROR_FILE;
    }
    const mf_status status = check(which, file.bytes, n_threads, progress, context);
    if (status == MF_OK) {
        mapped[which] = file;
        set_shared(which, (const unsigned char *)file.bytes + sizeof(head));
    } else {
        mf_system_unmap(&file);
    }
    return status;
}

mf_status mf_twofish_tables_open(mf_twofish_tables which, const char *path, unsigned n_threads,
                                 mf_twofish_tables_progress *progress, void *context)
{
    mf_status status = MF_OK;

    if (mf_twofish_shared_bytes(which) == 0) {
        return MF_ERROR_TABLES;
    }
    if (path == NULL) {
        return MF_ERROR_NULL;
    }
    mf_system_lock();
    if (mf_twofish_shared(which) == NULL) {
        status = map(which, path, n_threads, progress, context);
    }
    mf_system_unlock();
    return status;
}

mf_status mf_twofish_tables_save(mf_twofish_tables which, const char *path)
{
    mf_status status = MF_ERROR_TABLES;

    if (path == NULL) {
        return MF_ERROR_NULL;
    }
    mf_system_lock();
    const void *tables = mf_twofish_shared(which);
    if (tables != NULL) {
        const head h = head_of(which);
        const bool saved =
            mf_system_save(path, &h, sizeof h, tables, mf_twofish_shared_bytes(which));
        status = saved ? MF_OK : MF_ERROR_FILE;
    }
    mf_system_unlock();
    return status;
}

void mf_twofish_tables_release(mf_twofish_tables which)
{
    mf_system_lock();
    if (mf_twofish_shared(which) != NULL) {
        set_shared(which, NULL);
        if (mapped[which].bytes != NULL) {
            mf_system_unmap(&mapped[which]);
        } else {
            mf_system_memory_free(built[which], mf_twofish_shared_bytes(which));
            built[which] = NULL;
        }
    }
    mf_system_unlock();
}
