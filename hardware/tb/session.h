/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A core at work: a source of keys, a source of blocks and a sink of results, each with pauses of
 * its own, and in every clock the checks of what docs/hardware.md promises of the interface. */
#ifndef SESSION_H
#define SESSION_H

#include "core.h"

#include <deque>
#include <random>
#include <stdexcept>

/* The fault of the core, in a sentence. */
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Text {
    Block plain;
    Block cipher;
};

struct Key {
    std::vector<uint32_t> words;
    std::vector<Text> texts;
};

struct Job {
    Text text;
    bool decrypt;
};

/* A key and the blocks under it. The core is offered its first word when this many blocks of the
 * key before still wait to be taken; blocks that are not taken before that word never will be. */
struct Load {
    const Key *key;
    std::vector<Job> jobs;
    size_t early = 0;
};

/* How often each side that pauses goes on, in percent of the clocks. */
struct Rates {
    int key = 100;
    int in = 100;
    int out = 100;
};

class Random
{
  public:
    explicit Random(unsigned seed) : source(seed)
    {
    }
    uint32_t word()
    {
        return static_cast<uint32_t>(source());
    }
    size_t below(size_t n)
    {
        return source() % n;
    }
    bool chance(int percent)
    {
        return below(100) < static_cast<size_t>(percent);
    }

  private:
    std::mt19937 source;
};

class Session
{
  public:
    /* control: when things are offered and taken; secret: what is on the data wires while nothing
     * is offered. Begins with a reset. */
    Session(unsigned control, unsigned secret);

    Rates rates;
    size_t words_allowed = SIZE_MAX; /* of the present key; more are not offered */
    size_t chains = SIZE_MAX; /* of blocks, in turn: one is offered in the clock after the result
                                 before it has left, at the earliest */

    void add(const Load &load);
    void offer_without_key(const std::vector<Job> &jobs);

    void clock();
    void clocks(size_t count);
    void run();       /* until everything is done */
    void reset();     /* a clock with rst */
    size_t zeroise(); /* a clock with zeroise; then, without new words, until some would be taken */
    void zeroise_clock(); /* that first clock alone */

    size_t now = 0;     /* clocks since power came on */
    size_t startup = 0; /* of the key in use: from its last word to the first clock with in_ready */
    std::vector<size_t> taken;       /* clocks in which blocks were taken */
    std::vector<size_t> offered;     /* clocks from which on results were offered */
    std::vector<unsigned char> seen; /* in each clock, the three signals by which the core speaks of
                                        time */

    size_t inside() const
    {
        return expected.size();
    }
    std::vector<Register> registers()
    {
        return core->registers();
    }

  private:
    std::unique_ptr<Core> core;
    Random control;
    Random noise;

    std::deque<Load> loads; /* the first one's words are being offered, or will be */
    size_t word = 0;        /* how many of them were taken */
    std::deque<Job> jobs;   /* of the key in use, or of the one that is coming */
    bool key_offered = false;
    bool block_offered = false;
    bool key_in_use = false;
    bool set_up = false;
    size_t key_clock = 0;
    size_t last_progress = 0;

    std::deque<Block> expected;
    bool result_waits = false; /* since an earlier clock */

    Inputs next_inputs();
    void offer_key(Inputs &in);
    void offer_block(Inputs &in);
    void reset_clock(Inputs in);
    void forget();

    void check_ready_alone(const Inputs &in);
    void check_result(const Inputs &in, const Outputs &out);
    void check_block(const Inputs &in, const Outputs &out);
    void check_key(const Inputs &in, const Outputs &out);
    void record(const Outputs &out);
    [[noreturn]] void fail(const std::string &what) const;
};

std::string hexadecimal(const Block &block);

#endif
