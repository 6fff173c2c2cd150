/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A master of APB, and the model of twofish_apb that this was compiled with. */
#include "bus.h"

#include "sources.inc"

#include "registers.h"

namespace
{

constexpr int PATIENCE = 1000;

class Apb : public Bus
{
  public:
    explicit Apb(int seed) : Bus(static_cast<unsigned>(seed))
    {
        context.randReset(2);
        context.randSeed(seed);
        top.reset(new Vcore(&context));
        top->pclk = 1;
        reset();
    }

    ~Apb() override
    {
        top->final();
    }

    std::vector<Answer> access(const std::vector<Write> &writes,
                               const std::vector<uint32_t> &reads) override
    {
        std::vector<Answer> answers;
        for (const Write &write : writes)
            answers.push_back(transfer(true, write));
        for (const uint32_t offset : reads)
            answers.push_back(transfer(false, {offset, noise(), noise() % 16}));
        return answers;
    }

    void reset() override
    {
        top->presetn = 0;
        idle();
        top->presetn = 1;
    }

    void clocks(int n) override
    {
        while (n-- > 0)
            idle();
    }

    bool irq() override
    {
        return top->irq != 0;
    }

    std::vector<Register> registers() override
    {
        return registers_of(*top);
    }

  private:
    VerilatedContext context;
    std::unique_ptr<Vcore> top;

    /* Outputs are those before the rising edge. */
    void clock()
    {
        top->pclk = 0;
        top->eval();
        outputs = {top->pready != 0, top->pslverr != 0, top->prdata};
        top->pclk = 1;
        top->eval();
        elapsed++;
    }
    struct {
        bool ready, error;
        uint32_t data;
    } outputs;

    void quiet(const char *when) const
    {
        check(!outputs.error && outputs.data == 0,
              std::string("pslverr or prdata is not zero ") + when);
    }

    void idle()
    {
        top->psel = 0;
        top->penable = noise() & 1; /* means nothing without psel */
        top->pwrite = noise() & 1;
        top->paddr = noise() & 127;
        top->pwdata = noise();
        top->pstrb = noise() & 15;
        clock();
        quiet("without a transfer");
    }

    Answer transfer(bool write, const Write &what)
    {
        while (!often())
            idle();
        top->psel = 1;
        top->penable = 0;
        top->pwrite = write;
        top->paddr = static_cast<unsigned char>(what.offset & 127);
        top->pwdata = what.data;
        top->pstrb = static_cast<unsigned char>(what.strobes & 15);
        clock();
        quiet("before penable");
        top->penable = 1;
        for (int waited = 0; waited < PATIENCE; waited++) {
            clock();
            if (outputs.ready) {
                longest = std::max(longest, waited);
                check(!write || outputs.data == 0, "prdata in a write");
                return {outputs.error, outputs.data};
            }
            quiet("before pready");
        }
        throw Failure("pready stays low");
    }
};

} // namespace

std::unique_ptr<Bus> make_bus(int seed)
{
    return std::unique_ptr<Bus>(new Apb(seed));
}
