/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shows what a bit that changes by itself does to a core. faults.py builds and runs this; with
 * ALERT the core has that port.
 *
 * Usage: faults RUNS SEED
 *
 * In each run the core takes a key and some blocks, with pauses, and one bit of a register changes
 * in a clock that is chosen at random; the bits take turns. Prints how many bits registers have,
 * and how many runs ended how:
 *   alert     `alert` came, and no wrong result left
 *   harmless  all results are right, as in the same run without the change
 *   wrong     a wrong result left, or one too many
 *   silent    results are missing, and there is no alert */
#include "sources.inc"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

namespace
{

using Words = std::vector<uint32_t>;

struct Bit {
    unsigned char *byte;
    unsigned char mask;
};

struct Change {
    size_t clock;
    size_t bit;
};

struct Run {
    std::vector<Words> results;
    bool alert = false;
    size_t clocks = 0;
};

const size_t BLOCKS = 2;
const size_t IN_WORK = 200, WIPED = 100; /* clocks until a block is in work, and of a wipe */
const unsigned long CHANGES = 10;        /* with the same key and blocks */
const size_t SETTLED = 40;   /* clocks after the last result in which nothing may happen */
const size_t AT_MOST = 4000; /* clocks of a run */

class Model
{
  public:
    Model() : core(new Vcore(&context))
    {
#define SIGNAL(name, bits) add(&core->rootp->name, bits);
#include "signals.inc"
#undef SIGNAL
        core->clk = 1;
        core->eval();
    }

    Vcore &top()
    {
        return *core;
    }

    size_t bits() const
    {
        return all.size();
    }

    bool get(size_t bit) const
    {
        return *all[bit].byte & all[bit].mask;
    }

    void flip(size_t bit)
    {
        *all[bit].byte = static_cast<unsigned char>(*all[bit].byte ^ all[bit].mask);
        core->eval();
    }

  private:
    VerilatedContext context;
    std::unique_ptr<Vcore> core;
    std::vector<Bit> all; /* of all signals; little-endian, as Verilator keeps them here */

    void add(void *data, size_t bits)
    {
        for (size_t i = 0; i < bits; i++)
            all.push_back({static_cast<unsigned char *>(data) + i / 8,
                           static_cast<unsigned char>(1 << i % 8)});
    }
};

/* One run: everything but the change comes from the seed. */
class Driver
{
  public:
    explicit Driver(unsigned seed) : random(seed)
    {
        for (size_t i = 0; i < KEY_WORDS; i++)
            key.push_back(word());
        for (size_t i = 0; i < BLOCKS; i++)
            blocks.push_back({word(), word(), word(), word(), word() & 1});
    }

    Run run(size_t last, const Change *change)
    {
        reset();
        Run found;
        size_t since = 0;
        while (found.clocks < last && (change || since < SETTLED)) {
            offer();
            if (change && found.clocks == change->clock)
                model.flip(change->bit);
            take(found);
            since = found.results.size() < BLOCKS ? 0 : since + 1;
            clock();
            found.clocks++;
        }
        return found;
    }

    /* All bits of a core that was in mid-block when a bit changed that is an alert, later. */
    std::vector<bool> after_alert(size_t bit)
    {
        reset();
        Run ignored;
        for (size_t i = 0; i < IN_WORK; i++) {
            offer();
            take(ignored);
            clock();
        }
        model.flip(bit);
        words_given = key.size();
        blocks_given = blocks.size();
        for (size_t i = 0; i < WIPED; i++) {
            offer();
            model.top().out_ready = 1;
            clock();
        }
        std::vector<bool> all;
        for (size_t i = 0; i < model.bits(); i++)
            all.push_back(model.get(i));
        return all;
    }

    Model model;

  private:
    std::mt19937 random;
    Words key;
    std::vector<Words> blocks;
    size_t words_given = 0, blocks_given = 0;
    bool key_offered = false, block_offered = false;

    void reset()
    {
        model.top().rst = 1;
        clock();
        clock();
        model.top().rst = 0;
    }

    uint32_t word()
    {
        return static_cast<uint32_t>(random());
    }

    bool sometimes()
    {
        return word() % 4 != 0;
    }

