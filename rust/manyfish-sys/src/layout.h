/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The rows of the tables in layout.c and layout_study.c.
 */
#ifndef MANYFISH_SYS_LAYOUT_H
#define MANYFISH_SYS_LAYOUT_H

#include <stddef.h>

typedef struct fact {
    const char *name;
    size_t value;
} fact;

#define CONSTANT(name) {#name, (size_t)(name)}
#define SIZE(type) {#type, sizeof(type)}
#define OFFSET(type, member) {#type "." #member, offsetof(type, member)}

#endif
