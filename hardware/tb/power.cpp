/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Does the simulated power of the masked core tell its key or block? power.py builds and runs this.
 *
 * Usage: power TRACES SEED MASKS RANDOM
 *
 * A trace is the number of bits that change in each clock, over all signals that Verilator keeps,
 * while the core loads a key and encrypts a block. In half of the traces, chosen at random, key and
 * block are the same, in the others they are random. Welch's t for each clock between the two
 * halves should stay small [Goodwill11]. MASKS 0: the shares 1 of key and block are 0; RANDOM 0: so
 * are the bits of the port `random`. Prints the traces, the clocks of a trace, the largest |t| and
 * its clock. */
#include "sources.inc"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace
{

using Words = std::vector<uint32_t>;

struct Options {
    size_t traces;
    unsigned seed;
    bool masks;
    bool random;
};

/* All bits that Verilator keeps, one after the other. */
class Signals
{
  public:
    explicit Signals(Vcore &core) : top(core)
    {
    }

    /* How many of them changed since the last call. */
    uint32_t changed()
    {
        size_t at = 0;
        uint32_t count = 0;
#define REGISTER(name) count += compare(&top.rootp->name, sizeof top.rootp->name, at);
#include "registers.inc"
#undef REGISTER
        return count;
    }

  private:
    Vcore &top;
    std::vector<unsigned char> before;

    uint32_t compare(const void *data, size_t size, size_t &at)
    {
        if (before.size() < at + size)
            before.resize(at + size);
        const auto *now = static_cast<const unsigned char *>(data);
        uint32_t count = 0;
        for (size_t i = 0; i < size; i++)
            count += static_cast<uint32_t>(__builtin_popcount(now[i] ^ before[at + i]));
        memcpy(&before[at], data, size);
        at += size;
        return count;
    }
};

struct Sums {
    uint64_t n = 0;
    std::vector<uint64_t> sum, squares;

    void add(const Words &trace)
    {
        sum.resize(trace.size());
        squares.resize(trace.size());
        n++;
        for (size_t i = 0; i < trace.size(); i++) {
            sum[i] += trace[i];
            squares[i] += static_cast<uint64_t>(trace[i]) * trace[i];
        }
    }

    double mean(size_t i) const
    {
        return static_cast<double>(sum[i]) / static_cast<double>(n);
    }

    /* Of the mean. */
    double variance(size_t i) const
    {
        const double all = static_cast<double>(squares[i]) - static_cast<double>(sum[i]) * mean(i);
        return all / static_cast<double>(n - 1) / static_cast<double>(n);
    }
};

class Bench
{
  public:
    explicit Bench(const Options &given)
        : options(given), source(given.seed), top(&context), signals(top)
    {
        top.rst = 1;
        clock();
        top.rst = 0;
        while (!top.key_ready)
            clock();
    }

    /* Words of key and block: the trace, and that the core answered. */
    Words run(const Words &key, const Words &block)
    {
        trace.clear();
        for (const uint32_t word : key) {
            const uint32_t mask = options.masks ? bits() : 0;
            top.key_valid = 1;
            top.key_data = static_cast<uint64_t>(mask) << 32 | (word ^ mask);
            clock();
        }
        top.key_valid = 0;
        while (!top.in_ready)
            clock();
        for (size_t i = 0; i < 4; i++) {
            const uint32_t mask = options.masks ? bits() : 0;
            top.in_data[i] = block[i] ^ mask;
            top.in_data[i + 4] = mask;
        }
        top.in_valid = 1;
        clock();
        top.in_valid = 0;
        while (!top.out_valid)
            clock();
        top.out_ready = 1;
        clock();
        top.out_ready = 0;
        return trace;
    }

    uint32_t bits()
    {
        return source();
    }

  private:
    Options options;
    std::mt19937 source;
    VerilatedContext context;
    Vcore top;
    Signals signals;
    Words trace;

    void clock()
    {
        top.random = options.random ? bits() : 0;
        top.clk = 0;
        top.eval();
        trace.push_back(signals.changed());
        top.clk = 1;
        top.eval();
    }
};

Words random_words(Bench &bench, size_t n)
{
    Words words(n);
    for (uint32_t &word : words)
        word = bench.bits();
    return words;
}

void compare(const Sums &fixed, const Sums &random, const Options &options)
{
    double largest = 0;
    size_t where = 0;
    for (size_t i = 0; i < fixed.sum.size(); i++) {
        const double variance = fixed.variance(i) + random.variance(i);
        const double difference = std::fabs(fixed.mean(i) - random.mean(i));
        /* Without any mask all traces of the fixed half are equal. */
        const double t = variance > 0     ? difference / std::sqrt(variance)
                         : difference > 0 ? INFINITY
                                          : 0;
        if (t > largest) {
            largest = t;
            where = i;
        }
    }
    printf("%zu %zu %g %zu\n", options.traces, fixed.sum.size(), largest, where);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: power TRACES SEED MASKS RANDOM\n");
        return 2;
    }
    const auto number = [&](int i) { return strtoul(argv[i], nullptr, 10); };
    const Options options = {number(1), static_cast<unsigned>(number(2)), number(3) != 0,
                             number(4) != 0};
    Bench bench(options);
    const Words key = random_words(bench, KEY_WORDS), block = random_words(bench, 4);
    Sums halves[2];
    size_t clocks = 0;
    for (size_t i = 0; i < options.traces; i++) {
        const Words other_key = random_words(bench, KEY_WORDS),
                    other_block = random_words(bench, 4);
        const bool fixed = bench.bits() & 1;
        const Words trace = fixed ? bench.run(key, block) : bench.run(other_key, other_block);
        if (clocks && trace.size() != clocks) {
            fprintf(stderr, "power: a trace has %zu clocks and another %zu\n", trace.size(),
                    clocks);
            return 1;
        }
        clocks = trace.size();
        halves[fixed].add(trace);
    }
    compare(halves[1], halves[0], options);
    return 0;
}
