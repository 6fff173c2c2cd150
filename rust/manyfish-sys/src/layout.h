/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the tables of layout.c and layout_study.c are made of.
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
