/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tests a core behind a bus, by the driver of driver/ and by accesses of its own.
 *
 * Usage: bench encrypt|decrypt|both KEY_BITS VECTORS SEED
 *   VECTORS  lines of key, plaintext, ciphertext, in hexadecimal
 * Prints a line of JSON: the most clocks that a write had to wait. Exit status 1: a sentence on
 * stderr says what is wrong. */
#include "bus.h"

#include "twofish_hw.h"
#include "twofish_io.h"
#include "twofish_regs.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

extern "C" twofish_hw_status example(volatile uint32_t *device, const unsigned char key[16],
                                     const unsigned char counter[16], unsigned char message[32]);

namespace
{

using Bytes = std::vector<unsigned char>;

struct Case {
    Bytes key, plain, cipher;
};

std::unique_ptr<Bus> bus;
/* The driver gets the address of this; the functions below take it to the bus. */
volatile uint32_t window[TWOFISH_WINDOW_BYTES / 4];
bool driver_was_refused = false;
/* Bits that change STATUS on its way to the driver, for faults of a device. */
uint32_t status_or = 0, status_and = ~0U;

} // namespace

extern "C" uint32_t twofish_io_read(const volatile uint32_t *device, uint32_t offset)
{
    check(device == window && offset % 4 == 0, "the driver reads elsewhere");
    const Answer answer = bus->read(offset);
    driver_was_refused |= answer.error;
    return offset == TWOFISH_STATUS ? (answer.data | status_or) & status_and : answer.data;
}

extern "C" void twofish_io_write(volatile uint32_t *device, uint32_t offset, uint32_t value)
{
    check(device == window && offset % 4 == 0, "the driver writes elsewhere");
    driver_was_refused |= bus->refuses({offset, value});
}

