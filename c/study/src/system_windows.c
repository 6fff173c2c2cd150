/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The system, where it is Windows; see system.h.
 */
#include "system.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

/* --- Memory ----------------------------------------------------------------------------------- */

/* At a multiple of 64 KiB. */
void *mf_system_memory_new(size_t n_bytes)
{
    return VirtualAlloc(NULL, n_bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

static bool protect(void *memory, size_t n_bytes, DWORD rights)
{
    DWORD before;
    return VirtualProtect(memory, n_bytes, rights, &before) != 0;
}

void mf_system_memory_seal(void *memory, size_t n_bytes)
{
    (void)protect(memory, n_bytes, PAGE_READONLY);
}

void mf_system_memory_free(void *memory, size_t n_bytes)
{
    (void)n_bytes;
    (void)VirtualFree(memory, 0, MEM_RELEASE);
}

/* --- Pages ------------------------------------------------------------------------------------ */

static SYSTEM_INFO system_info(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info;
}

size_t mf_pages_round(size_t n_bytes)
{
    const size_t page = system_info().dwPageSize;
    return (n_bytes + page - 1) / page * page;
}

void *mf_pages_new(size_t n_bytes)
{
    return mf_system_memory_new(n_bytes);
}

void mf_pages_free(void *pages, size_t n_bytes)
{
    mf_system_memory_free(pages, n_bytes);
}

/* VirtualAlloc never joins its pages with neighbours. */
void *mf_pages_new_code(size_t n_bytes)
{
    return mf_pages_new(n_bytes);
}

void mf_pages_free_code(void *pages, size_t n_bytes)
{
    mf_pages_free(pages, n_bytes);
}

bool mf_pages_make_code(void *pages, size_t n_bytes)
{
    return protect(pages, n_bytes, PAGE_EXECUTE_READ) &&
           FlushInstructionCache(GetCurrentProcess(), pages, n_bytes) != 0;
}

bool mf_pages_make_data(void *pages, size_t n_bytes)
{
    return protect(pages, n_bytes, PAGE_READWRITE);
}

/* --- Threads ---------------------------------------------------------------------------------- */

enum { MAX_THREADS = MAXIMUM_WAIT_OBJECTS };

static SRWLOCK the_lock = SRWLOCK_INIT;

void mf_system_lock(void)
{
    AcquireSRWLockExclusive(&the_lock);
}

void mf_system_unlock(void)
{
    ReleaseSRWLockExclusive(&the_lock);
}

typedef struct job {
    mf_system_task *task;
    void *argument;
} job;

static DWORD WINAPI run_job(void *argument)
{
    const job *j = argument;
    j->task(j->argument, false);
    return 0;
}

void mf_system_run(unsigned n_threads, mf_system_task *task, void *argument)
{
    HANDLE threads[MAX_THREADS];
    job j = {task, argument};
    DWORD n_started = 0;

    if (n_threads == 0) {
        n_threads = system_info().dwNumberOfProcessors;
    }
    while (n_started + 1 < n_threads && n_started + 1 < MAX_THREADS) {
        threads[n_started] = CreateThread(NULL, 0, run_job, &j, 0, NULL);
        if (threads[n_started] == NULL) {
            break;
        }
        n_started++;
    }
    task(argument, true);
    if (n_started > 0) {
        (void)WaitForMultipleObjects(n_started, threads, TRUE, INFINITE);
    }
    for (DWORD i = 0; i < n_started; i++) {
        (void)CloseHandle(threads[i]);
    }
}

/* --- Files ------------------------------------------------------------------------------------ */

/* The path as the system takes it, with `more` characters free behind it; NULL if it is not one. */
static wchar_t *wide(const char *path, size_t more)
{
    const int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *name = n > 0 ? calloc((size_t)n + more, sizeof *name) : NULL;

    if (name != NULL) {
        (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, name, n);
    }
    return name;
}

/* Others may read it meanwhile, and nobody may write it. */
static HANDLE open_to_read(const char *path)
{
    wchar_t *name = wide(path, 0);
    HANDLE file = INVALID_HANDLE_VALUE;

    if (name != NULL) {
        file = CreateFileW(name, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING,
                           FILE_ATTRIBUTE_NORMAL, NULL);
    }
    free(name);
    return file;
}

static bool has_size(HANDLE file, size_t n_bytes)
{
    LARGE_INTEGER size;
    return GetFileType(file) == FILE_TYPE_DISK && GetFileSizeEx(file, &size) != 0 &&
           size.QuadPart >= 0 && (unsigned long long)size.QuadPart == n_bytes;
}

static const void *view(HANDLE file)
{
    HANDLE mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    const void *bytes = NULL;

    if (mapping != NULL) {
        bytes = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
        (void)CloseHandle(mapping); /* the view goes on */
    }
    return bytes;
}

bool mf_system_map(mf_system_file *file, const char *path, size_t n_bytes)
{
    HANDLE handle = open_to_read(path);
    if (handle == INVALID_HANDLE_VALUE) {
        return false;
    }
    *file = (mf_system_file){has_size(handle, n_bytes) ? view(handle) : NULL, n_bytes, handle};
    if (file->bytes == NULL) {
        (void)CloseHandle(handle);
    }
    return file->bytes != NULL;
}

void mf_system_unmap(mf_system_file *file)
{
    (void)UnmapViewOfFile(file->bytes);
    (void)CloseHandle(file->handle);
    file->bytes = NULL;
}

static bool write_all(HANDLE file, const void *data, size_t n_bytes)
{
    const size_t most = (size_t)1 << 30;
    const unsigned char *p = data;

    while (n_bytes > 0) {
        DWORD n = 0;
        if (WriteFile(file, p, (DWORD)(n_bytes < most ? n_bytes : most), &n, NULL) == 0) {
            return false;
        }
        p += n;
        n_bytes -= n;
    }
    return true;
}

static bool write_file(HANDLE file, const void *head, size_t head_bytes, const void *body,
                       size_t body_bytes)
{
    const bool written = write_all(file, head, head_bytes) && write_all(file, body, body_bytes) &&
                         FlushFileBuffers(file) != 0;
    return CloseHandle(file) != 0 && written;
}

/* A file to be replaced must be a plain one. */
static bool may_replace(const wchar_t *name)
{
    const DWORD other =
        FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_REPARSE_POINT;
    const DWORD attributes = GetFileAttributesW(name);
    return attributes == INVALID_FILE_ATTRIBUTES || (attributes & other) == 0;
}

enum { ENDING = 32 };

/* Appends to the name what no other thread appends now. */
static void append_ending(wchar_t *name)
{
    wchar_t *end = name + wcslen(name);
    (void)swprintf(end, ENDING, L".%lx.%lx", GetCurrentThreadId(), GetTickCount());
}

bool mf_system_save(const char *path, const void *head, size_t head_bytes, const void *body,
                    size_t body_bytes)
{
    wchar_t *name = wide(path, 0);
    wchar_t *other = wide(path, ENDING);
    bool saved = false;

    if (name != NULL && other != NULL && may_replace(name)) {
        append_ending(other);
        HANDLE file =
            CreateFileW(other, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file != INVALID_HANDLE_VALUE) {
            saved = write_file(file, head, head_bytes, body, body_bytes) &&
                    MoveFileExW(other, name, MOVEFILE_REPLACE_EXISTING) != 0;
            if (!saved) {
                (void)DeleteFileW(other);
            }
        }
    }
    free(name);
    free(other);
    return saved;
}

#endif
