/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A core behind a bus, as bus_bench.cpp and the driver see it: accesses to registers. apb.cpp and
 * axil.cpp play the master, with random pauses, and check the rules of their bus in every clock. */
#ifndef BUS_H
#define BUS_H

#include "core.h"

#include <random>
#include <stdexcept>

/* The fault, in a sentence. */
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void check(bool good, const std::string &sentence)
{
    if (!good)
        throw Failure(sentence);
}

struct Write {
    uint32_t offset;
    uint32_t data;
    unsigned strobes = 15;
};

struct Answer {
    bool error;
    uint32_t data;
};

class Bus
{
  public:
    explicit Bus(unsigned seed) : source(seed)
    {
    }
    virtual ~Bus() = default;

    /* These writes and then these reads, or both at once where the bus can; begun as close to each
     * other as the pauses let them. The answers come in this order. */
    virtual std::vector<Answer> access(const std::vector<Write> &writes,
                                       const std::vector<uint32_t> &reads) = 0;
    virtual void reset() = 0;       /* a clock with it */
    virtual void clocks(int n) = 0; /* without an access */
    virtual bool irq() = 0;
    virtual std::vector<Register> registers() = 0;

    Answer read(uint32_t offset)
    {
        return access({}, {offset})[0];
    }
    bool refuses(const Write &write)
    {
        return access({write}, {})[0].error;
    }

    bool pauses = true;
    int longest = 0; /* clocks that a write had to wait */
    int elapsed = 0; /* clocks since power came on */

  protected:
    std::mt19937 source;
    uint32_t noise()
    {
        return static_cast<uint32_t>(source());
    }
    bool often()
    {
        return !pauses || source() % 2 == 0;
    }
};

/* Registers come up at random, by the seed. */
std::unique_ptr<Bus> make_bus(int seed);

#endif
