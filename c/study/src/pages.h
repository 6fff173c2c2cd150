/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory in pages, of which some can become code. No page is ever writable and executable at once:
 * it is written first and made executable then. Knows no cipher.
 *
 * Where the system maps no memory (not a POSIX one), pages come from malloc and never become code.
 */
#ifndef MF_STUDY_PAGES_H
#define MF_STUDY_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* n_bytes rounded up to whole pages; n_bytes is far below SIZE_MAX. */
size_t mf_pages_round(size_t n_bytes);

/* Zeroed memory of n_bytes, whole pages, readable and writable; NULL if there is none. */
void *mf_pages_new(size_t n_bytes);

/* Gives that back. */
void mf_pages_free(void *pages, size_t n_bytes);

/* As mf_pages_new, for pages that are to become code. They lie between two that nobody can touch:
 * neighbours with other rights, or with the same, would make the system divide or join mappings
 * whenever rights change, which takes longer than the change itself: 16,200 ticks of the time-stamp
 * counter for both ways instead of 7,200 (Zen 4, Linux 6.18 in a virtual machine). */
void *mf_pages_new_code(size_t n_bytes);

/* All that mf_pages_new_code gave: readable, and either executable or writable. False if the system
 * refuses; the pages are then as before. */
bool mf_pages_make_code(void *pages, size_t n_bytes);
bool mf_pages_make_data(void *pages, size_t n_bytes);

/* Gives that back, and what lies around it. */
void mf_pages_free_code(void *pages, size_t n_bytes);

#endif
