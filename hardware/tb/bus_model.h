/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The part of a master that is the same on each bus: it owns the model of Verilator. Behind
 * sources.inc, the files of Verilator. */
#ifndef BUS_MODEL_H
#define BUS_MODEL_H

#include "bus.h"
#include "registers.h"

class BusModel : public Bus
{
  public:
    explicit BusModel(int seed) : Bus(static_cast<unsigned>(seed))
    {
        context.randReset(2);
        context.randSeed(seed);
        top.reset(new Vcore(&context));
    }

    ~BusModel() override
    {
        top->final();
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

  protected:
    VerilatedContext context;
    std::unique_ptr<Vcore> top;

    virtual void idle() = 0; /* a clock without an access */
};

#endif
