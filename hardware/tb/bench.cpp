/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tests of one core, and its figures: the same for all. simulate.py builds and runs this.
 *
 * Usage: bench encrypt|decrypt|both LEVELS TABLE RANDOM SEED
 *
 * LEVELS blocks are interleaved. TABLE and RANDOM have a line "KEY PLAIN CIPHER" for each block, in
 * hexadecimal; lines with one key stand together. Prints the figures as JSON, or to stderr what is
 * wrong; then the exit status is 1. */
#include "session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

namespace
{

struct Directions {
    bool encrypt;
    bool decrypt;
};

struct Figures {
    std::vector<std::pair<std::string, double>> clocks; /* of a block in a full stream */
    std::map<size_t, double> chained;                   /* of a block, by the number of chains */
    size_t latency = 0;
    size_t startup = 0;
    size_t inside = 0;
    size_t zeroise = 0;
};

struct Bench {
    Directions directions;
    size_t levels;
    std::vector<Key> table;
    std::vector<Key> random;
    unsigned seed;
    Figures figures;
};

/* --- vectors ---------------------------------------------------------------------------------- */

uint32_t word_at(const std::string &hex, size_t i)
{
    uint32_t word = 0;
    for (size_t byte = 4; byte-- > 0;)
        word = word << 8 |
               static_cast<uint32_t>(std::stoul(hex.substr(8 * i + 2 * byte, 2), nullptr, 16));
    return word;
}

std::vector<uint32_t> words_of(const std::string &hex)
{
    std::vector<uint32_t> words;
    for (size_t i = 0; i < hex.size() / 8; i++)
        words.push_back(word_at(hex, i));
    return words;
}

Block block_of(const std::string &hex)
{
    return {word_at(hex, 0), word_at(hex, 1), word_at(hex, 2), word_at(hex, 3)};
}

std::vector<Key> read_vectors(const char *path)
{
    std::ifstream file(path);
    std::vector<Key> keys;
    std::string key, plain, cipher;
    while (file >> key >> plain >> cipher) {
        const std::vector<uint32_t> words = words_of(key);
        if (keys.empty() || keys.back().words != words)
            keys.push_back({words, {}});
        keys.back().texts.push_back({block_of(plain), block_of(cipher)});
    }
    if (keys.empty())
        throw Failure(std::string("no vectors in ") + path);
    return keys;
}

/* --- work ------------------------------------------------------------------------------------- */

/* The actions and their times come from one seed, keys and texts from another. */
class Work
{
  public:
    Work(const Bench &its_bench, unsigned control_seed, unsigned secret_seed)
        : control(control_seed), bench(its_bench), secret(secret_seed)
    {
    }

    Random control;

    bool direction()
    {
        const bool decrypt = control.chance(50);
        return bench.directions.encrypt && bench.directions.decrypt ? decrypt
                                                                    : bench.directions.decrypt;
    }

    const Key &key()
    {
        return bench.random[secret.below(bench.random.size())];
    }

    std::vector<Job> jobs(const Key &key, size_t count)
    {
        std::vector<Job> some;
        while (some.size() < count)
            some.push_back({key.texts[secret.below(key.texts.size())], direction()});
        return some;
    }

    Load load(size_t count, size_t early = 0)
    {
        const Key &some = key();
        return {&some, jobs(some, count), early};
    }

