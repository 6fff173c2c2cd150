/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A look at every signal of a model: behind sources.inc, the files of Verilator. simulate.py writes
 * registers.inc, a line for each signal that they hold. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "core.h"

template <class Top> std::vector<Register> registers_of(const Top &top)
{
    std::vector<Register> all;
    const auto add = [&](const char *name, const void *data, size_t size) {
        const auto *bytes = static_cast<const unsigned char *>(data);
        all.push_back({name, {bytes, bytes + size}});
    };
#define REGISTER(name) add(#name, &top.rootp->name, sizeof top.rootp->name);
#include "registers.inc"
#undef REGISTER
    return all;
}

#endif
