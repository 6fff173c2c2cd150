/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A master of APB, and the model of twofish_apb that this was compiled with. */
#include "sources.inc"

#include "bus_model.h"

namespace
{

constexpr int PATIENCE = 1000;

class Apb : public BusModel
{
  public:
    explicit Apb(int seed) : BusModel(seed)
    {
        top->pclk = 1;
        reset();
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

  private:
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

    void idle() override
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