  private:
    const Bench &bench;
    Random secret;
};

std::vector<bool> each_direction(const Bench &bench)
{
    std::vector<bool> all;
    if (bench.directions.encrypt)
        all.push_back(false);
    if (bench.directions.decrypt)
        all.push_back(true);
    return all;
}

/* --- right results ---------------------------------------------------------------------------- */

/* Every text under every key, in each direction. */
void table_steps(Bench &bench)
{
    Session session(bench.seed, bench.seed);
    for (const Key &key : bench.table) {
        std::vector<Job> jobs;
        for (const Text &text : key.texts)
            for (const bool decrypt : each_direction(bench))
                jobs.push_back({text, decrypt});
        session.add({&key, jobs});
    }
    session.run();
}

/* Every text under every key, in one direction or the other. */
void random_keys_and_blocks(Bench &bench)
{
    Work work(bench, bench.seed, bench.seed);
    Session session(bench.seed, bench.seed);
    for (const Key &key : bench.random) {
        std::vector<Job> jobs;
        for (const Text &text : key.texts)
            jobs.push_back({text, work.direction()});
        session.add({&key, jobs});
    }
    session.run();
}

/* --- figures ---------------------------------------------------------------------------------- */

/* Over some turns of the interleaved blocks, in a longer stream. */
double clocks_of_a_block(const Bench &bench, const std::function<bool(size_t)> &decrypt,
                         size_t chains = SIZE_MAX)
{
    const size_t from = 8 * bench.levels, count = 16 * bench.levels;
    Session session(bench.seed, bench.seed);
    session.chains = chains;
    const Key &key = bench.random.front();
    Load load = {&key, {}};
    for (size_t i = 0; i < from + count + bench.levels; i++)
        load.jobs.push_back({key.texts[i % key.texts.size()], decrypt(i)});
    session.add(load);
    session.run();
    const size_t clocks = session.taken[from + count] - session.taken[from];
    return static_cast<double>(clocks) / static_cast<double>(count);
}

void full_stream(Bench &bench)
{
    if (bench.directions.encrypt)
        bench.figures.clocks.push_back(
            {"encrypt", clocks_of_a_block(bench, [](size_t) { return false; })});
    if (bench.directions.decrypt)
        bench.figures.clocks.push_back(
            {"decrypt", clocks_of_a_block(bench, [](size_t) { return true; })});
    if (bench.directions.encrypt && bench.directions.decrypt)
        bench.figures.clocks.push_back(
            {"mixed", clocks_of_a_block(bench, [](size_t i) { return i % 3 == 0; })});
}

/* As in CBC encryption of this many messages. A text stands for plaintext ^ ciphertext before. */
void chains(Bench &bench)
{
    const bool decrypt = !bench.directions.encrypt;
    for (const size_t count : {size_t{1}, bench.levels, bench.levels + 1})
        bench.figures.chained[count] = clocks_of_a_block(
            bench, [=](size_t) { return decrypt; }, count);
}

/* Of a block alone, from the clock that takes it to the first that offers the result. */
void latency_and_startup(Bench &bench)
{
    Work work(bench, bench.seed, bench.seed);
    for (const bool decrypt : each_direction(bench)) {
        Session session(bench.seed, bench.seed);
        const Key &key = work.key();
        session.add({&key, {{key.texts[0], decrypt}}});
        session.run();
        bench.figures.latency =
            std::max(bench.figures.latency, session.offered[0] - session.taken[0]);
        bench.figures.startup = std::max(bench.figures.startup, session.startup);
    }
}

/* --- the interface ---------------------------------------------------------------------------- */

void stalls(Bench &bench)
{
    Work work(bench, bench.seed, bench.seed);
    for (const int key : {15, 100})
        for (const int in : {5, 50, 100})
            for (const int out : {5, 50, 100}) {
                Session session(work.control.word(), bench.seed);
                session.rates = {key, in, out};
                for (int i = 0; i < 5; i++)
                    session.add(work.load(work.control.below(9)));
                session.run();
            }
}

/* The first word of a key comes with the last blocks of the old one still waiting, or just
 * taken. */
void key_changes(Bench &bench)
{
    Work work(bench, bench.seed, bench.seed);
    for (const int out : {10, 100}) {
        Session session(work.control.word(), bench.seed);
        session.rates = {100, 100, out};
        for (int i = 0; i < 60; i++)
            session.add(work.load(work.control.below(7), work.control.below(3)));
        session.run();
    }
}

/* With out_ready low for ever nothing is lost, not even with a new key at the door. */
void stuck_output(Bench &bench)
{
    const size_t enough = 30, wait = 200 + 3 * bench.figures.startup + 10 * bench.figures.latency;
    Work work(bench, bench.seed, bench.seed);
    for (const size_t blocks : {size_t{1}, size_t{2}, enough}) {
        Session session(work.control.word(), bench.seed);
        session.add(work.load(blocks));
        session.add(work.load(2));
        session.rates.out = 0;
        session.clocks(wait);
        bench.figures.inside = std::max(bench.figures.inside, session.inside());
        if (session.inside() == 0 || session.inside() == enough)
            throw Failure(std::to_string(session.inside()) +
                          " blocks inside when no result is taken");
        session.rates.out = 100;
        session.run();
    }
}

/* A key of which words are missing is no key, and the one before is none any more. */
void partial_key(Bench &bench)
{
    const size_t wait = 500 + bench.figures.startup + 2 * bench.figures.latency;
    Work work(bench, bench.seed, bench.seed);
    for (size_t words = 0; words < work.key().words.size(); words++) {
        Session session(work.control.word(), bench.seed);
        for (int i = 0; i < 3; i++) {
            session.words_allowed = words;
            session.add(work.load(3));
            session.clocks(wait);
            session.words_allowed = SIZE_MAX;
            session.run();
        }
    }
}

void block_before_key(Bench &bench)
{
    Work work(bench, bench.seed, bench.seed);
    Session session(bench.seed, bench.seed);
    session.offer_without_key(work.jobs(work.key(), 3));
    session.clocks(500);
    session.add(work.load(3, SIZE_MAX));
    session.run();
}

/* --- rst and zeroise -------------------------------------------------------------------------- */

/* The outside view of a run, and the contents of the core each time that it says to be wiped. */
struct History {
    std::vector<unsigned char> seen;
    std::vector<std::vector<Register>> before;
    std::vector<std::vector<Register>> wiped;
    size_t zeroise = 0;
};

/* A clock with rst or zeroise; then nothing comes out of what was in the core. */
void interrupt(Session &session, Work &work, History &history)
{
    switch (work.control.below(3)) {
    case 0:
        session.reset();
        break;
    case 1:
        session.zeroise_clock();
        break;
    default:
        history.before.push_back(session.registers());
        history.zeroise = std::max(history.zeroise, session.zeroise());
        history.wiped.push_back(session.registers());
    }
}

/* In the middle of everything: of the words of a key, its set-up, a block, with results that
 * wait. */
History interruptions(const Bench &bench, unsigned secret)
{
    Work work(bench, bench.seed, secret);
    Session session(work.control.word(), secret);
    History history;
    const size_t longest = bench.figures.startup + 3 * bench.figures.latency;
    for (int i = 0; i < 100; i++) {
        session.rates = {50, 100, work.control.chance(70) ? 20 : 0};
        session.add(work.load(6));
        session.clocks(work.control.below(work.control.chance(50) ? 30 : longest));
        interrupt(session, work, history);
        session.rates.out = 100;
        session.run();
    }
    history.seen = session.seen;
    return history;
}

/* The first signal that differs. */
const Register *difference(const std::vector<Register> &one, const std::vector<Register> &other)
{
    for (size_t i = 0; i < one.size(); i++)
        if (one[i].bytes != other[i].bytes)
            return &one[i];
    return nullptr;
}

void same_clocks(const std::vector<unsigned char> &one, const std::vector<unsigned char> &other)
{
    const auto place = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    if (place.first != one.end() || place.second != other.end())
        throw Failure("clock " + std::to_string(place.first - one.begin()) +
                      ": with another key or other data, but all else the same, the core is ready "
                      "at another time");
}

/* Two runs that differ in keys and data alone. If no signal of the core shows the difference, then
 * nothing of them is left; that they show it before makes sure that the comparison can see. */
void nothing_left(const History &one, const History &other)
{
    bool differed = false;
    for (size_t i = 0; i < one.wiped.size(); i++) {
        differed = differed || difference(one.before[i], other.before[i]);
        if (const Register *left = difference(one.wiped[i], other.wiped[i]))
            throw Failure("zeroise leaves something of the key or the data in " + left->name);
    }
    if (!differed)
        throw Failure("no signal of the core shows any key or data");
}

void rst_and_zeroise(Bench &bench)
{
    const History one = interruptions(bench, bench.seed + 1),
                  other = interruptions(bench, bench.seed + 2);
    same_clocks(one.seen, other.seen);
    nothing_left(one, other);
    bench.figures.zeroise = one.zeroise;
}

/* --- time ------------------------------------------------------------------------------------- */

std::vector<unsigned char> seen_with(const Bench &bench, unsigned secret)
{
    Work work(bench, bench.seed, secret);
    Session session(work.control.word(), secret);
    for (int i = 0; i < 25; i++) {
        const int rate = work.control.chance(50) ? 100 : 30;
        session.rates = {rate, rate, rate};
        session.add(work.load(work.control.below(9), work.control.below(2)));
        session.run();
    }
    return session.seen;
}

void time_is_no_secret(Bench &bench)
{
    const std::vector<unsigned char> first = seen_with(bench, bench.seed);
    for (unsigned secret = 1; secret < 4; secret++)
        same_clocks(first, seen_with(bench, bench.seed + secret));
}

/* --- all of it -------------------------------------------------------------------------------- */

const struct {
    const char *name;
    void (*run)(Bench &);
} TESTS[] = {
    {"table steps", table_steps},
    {"full stream", full_stream},
    {"chains", chains},
    {"latency and start-up", latency_and_startup},
    {"random keys and blocks", random_keys_and_blocks},
    {"stalls", stalls},
    {"key changes", key_changes},
    {"stuck output", stuck_output},
    {"partial key", partial_key},
    {"block before key", block_before_key},
    {"rst and zeroise", rst_and_zeroise},
    {"time is no secret", time_is_no_secret},
};

void print(const Figures &figures)
{
    printf("{\"stream\": {");
    const char *between = "";
    for (const auto &each : figures.clocks) {
        printf("%s\"%s\": %g", between, each.first.c_str(), each.second);
        between = ", ";
    }
    printf("}, \"chained\": {");
    between = "";
    for (const auto &each : figures.chained) {
        printf("%s\"%zu\": %g", between, each.first, each.second);
        between = ", ";
    }
    printf("}, \"latency\": %zu, \"startup\": %zu, \"inside\": %zu, \"zeroise\": %zu}\n",
           figures.latency, figures.startup, figures.inside, figures.zeroise);
}

int run_tests(Bench &bench)
{
    for (const auto &test : TESTS)
        try {
            test.run(bench);
        } catch (const Failure &failure) {
            fprintf(stderr, "%s: %s\n", test.name, failure.what());
            return 1;
        }
    print(bench.figures);
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: bench encrypt|decrypt|both LEVELS TABLE RANDOM SEED\n");
        return 2;
    }
    const std::string which = argv[1];
    Bench bench = {{which != "decrypt", which != "encrypt"},
                   strtoul(argv[2], nullptr, 10),
                   read_vectors(argv[3]),
                   read_vectors(argv[4]),
                   static_cast<unsigned>(strtoul(argv[5], nullptr, 10)),
                   {}};
    return run_tests(bench);
}
