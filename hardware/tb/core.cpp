/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The core that this was compiled with. simulate.py writes sources.inc, the files of Verilator. */
#include "core.h"

#include "sources.inc"

#include "registers.h"

#include <algorithm>

namespace
{

#if VM_COVERAGE
const int RANDOM_RESET = 0; /* else what comes up at random looks reached */
#else
const int RANDOM_RESET = 2;
#endif

class Model : public Core
{
  public:
    explicit Model(int seed)
    {
        context.randReset(RANDOM_RESET);
        context.randSeed(seed);
        top.reset(new Vcore(&context));
        top->clk = 1;
        apply({});
        top->eval();
    }

    ~Model() override
    {
        top->final();
#if VM_COVERAGE
        static int models = 0;
        context.coveragep()->write(("coverage_" + std::to_string(models++) + ".dat").c_str());
#endif
    }

    Outputs look(const Inputs &in) override
    {
        apply(in);
        top->eval();
        return outputs();
    }

    Outputs clock(const Inputs &in) override
    {
        look(in);
        top->clk = 0;
        top->eval();
        const Outputs out = outputs();
        top->clk = 1;
        top->eval();
        return out;
    }

    std::vector<Register> registers() override
    {
        look({});
        return registers_of(*top);
    }

  private:
    VerilatedContext context;
    std::unique_ptr<Vcore> top;

    void apply(const Inputs &in)
    {
        top->rst = in.rst;
        top->zeroise = in.zeroise;
        top->key_valid = in.key_valid;
        top->key_data = in.key_data;
        top->in_valid = in.in_valid;
        top->in_decrypt = in.in_decrypt;
        top->out_ready = in.out_ready;
        for (size_t i = 0; i < in.in_data.size(); i++)
            top->in_data[i] = in.in_data[i];
    }

    Outputs outputs() const
    {
        Outputs out = {top->key_ready != 0, top->in_ready != 0, top->out_valid != 0, {}};
        for (size_t i = 0; i < out.out_data.size(); i++)
            out.out_data[i] = top->out_data[i];
        return out;
    }
};

} // namespace

std::unique_ptr<Core> make_core(int seed)
{
    return std::unique_ptr<Core>(new Model(seed));
}