namespace
{

Bytes bytes_of(const std::string &digits)
{
    Bytes bytes;
    for (size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes.push_back(static_cast<unsigned char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    return bytes;
}

std::vector<Case> cases_in(const char *path)
{
    std::ifstream file(path);
    std::vector<Case> cases;
    for (std::string key, plain, cipher; file >> key >> plain >> cipher;)
        cases.push_back({bytes_of(key), bytes_of(plain), bytes_of(cipher)});
    check(cases.size() > 3, std::string("too few vectors in ") + path);
    return cases;
}

uint32_t word(const Bytes &bytes, size_t i)
{
    uint32_t found;
    std::memcpy(&found, &bytes[4 * i], 4); /* as a little-endian CPU loads it */
    return found;
}

std::vector<Write> writes_of(uint32_t offset, const Bytes &bytes)
{
    std::vector<Write> writes;
    for (uint32_t i = 0; i < bytes.size() / 4; i++)
        writes.push_back({offset + 4 * i, word(bytes, i)});
    return writes;
}

/* An answer of the driver that was expected; the bus must have refused nothing meanwhile. */
void says(twofish_hw_status found, twofish_hw_status wanted, const char *what)
{
    std::ostringstream sentence;
    sentence << what << ": the driver says " << found << ", not " << wanted;
    check(found == wanted, sentence.str());
    check(!driver_was_refused, std::string(what) + ": an access of the driver was refused");
}

class Bench
{
  public:
    Bench(const std::string &directions, size_t bits, std::vector<Case> vectors)
        : encrypts(directions != "decrypt"), decrypts(directions != "encrypt"), key_bytes(bits / 8),
          cases(std::move(vectors)),
          start(encrypts ? TWOFISH_CONTROL_START : TWOFISH_CONTROL_START | TWOFISH_CONTROL_DECRYPT)
    {
    }

    void run()
    {
        identity();
        bad_use();
        vectors();
        many_blocks();
        sticky_status();
        streams();
        refusals_when_idle();
        refusals_when_busy();
        half_a_key();
        result_is_hidden();
        interrupts();
        wipes();
        bus->pauses = false;
        streams();
        key_ready();
        same_clocks();
        if (encrypts && key_bytes == 16)
            ctr_example();
    }

  private:
    bool encrypts, decrypts;
    size_t key_bytes;
    std::vector<Case> cases;
    uint32_t start;

    /* The text that `start` takes, and its result. */
    const Bytes &text_of(const Case &one) const
    {
        return encrypts ? one.plain : one.cipher;
    }
    const Bytes &result_of(const Case &one) const
    {
        return encrypts ? one.cipher : one.plain;
    }
    twofish_hw_status crypt(unsigned char *out, const unsigned char *in, size_t blocks) const
    {
        return encrypts ? twofish_hw_encrypt(window, out, in, blocks)
                        : twofish_hw_decrypt(window, out, in, blocks);
    }
    uint32_t status() const
    {
        return bus->read(TWOFISH_STATUS).data;
    }
    void wait_until_idle() const
    {
        for (int i = 0; status() & TWOFISH_STATUS_BUSY; i++)
            check(i < 3000, "busy for ever");
    }
    void set_key(const Case &one) const
    {
        says(twofish_hw_set_key(window, one.key.data(), key_bytes), TWOFISH_HW_OK, "set_key");
    }
    void accept(const std::vector<Write> &writes) const
    {
        for (const Answer &answer : bus->access(writes, {}))
            check(!answer.error, "a good write was refused");
    }
    void refuse(const Write &write, const char *what) const
    {
        accept({{TWOFISH_EVENTS, TWOFISH_EVENTS_REFUSED}});
        check(bus->refuses(write), std::string("was not refused: ") + what);
        check(bus->read(TWOFISH_EVENTS).data & TWOFISH_EVENTS_REFUSED,
              std::string("no event of the refusal: ") + what);
        accept({{TWOFISH_EVENTS, TWOFISH_EVENTS_REFUSED}});
        check(!(bus->read(TWOFISH_EVENTS).data & TWOFISH_EVENTS_REFUSED), "an event stays");
    }
    Bytes result() const
    {
        Bytes bytes;
        for (const Answer &answer : bus->access({}, {TWOFISH_RESULT, TWOFISH_RESULT + 4,
                                                     TWOFISH_RESULT + 8, TWOFISH_RESULT + 12})) {
            check(!answer.error, "a result could not be read");
            for (int i = 0; i < 4; i++)
                bytes.push_back(static_cast<unsigned char>(answer.data >> 8 * i));
        }
        return bytes;
    }

    void identity()
    {
        check(bus->read(TWOFISH_ID).data == TWOFISH_ID_VALUE, "another ID");
        check(bus->read(TWOFISH_VERSION).data == TWOFISH_VERSION_VALUE, "another VERSION");
        const uint32_t wanted = static_cast<uint32_t>(key_bytes / 4) |
                                (encrypts ? TWOFISH_FEATURES_ENCRYPT : 0) |
                                (decrypts ? TWOFISH_FEATURES_DECRYPT : 0);
        check(bus->read(TWOFISH_FEATURES).data == wanted, "other FEATURES");
        check(twofish_hw_key_bytes(window) == key_bytes, "another size of keys");
        says(twofish_hw_open(window), TWOFISH_HW_OK, "open");
        check(status() == TWOFISH_STATUS_KEY_READY, "another STATUS after open");
    }

    /* Nothing that the driver refuses reaches the bus as something refused. */
    void bad_use()
    {
        unsigned char block[16] = {1};
        const unsigned char *key = cases[0].key.data();
        says(twofish_hw_open(nullptr), TWOFISH_HW_ERROR_NULL, "open without a device");
        says(twofish_hw_wipe(nullptr), TWOFISH_HW_ERROR_NULL, "wipe without a device");
        check(twofish_hw_key_bytes(nullptr) == 0, "a size of keys without a device");
        says(twofish_hw_set_key(window, nullptr, key_bytes), TWOFISH_HW_ERROR_NULL, "no key");
        says(crypt(nullptr, block, 1), TWOFISH_HW_ERROR_NULL, "no output");
        says(crypt(block, nullptr, 1), TWOFISH_HW_ERROR_NULL, "no input");
        says(crypt(block, block, 1), TWOFISH_HW_ERROR_NO_KEY, "a block without a key");
        set_key(cases[0]);
        for (const size_t size : {0U, 15U, 16U, 24U, 32U, 64U, 80U})
            if (size != key_bytes)
                says(twofish_hw_set_key(window, key, size), TWOFISH_HW_ERROR_KEY_BYTES, "size");
        if (!encrypts)
            says(twofish_hw_encrypt(window, block, block, 1), TWOFISH_HW_ERROR_DIRECTION, "way");
        if (!decrypts)
            says(twofish_hw_decrypt(window, block, block, 1), TWOFISH_HW_ERROR_DIRECTION, "way");
        says(crypt(block, block, 0), TWOFISH_HW_OK, "no blocks");
        check(block[0] == 1 && block[1] == 0, "bad use changed the block");
        Bytes out(16);
        says(crypt(out.data(), text_of(cases[0]).data(), 1), TWOFISH_HW_OK, "the key stayed");
        check(out == result_of(cases[0]), "bad use changed the key");
    }

    void vectors()
    {
        for (const Case &one : cases) {
            set_key(one);
            Bytes out(16);
            if (encrypts) {
                says(twofish_hw_encrypt(window, out.data(), one.plain.data(), 1), TWOFISH_HW_OK,
                     "encrypt");
                check(out == one.cipher, "a block is encrypted to something else");
            }
            if (decrypts) {
                says(twofish_hw_decrypt(window, out.data(), one.cipher.data(), 1), TWOFISH_HW_OK,
                     "decrypt");
                check(out == one.plain, "a block is decrypted to something else");
            }
        }
    }

    /* At an odd address, apart and in place. */
    void many_blocks()
    {
        const Case &one = cases.back();
        Bytes in(1), wanted(1);
        for (int i = 0; i < 3; i++) {
            in.insert(in.end(), text_of(one).begin(), text_of(one).end());
            wanted.insert(wanted.end(), result_of(one).begin(), result_of(one).end());
        }
        Bytes out(in.size());
        set_key(one);
        says(crypt(&out[1], &in[1], 3), TWOFISH_HW_OK, "three blocks");
        check(out == wanted, "three blocks: another result");
        says(crypt(&in[1], &in[1], 3), TWOFISH_HW_OK, "three blocks in place");
        check(in == wanted, "three blocks in place: another result");
    }

    /* Devices that are busy for ever, that lose a key or a result. */
    void sticky_status()
    {
        const unsigned char *key = cases[0].key.data();
        Bytes block(16, 7);
        set_key(cases[0]);
        status_or = TWOFISH_STATUS_BUSY;
        bus->pauses = false;
        says(twofish_hw_set_key(window, key, key_bytes), TWOFISH_HW_ERROR_BUSY, "busy");
        says(crypt(block.data(), block.data(), 1), TWOFISH_HW_ERROR_BUSY, "busy");
        says(twofish_hw_wipe(window), TWOFISH_HW_ERROR_TIMEOUT, "busy for ever");
        status_or = 0;
        bus->pauses = true;
        says(crypt(block.data(), block.data(), 1), TWOFISH_HW_ERROR_NO_KEY, "wiped");
        status_and = ~TWOFISH_STATUS_KEY_SET;
        says(twofish_hw_set_key(window, key, key_bytes), TWOFISH_HW_ERROR_LOST, "key lost");
        status_and = ~TWOFISH_STATUS_RESULT;
        says(crypt(block.data(), block.data(), 1), TWOFISH_HW_ERROR_LOST, "result lost");
        status_and = ~0U;
        check(block == Bytes(16, 7), "an error changed the block");
    }

    /* Writes that follow each other without a look at STATUS: the bus makes them wait. Reads at the
     * same time get their own answers. */
    void streams()
    {
        for (const Case &one : cases) {
            accept({{TWOFISH_CONTROL, TWOFISH_CONTROL_CLEAR}});
            wait_until_idle();
            accept(writes_of(TWOFISH_KEY, one.key));
            wait_until_idle();
            std::vector<Write> block = writes_of(TWOFISH_TEXT, text_of(one));
            std::reverse(block.begin(), block.end()); /* words of a text may come in any order */
            block.push_back({TWOFISH_CONTROL, start});
            const auto answers = bus->access(block, {TWOFISH_ID, TWOFISH_VERSION, TWOFISH_ID});
            for (size_t i = 0; i < answers.size(); i++)
                check(!answers[i].error && answers[i].data == read_beside(block.size(), i),
                      "reads beside writes: another answer");
            wait_until_idle();
            check(result() == result_of(one), "a stream of writes: another result");
        }
    }

    static uint32_t read_beside(size_t writes, size_t i)
    {
        if (i < writes)
            return 0;
        return i - writes == 1 ? TWOFISH_VERSION_VALUE : TWOFISH_ID_VALUE;
    }

    void refusals_when_idle()
    {
        const Case &one = cases[1];
        accept({{TWOFISH_CONTROL, TWOFISH_CONTROL_CLEAR}});
        wait_until_idle();
        refuse({TWOFISH_CONTROL, start}, "START without a key");
        set_key(one);
        for (const uint32_t offset : {TWOFISH_ID, TWOFISH_VERSION, TWOFISH_FEATURES, TWOFISH_STATUS,
                                      0x1cU, 0x3cU, TWOFISH_RESULT})
            refuse({offset, 0}, "a register that is only read, or none");
        accept(writes_of(TWOFISH_TEXT, text_of(one)));
        for (unsigned strobes = 0; strobes < 15; strobes++)
            for (const uint32_t offset :
                 {TWOFISH_KEY, TWOFISH_TEXT, TWOFISH_CONTROL, TWOFISH_ENABLE})
                refuse({offset, ~0U, strobes}, "a part of a word");
        refuse({TWOFISH_KEY + 4, 0}, "a word of a key that is not the next");
        if (key_bytes < 32)
            refuse({TWOFISH_KEY + static_cast<uint32_t>(key_bytes), 0}, "a word behind the key");
        if (!encrypts || !decrypts)
            refuse({TWOFISH_CONTROL, start ^ TWOFISH_CONTROL_DECRYPT}, "START, the other way");
        check(bus->read(0x20).error && bus->read(0x3c).error, "what is not there was read");
        check(bus->read(TWOFISH_EVENTS).data & TWOFISH_EVENTS_REFUSED, "no event of that");
        for (const uint32_t offset :
             {TWOFISH_KEY, TWOFISH_KEY + 12, TWOFISH_TEXT, TWOFISH_TEXT + 12, TWOFISH_CONTROL}) {
            const Answer answer = bus->read(offset);
            check(!answer.error && answer.data == 0, "what is only written does not read as zeros");
        }
        accept({{TWOFISH_CONTROL, start}});
        wait_until_idle();
        check(result() == result_of(one), "refused accesses changed something");
    }

    void refusals_when_busy()
    {
        const Case &one = cases[2];
        set_key(one);
        bus->pauses = false;
        const std::vector<Write> busy = {
            {TWOFISH_KEY, 0}, {TWOFISH_TEXT, 0}, {TWOFISH_CONTROL, start}};
        for (const Write &write : busy) {
            accept(writes_of(TWOFISH_TEXT, text_of(one)));
            accept({{TWOFISH_CONTROL, start}});
            check(bus->refuses(write), "was not refused while a block is in work");
            check(status() & TWOFISH_STATUS_BUSY, "this test came too late");
            check(result() == Bytes(16), "RESULT shows something while a block is in work");
            wait_until_idle();
            check(result() == result_of(one), "a write while busy changed the block or the key");
        }
        accept({{TWOFISH_CONTROL, TWOFISH_CONTROL_CLEAR}});
        for (const Write &write : busy)
            check(bus->refuses(write), "was not refused while it wipes");
        bus->pauses = true;
        wait_until_idle();
    }

    /* No start, and CLEAR begins again. */
    void half_a_key()
    {
        const Case &one = cases[0], &other = cases[1];
        set_key(one);
        std::vector<Write> words = writes_of(TWOFISH_KEY, other.key);
        words.pop_back();
        accept(words);
        check(!(status() & (TWOFISH_STATUS_KEY_SET | TWOFISH_STATUS_BUSY)), "half a key is a key");
        refuse({TWOFISH_CONTROL, start}, "START with half a key");
        refuse(words[0], "the first word again");
        Bytes out(16);
        says(crypt(out.data(), out.data(), 1), TWOFISH_HW_ERROR_NO_KEY, "half a key");
        set_key(other);
        says(crypt(out.data(), text_of(other).data(), 1), TWOFISH_HW_OK, "a key after half a key");
        check(out == result_of(other), "half a key spoils the next");
    }

    void result_is_hidden()
    {
        const Case &one = cases[3];
        set_key(one);
        accept(writes_of(TWOFISH_TEXT, text_of(one)));
        check(result() == Bytes(16), "RESULT shows the text");
        accept({{TWOFISH_CONTROL, start}});
        wait_until_idle();
        check(result() == result_of(one), "another result");
        accept({{TWOFISH_CONTROL, 0}});
        check(result() == result_of(one), "CONTROL without a bit does something");
        accept({{TWOFISH_TEXT + 8, 0}});
        check(result() == Bytes(16), "RESULT shows the result after a word of a new text");
        check(!(status() & TWOFISH_STATUS_RESULT), "STATUS.RESULT after a word of a new text");
    }

    /* Each event raises irq if it is enabled, and only then, until its bit is cleared. */
    void interrupts()
    {
        const Case &one = cases[0];
        for (const uint32_t enable : {0U, TWOFISH_EVENTS_KEY, TWOFISH_EVENTS_RESULT}) {
            accept({{TWOFISH_ENABLE, enable}, {TWOFISH_EVENTS, ~0U}});
            check(bus->read(TWOFISH_ENABLE).data == enable, "ENABLE reads as something else");
            set_key(one);
            expect_event(TWOFISH_EVENTS_KEY, enable);
            accept(writes_of(TWOFISH_TEXT, text_of(one)));
            accept({{TWOFISH_CONTROL, start}});
            wait_until_idle();
            expect_event(TWOFISH_EVENTS_RESULT, enable);
        }
        accept({{TWOFISH_ENABLE, TWOFISH_EVENTS_REFUSED}});
        bus->read(0x20);
        expect_event(TWOFISH_EVENTS_REFUSED, TWOFISH_EVENTS_REFUSED);
        accept({{TWOFISH_ENABLE, 0}});
    }
    void expect_event(uint32_t event, uint32_t enable)
    {
        check(bus->read(TWOFISH_EVENTS).data == event, "other events");
        check(bus->irq() == ((event & enable) != 0), "irq is not what ENABLE says");
        accept({{TWOFISH_EVENTS, ~event}});
        check(bus->read(TWOFISH_EVENTS).data == event, "an event was cleared by another's bit");
        accept({{TWOFISH_EVENTS, event}});
        check(bus->read(TWOFISH_EVENTS).data == 0 && !bus->irq(), "an event stays");
    }

    /* CLEAR, and reset, at any clock of a key and a block: nothing of them is left, and no result
     * comes. */
    void wipes()
    {
        bool held = false; /* the text was seen, so that its absence says something */
        for (int after = 0; after < 330; after += 1 + after / 8) {
            const Case &one = cases[static_cast<size_t>(after) % cases.size()];
            set_key(one);
            bus->clocks(2);
            check(!holds(one.key, true), "a word of a key stays outside of the core");
            accept(writes_of(TWOFISH_TEXT, text_of(one)));
            held |= holds(text_of(one));
            accept({{TWOFISH_CONTROL, start}});
            bus->clocks(after);
            wipe(after % 2 == 0);
            check(status() == TWOFISH_STATUS_KEY_READY, "another STATUS after wiping");
            check(result() == Bytes(16), "a result after wiping");
            check(!holds(text_of(one)) && !holds(result_of(one)), "wiping leaves a block");
            check(!holds(one.key), "wiping leaves a key");
            check(bus->read(TWOFISH_EVENTS).data == 0, "an event after wiping");
            refuse({TWOFISH_CONTROL, start}, "START after wiping");
        }
        check(held, "the text is not to be found in any register");
        accept({{TWOFISH_ENABLE, 7}});
        bus->reset();
        check(bus->read(TWOFISH_ENABLE).data == 0, "ENABLE after a reset");
        wait_until_idle();
    }
    void wipe(bool by_reset)
    {
        if (by_reset)
            bus->reset();
        else
            accept({{TWOFISH_CONTROL, TWOFISH_CONTROL_CLEAR}});
        wait_until_idle();
        bus->clocks(2); /* in which the last response is taken */
    }
    /* Whether a word of these, if it is none that also comes by chance, stands in a signal; those
     * of the core count or not. */
    static bool holds(const Bytes &secret, bool without_core = false)
    {
        for (const Register &signal : bus->registers()) {
            if (without_core && signal.name.find("__DOT__row__DOT__") != std::string::npos)
                continue;
            for (size_t i = 0; i < secret.size(); i += 4) {
                const auto begin = secret.begin() + static_cast<std::ptrdiff_t>(i);
                const bool plain = std::count(begin, begin + 4, begin[0]) == 4;
                if (!plain && std::search(signal.bytes.begin(), signal.bytes.end(), begin,
                                          begin + 4) != signal.bytes.end())
                    return true;
            }
        }
        return false;
    }

    /* No word of a key waits that was written when STATUS said so. */
    void key_ready()
    {
        const int longest = bus->longest;
        for (const Case &one : cases) {
            accept({{TWOFISH_CONTROL, TWOFISH_CONTROL_CLEAR}});
            wait_until_idle();
            for (const Write &write : writes_of(TWOFISH_KEY, one.key)) {
                const bool ready = (status() & TWOFISH_STATUS_KEY_READY) != 0;
                bus->longest = 0;
                accept({write});
                check(!ready || bus->longest == 0, "a word waits in spite of STATUS.KEY_READY");
            }
            wait_until_idle();
        }
        bus->longest = longest;
    }

    /* From CLEAR on, whatever the key and the text. */
    void same_clocks()
    {
        int wanted = 0;
        for (const Case &one : cases) {
            Bytes out(16);
            const int before = bus->elapsed;
            set_key(one);
            says(crypt(out.data(), text_of(one).data(), 1), TWOFISH_HW_OK, "a block");
            check(out == result_of(one), "without pauses: another result");
            const int clocks = bus->elapsed - before;
            check(wanted == 0 || clocks == wanted, "the clocks depend on the key or the text");
            wanted = clocks;
        }
    }

    /* That of docs/hardware.md, against what the core makes of its two counters. */
    void ctr_example()
    {
        const Case &one = cases.back();
        Bytes counter(16, 0x5A), message(32, 0x33), stream(counter), next(counter);
        next[15]++;
        stream.insert(stream.end(), next.begin(), next.end());
        says(example(window, one.key.data(), counter.data(), message.data()), TWOFISH_HW_OK,
             "example");
        check(status() == TWOFISH_STATUS_KEY_READY, "the example leaves a key");
        set_key(one);
        says(crypt(stream.data(), stream.data(), 2), TWOFISH_HW_OK, "counters");
        for (size_t i = 0; i < message.size(); i++)
            check(message[i] == (0x33 ^ stream[i]), "the example encrypts to something else");
    }
};

} // namespace

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    try {
        bus = make_bus(std::stoi(argv[4]));
        Bench(argv[1], std::stoul(argv[2]), cases_in(argv[3])).run();
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    std::cout << "{\"longest\": " << bus->longest << "}\n";
}
