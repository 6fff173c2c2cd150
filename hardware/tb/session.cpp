/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "session.h"

#include <cstdio>

namespace
{

const size_t PATIENCE = 4000; /* clocks without a transfer, where one is due */

Block result_of(const Job &job)
{
    return job.decrypt ? job.text.plain : job.text.cipher;
}

} // namespace

/* As bytes of memory, so that it can be compared with the vectors. */
std::string hexadecimal(const Block &block)
{
    std::string text;
    for (const uint32_t word : block)
        for (int i = 0; i < 4; i++) {
            char digits[3];
            snprintf(digits, sizeof digits, "%02x", word >> 8 * i & 0xFF);
            text += digits;
        }
    return text;
}

Session::Session(unsigned control_seed, unsigned secret_seed)
    : core(make_core(static_cast<int>(control_seed % 1000000) + 1)), control(control_seed),
      noise(secret_seed)
{
    reset();
}

void Session::fail(const std::string &what) const
{
    throw Failure("clock " + std::to_string(now) + ": " + what);
}

void Session::add(const Load &load)
{
    loads.push_back(load);
}

void Session::offer_without_key(const std::vector<Job> &blocks)
{
    jobs.assign(blocks.begin(), blocks.end());
}

/* --- what is offered -------------------------------------------------------------------------- */

Inputs Session::next_inputs()
{
    Inputs in;
    in.key_data = noise.word();
    in.in_decrypt = noise.chance(50);
    for (uint32_t &each : in.in_data)
        each = noise.word();
    offer_key(in);
    offer_block(in);
    in.out_ready = control.chance(rates.out);
    return in;
}

void Session::offer_key(Inputs &in)
{
    const bool go = control.chance(rates.key);
    if (loads.empty() || word >= words_allowed)
        return;
    const Load &load = loads.front();
    const bool due = word > 0 || jobs.size() <= load.early;
    key_offered = key_offered || (due && go);
    in.key_valid = key_offered;
    if (key_offered)
        in.key_data = load.key->words[word];
}

void Session::offer_block(Inputs &in)
{
    const bool go = control.chance(rates.in);
    if (jobs.empty() || expected.size() >= chains)
        return;
    const Job &job = jobs.front();
    block_offered = block_offered || go;
    in.in_valid = block_offered;
    if (!block_offered)
        return;
    in.in_decrypt = job.decrypt;
    in.in_data = job.decrypt ? job.text.cipher : job.text.plain;
}

/* --- one clock -------------------------------------------------------------------------------- */

void Session::clock()
{
    const Inputs in = next_inputs();
    if (control.chance(10))
        check_ready_alone(in);
    const Outputs out = core->clock(in);
    record(out);
    check_result(in, out);
    check_block(in, out);
    check_key(in, out);
    now++;
}

void Session::clocks(size_t count)
{
    while (count--)
        clock();
}

void Session::record(const Outputs &out)
{
    seen.push_back(
        static_cast<unsigned char>(out.key_ready | out.in_ready << 1 | out.out_valid << 2));
}

/* A ready must not wait for its valid, nor a valid for its ready, or two such sides wait for each
 * other. */
void Session::check_ready_alone(const Inputs &in)
{
    const Outputs out = core->look(in);
    Inputs other = in;
    other.key_valid = !in.key_valid;
    other.key_data = noise.word();
    if (core->look(other).key_ready != out.key_ready)
        fail("key_ready depends on key_valid or key_data in the same clock");
    other = in;
    other.in_valid = !in.in_valid;
    other.in_decrypt = !in.in_decrypt;
    other.in_data = {noise.word(), noise.word(), noise.word(), noise.word()};
    if (core->look(other).in_ready != out.in_ready)
        fail("in_ready depends on in_valid, in_decrypt or in_data in the same clock");
    other = in;
    other.out_ready = !in.out_ready;
    const Outputs then = core->look(other);
    if (then.out_valid != out.out_valid || (out.out_valid && then.out_data != out.out_data))
        fail("out_valid or out_data depends on out_ready in the same clock");
}

void Session::check_result(const Inputs &in, const Outputs &out)
{
    if (result_waits && !out.out_valid)
        fail("out_valid went low before out_ready took the result");
    if (!out.out_valid)
        return;
    if (expected.empty())
        fail("a result without a block: " + hexadecimal(out.out_data));
    if (out.out_data != expected.front())
        fail("expected " + hexadecimal(expected.front()) + ", found " + hexadecimal(out.out_data));
    if (!result_waits)
        offered.push_back(now);
    result_waits = !in.out_ready;
    if (in.out_ready) {
        expected.pop_front();
        last_progress = now;
    }
}

void Session::check_block(const Inputs &in, const Outputs &out)
{
    if (out.in_ready && !key_in_use)
        fail("in_ready without a whole key");
    if (out.in_ready && in.key_valid && out.key_ready)
        fail("in_ready at the edge that takes a word of a key");
    if (out.in_ready && !set_up) {
        set_up = true;
        startup = now - key_clock;
    }
    if (!in.in_valid || !out.in_ready)
        return;
    expected.push_back(result_of(jobs.front()));
    jobs.pop_front();
    block_offered = false;
    taken.push_back(now);
    last_progress = now;
}

void Session::check_key(const Inputs &in, const Outputs &out)
{
    if (!in.key_valid || !out.key_ready)
        return;
    const Load &load = loads.front();
    key_offered = false;
    last_progress = now;
    if (word++ == 0) {
        key_in_use = set_up = block_offered = false;
        jobs.assign(load.jobs.begin(), load.jobs.end());
    }
    if (word == load.key->words.size()) {
        key_in_use = true;
        key_clock = now;
        word = 0;
        loads.pop_front();
    }
}

/* --- many clocks ------------------------------------------------------------------------------ */

void Session::run()
{
    last_progress = now;
    while (!loads.empty() || !jobs.empty() || !expected.empty()) {
        clock();
        if (now - last_progress > PATIENCE)
            fail("nothing moves, with " + std::to_string(jobs.size()) + " blocks waiting and " +
                 std::to_string(expected.size()) + " inside");
    }
}

/* --- reset ------------------------------------------------------------------------------------ */

/* The core takes no offer meanwhile, even if it says so. */
void Session::reset_clock(Inputs in)
{
    record(core->clock(in));
    forget();
    now++;
}

void Session::forget()
{
    expected.clear();
    jobs.clear();
    word = 0;
    key_in_use = set_up = key_offered = block_offered = result_waits = false;
}

void Session::reset()
{
    Inputs in = next_inputs();
    in.rst = true;
    reset_clock(in);
}

void Session::zeroise_clock()
{
    Inputs in = next_inputs();
    in.zeroise = true;
    reset_clock(in);
}

size_t Session::zeroise()
{
    const size_t begin = now, allowed = words_allowed;
    zeroise_clock();
    words_allowed = 0;
    do {
        clock();
        if (now - begin > PATIENCE)
            fail("key_ready stays low after zeroise");
    } while (!(seen.back() & 1));
    words_allowed = allowed;
    return now - begin - 1;
}
