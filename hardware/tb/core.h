/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A core as the bench sees it: wires in, wires out, a clock, and a look at every register. core.cpp
 * makes one of what Verilator made of the RTL; it alone is compiled for each configuration. */
#ifndef CORE_H
#define CORE_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/* Words of the paper: R0 first, byte 0 in the low bits. */
using Block = std::array<uint32_t, 4>;

struct Inputs {
    bool rst = false;
    bool zeroise = false;
    bool key_valid = false;
    uint32_t key_data = 0;
    bool in_valid = false;
    bool in_decrypt = false;
    Block in_data{};
    bool out_ready = false;
};

struct Outputs {
    bool key_ready;
    bool in_ready;
    bool out_valid;
    Block out_data;
};

/* A signal inside the core and its bytes. */
struct Register {
    std::string name;
    std::vector<unsigned char> bytes;
};

class Core
{
  public:
    virtual ~Core() = default;

    /* With the clock still high, so that no latch and no register takes anything: what the outputs
     * are. */
    virtual Outputs look(const Inputs &in) = 0;

    /* One clock: the inputs change after its rising edge, and the outputs are those at its end,
     * which is the next rising edge. A transfer at that edge counts. */
    virtual Outputs clock(const Inputs &in) = 0;

    /* Registers and the wires between them, with all inputs 0. */
    virtual std::vector<Register> registers() = 0;
};

/* Registers come up at random, by the seed: only a reset gives them values. */
std::unique_ptr<Core> make_core(int seed);

#endif