    void offer()
    {
        Vcore &top = model.top();
        key_offered = (key_offered || sometimes()) && words_given < key.size();
        block_offered = (block_offered || sometimes()) && blocks_given < blocks.size();
        top.out_ready = sometimes();
        top.key_valid = key_offered;
        top.key_data = key_offered ? key[words_given] : 0;
        top.in_valid = block_offered;
        for (int i = 0; i < 4; i++)
            top.in_data[i] = block_offered ? blocks[blocks_given][static_cast<size_t>(i)] : 0;
        top.in_decrypt = block_offered && blocks[blocks_given][4];
        top.eval();
    }

    void take(Run &run)
    {
        Vcore &top = model.top();
        if (top.key_valid && top.key_ready) {
            words_given++;
            key_offered = false;
        }
        if (top.in_valid && top.in_ready) {
            blocks_given++;
            block_offered = false;
        }
        if (top.out_valid && top.out_ready)
            run.results.push_back(
                {top.out_data[0], top.out_data[1], top.out_data[2], top.out_data[3]});
#ifdef ALERT
        run.alert = run.alert || top.alert;
#endif
    }

    void clock()
    {
        model.top().clk = 0;
        model.top().eval();
        model.top().clk = 1;
        model.top().eval();
    }
};

/* Of a model at rest: the bits that stay as they were changed. Those of wires come back. */
std::vector<size_t> bits_of_registers()
{
    Driver driver(1);
    driver.run(1, nullptr);
    Model &model = driver.model;
    std::vector<size_t> found;
    for (size_t bit = 0; bit < model.bits(); bit++) {
        const bool before = model.get(bit);
        model.flip(bit);
        if (model.get(bit) == before)
            continue;
        found.push_back(bit);
        model.flip(bit);
    }
    return found;
}

#ifdef ALERT
std::vector<size_t> bits_of_alert(const std::vector<size_t> &bits)
{
    Driver driver(1);
    driver.run(1, nullptr);
    std::vector<size_t> found;
    for (const size_t bit : bits) {
        driver.model.flip(bit);
        if (driver.model.top().alert)
            found.push_back(bit);
        driver.model.flip(bit);
    }
    return found;
}

/* Whether an alert leaves nothing of keys and blocks: then two cores with others are the same. */
bool alert_wipes(const std::vector<size_t> &bits)
{
    const std::vector<size_t> alerts = bits_of_alert(bits);
    for (const size_t bit : alerts) {
        const std::vector<bool> one = Driver(2).after_alert(bit);
        if (Driver(3).after_alert(bit) != one)
            return false;
    }
    return !alerts.empty();
}
#endif

enum Outcome { ALARM, HARMLESS, WRONG, SILENT };

Outcome outcome(const Run &right, const Run &found)
{
    for (size_t i = 0; i < found.results.size(); i++)
        if (i >= right.results.size() || found.results[i] != right.results[i])
            return WRONG;
    if (found.alert)
        return ALARM;
    return found.results.size() == right.results.size() ? HARMLESS : SILENT;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: faults RUNS SEED\n");
        return 2;
    }
    const unsigned long runs = strtoul(argv[1], nullptr, 10);
    std::mt19937 random(static_cast<unsigned>(strtoul(argv[2], nullptr, 10)));
    std::vector<size_t> bits = bits_of_registers();
#ifdef ALERT
    if (!alert_wipes(bits)) {
        fprintf(stderr, "an alert leaves something of the key or the block\n");
        return 1;
    }
#endif
    std::shuffle(bits.begin(), bits.end(), random);
    unsigned long counts[4] = {};
    unsigned seed = 0;
    Run right;
    for (unsigned long i = 0; i < runs; i++) {
        if (i % CHANGES == 0) {
            seed = static_cast<unsigned>(random());
            right = Driver(seed).run(AT_MOST, nullptr);
        }
        const Change change = {random() % (right.clocks - SETTLED), bits[i % bits.size()]};
        counts[outcome(right, Driver(seed).run(right.clocks, &change))]++;
    }
    printf("{\"bits\": %zu, \"alert\": %lu, \"harmless\": %lu, \"wrong\": %lu, \"silent\": %lu}\n",
           bits.size(), counts[ALARM], counts[HARMLESS], counts[WRONG], counts[SILENT]);
    return 0;
}
