/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by every part of Manyfish: status codes, the description of a kernel, wiping.
 *
 * Conventions of all headers here
 * - Sizes are in bytes (name ends in _bytes) or in blocks (n_blocks). A count of 0 is allowed
 *   everywhere, and then the data pointers may be NULL.
 * - Output may be the very same buffer as input (in place) or disjoint from it; a partial overlap
 *   is MF_ERROR_OVERLAP. Any alignment is fine.
 * - On an error outputs are untouched or wiped, as the function says; they are never half written.
 * - No function allocates memory, opens a file or starts a thread. The only global state is what
 *   the library learned about the CPU and the environment at its first use, in any thread. Many
 *   threads at once may use a context that they only read (const); one thread at a time may write
 *   to a context.
 * - Undefined behaviour: a pointer to less memory than stated; a context that is neither filled by
 *   an init function of its type nor all zero bytes; a const context that changes during the call;
 *   output that overlaps a context.
 */
#ifndef MANYFISH_COMMON_H
#define MANYFISH_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define MF_MUST_CHECK __attribute__((warn_unused_result))
#else
#define MF_MUST_CHECK
#endif

/* On Windows, programs that use the library as a DLL define MF_SHARED, and the library itself
 * MF_BUILD too. CMake and pkg-config do that. A module that has the library inside defines MF_API
 * as nothing, to hide it. */
#if defined(MF_API)
#elif defined(_WIN32) && defined(MF_SHARED) && defined(MF_BUILD)
#define MF_API __declspec(dllexport)
#elif defined(_WIN32) && defined(MF_SHARED)
#define MF_API __declspec(dllimport)
#elif !defined(_WIN32) && (defined(__GNUC__) || defined(__clang__))
#define MF_API __attribute__((visibility("default")))
#else
#define MF_API
#endif

/* The version of this header; the file VERSION is its one source and a check compares them. */
#define MF_VERSION "0.2.0"

/* Numbers are part of the binary interface: they are never reused. */
typedef enum mf_status {
    MF_OK = 0,
    MF_ERROR_NULL = 1,          /* a pointer is NULL, but there is data to read or write */
    MF_ERROR_KEY_LENGTH = 2,    /* the cipher or kernel has no key of this many bytes */
    MF_ERROR_LENGTH = 3,        /* not whole blocks or sectors, too few, or not as CCM was told */
    MF_ERROR_OVERLAP = 4,       /* output overlaps input without being the same buffer */
    MF_ERROR_NO_KEY = 5,        /* the context holds no key: never initialised, or wiped */
    MF_ERROR_KERNEL = 6,        /* no kernel of this name in this build */
    MF_ERROR_CPU = 7,           /* the kernel needs instructions that this CPU lacks */
    MF_ERROR_TAG = 8,           /* wrong tag: key, nonce, data or associated data differ */
    MF_ERROR_PADDING = 9,       /* the decrypted message does not end in valid padding */
    MF_ERROR_NONCE_LENGTH = 10, /* the mode has no nonce of this many bytes */
    MF_ERROR_CAPACITY = 11,     /* the output buffer is too small */
    MF_ERROR_STATE = 12,        /* calls in the wrong order for this mode */
    MF_ERROR_TOO_LONG = 13,     /* more than the mode allows under a nonce, in a unit, of strings */
    MF_ERROR_BLOCK = 14,        /* the mode has no such block, counter, segment or variant */
    MF_ERROR_SELFTEST = 15,     /* a kernel gave a wrong known answer: do not use this build */
    MF_ERROR_TAG_LENGTH = 16,   /* the mode has no tag of this many bytes */
    MF_ERROR_ROUNDS = 17,       /* a variant for study cannot have this number of rounds */
    MF_ERROR_TABLES = 18,       /* the kernel needs tables that have not been built */
    MF_ERROR_MEMORY = 19,       /* the system is out of memory */
    MF_ERROR_EXECUTABLE = 20,   /* the system refuses executable memory */
    MF_ERROR_FILE = 21,         /* a file cannot be read or written, or is not what it should be */
    MF_ERROR_POLICY = 22,       /* no kernel meets the caller's limits */
    MF_ERROR_CANCELLED = 23,    /* the caller's progress function returned false */
    MF_ERROR_WEAK_KEY = 24,     /* the caller refuses such weak keys */
    MF_ERROR_PARITY = 25,       /* the key has wrong parity bits, and the caller refuses them */
    MF_ERROR_LEAKS = 26,        /* the environment names a kernel that leaks and allows no leaks */
    MF_ERROR_LEAKS_VALUE = 27,  /* the environment variable MANYFISH_LEAKS has an unknown value */
    MF_ERROR_VERSION = 28       /* a structure has the size of another version of this library */
} mf_status;

/* One English sentence for a status, without a full stop. Never NULL; static storage. */
MF_API const char *mf_status_text(mf_status status);

/* The version of the library that runs, in the form of MF_VERSION. Static storage. */
MF_API const char *mf_version(void);

/* Overwrites n_bytes at data with zeros in a way that the optimiser cannot remove.
 * data may be NULL only if n_bytes is 0. Cannot fail. */
MF_API void mf_wipe(void *data, size_t n_bytes);

/* True if the n_bytes at a and b are equal; the time depends on n_bytes only. Either may be NULL
 * only if n_bytes is 0. */
MF_API MF_MUST_CHECK bool mf_equal(const void *a, const void *b, size_t n_bytes);

/* One way to compute a cipher; all kernels of a cipher give the same results. */
typedef struct mf_kernel_info {
    const char *name;          /* as the init functions take it; static storage */
    const char *summary;       /* one line: what it precomputes; static storage */
    const char *cpu_features;  /* instructions it needs, separated by spaces; "" if none */
    size_t expanded_key_bytes; /* bytes of the context that one key fills */
    size_t lanes;              /* blocks that it works on at a time */
    size_t max_key_bytes;      /* the longest key that it takes */
    size_t shared_bytes; /* of tables for all keys, to be built first; 0 except in libmanyfish-study
                          */
    bool constant_time;  /* no branch and no address depends on key or data */
    bool runnable;       /* this CPU and system can run it, and its tables are ready */
    bool is_default;     /* used if the caller names none */
} mf_kernel_info;

#ifdef __cplusplus
}
#endif

#endif
