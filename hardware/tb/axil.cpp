/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A master of AXI4-Lite, and the model of twofish_axil that this was compiled with. Each of the
 * five channels has pauses of its own. */
#include "sources.inc"

#include "bus_model.h"

namespace
{

constexpr int PATIENCE = 1000;
constexpr unsigned OKAY = 0, SLVERR = 2;

/* A response as it stands on its channel. */
struct Response {
    bool valid = false;
    unsigned code = 0;
    uint32_t data = 0;
};

struct Signals {
    bool aw_ready, w_ready, ar_ready, irq;
    Response b, r;
};

bool operator==(const Response &a, const Response &b)
{
    return a.valid == b.valid && (!a.valid || (a.code == b.code && a.data == b.data));
}

bool operator==(const Signals &a, const Signals &b)
{
    return a.aw_ready == b.aw_ready && a.w_ready == b.w_ready && a.ar_ready == b.ar_ready &&
           a.irq == b.irq && a.b == b.b && a.r == b.r;
}

class Axil : public BusModel
{
  public:
    explicit Axil(int seed) : BusModel(seed)
    {
        top->aclk = 1;
        reset();
    }

    std::vector<Answer> access(const std::vector<Write> &writes,
                               const std::vector<uint32_t> &reads) override
    {
        todo = {writes, reads};
        addresses = data = written = asked = 0;
        answers.assign(writes.size() + reads.size(), {});
        n_read = 0;
        for (int still = 0; written < writes.size() || n_read < reads.size(); still++) {
            check(still < PATIENCE, "nothing moves");
            if (clock())
                still = 0;
        }
        return answers;
    }

    void reset() override
    {
        todo = {};
        addresses = data = written = asked = n_read = 0;
        stood_b = stood_r = {};
        waits = 0;
        top->aresetn = 0;
        top->s_axil_awvalid = top->s_axil_wvalid = top->s_axil_arvalid = 0;
        clock();
        check(!top->s_axil_bvalid && !top->s_axil_rvalid, "a response in reset");
        top->aresetn = 1;
    }

  private:
    struct {
        std::vector<Write> writes;
        std::vector<uint32_t> reads;
    } todo;
    std::vector<Answer> answers;
    /* Transfers: of AW, W, B, AR and R. */
    size_t addresses = 0, data = 0, written = 0, asked = 0, n_read = 0;
    int waits = 0;
    Response stood_b, stood_r; /* was not taken in the clock before */

    Signals outputs() const
    {
        return {top->s_axil_awready != 0,
                top->s_axil_wready != 0,
                top->s_axil_arready != 0,
                top->irq != 0,
                {top->s_axil_bvalid != 0, top->s_axil_bresp, 0},
                {top->s_axil_rvalid != 0, top->s_axil_rresp, top->s_axil_rdata}};
    }

    /* An offer stays; without one the wires have noise. */
    void drive()
    {
        if (!top->s_axil_awvalid) {
            const bool offer = addresses < todo.writes.size() && often();
            top->s_axil_awvalid = offer;
            top->s_axil_awaddr = (offer ? todo.writes[addresses].offset : noise()) & 127;
        }
        if (!top->s_axil_wvalid) {
            const bool offer = data < todo.writes.size() && often();
            top->s_axil_wvalid = offer;
            top->s_axil_wdata = offer ? todo.writes[data].data : noise();
            top->s_axil_wstrb = (offer ? todo.writes[data].strobes : noise()) & 15;
        }
        if (!top->s_axil_arvalid) {
            const bool offer = asked < todo.reads.size() && often();
            top->s_axil_arvalid = offer;
            top->s_axil_araddr = (offer ? todo.reads[asked] : noise()) & 127;
        }
        top->s_axil_bready = often();
        top->s_axil_rready = often();
    }

    void idle() override
    {
        clock();
    }

    /* Whether something was transferred. */
    bool clock()
    {
        const Signals before = outputs();
        drive();
        top->aclk = 0;
        top->eval();
        const Signals now = outputs();
        if (started)
            check(now == before, "an output depends on an input of the same clock");
        started = top->aresetn != 0;
        if (started)
            look(now);
        const bool aw = top->s_axil_awvalid && now.aw_ready;
        const bool w = top->s_axil_wvalid && now.w_ready;
        const bool ar = top->s_axil_arvalid && now.ar_ready;
        const bool b = now.b.valid && top->s_axil_bready;
        const bool r = now.r.valid && top->s_axil_rready;
        top->aclk = 1;
        top->eval();
        elapsed++;
        if (!started)
            return false;
        if (aw)
            addresses++, top->s_axil_awvalid = 0;
        if (w)
            data++, top->s_axil_wvalid = 0;
        if (ar)
            asked++, top->s_axil_arvalid = 0;
        if (b)
            answers[written++] = {now.b.code == SLVERR, 0};
        if (r)
            answers[todo.writes.size() + n_read++] = {now.r.code == SLVERR, now.r.data};
        return aw || w || ar || b || r;
    }
    bool started = false;

    void look(const Signals &now)
    {
        if (stood_b.valid)
            check(now.b == stood_b, "a response to a write was withdrawn or changed");
        if (stood_r.valid)
            check(now.r == stood_r, "a response to a read was withdrawn or changed");
        if (now.b.valid) {
            check(written < std::min(addresses, data), "a response to a write that did not come");
            check(now.b.code == OKAY || now.b.code == SLVERR, "an unknown bresp");
        }
        if (now.r.valid) {
            check(n_read < asked, "a response to a read that did not come");
            check(now.r.code == OKAY || now.r.code == SLVERR, "an unknown rresp");
        } else {
            check(now.r.data == 0, "rdata is not zero without a response");
        }
        stood_b = top->s_axil_bready ? Response() : now.b;
        stood_r = top->s_axil_rready ? Response() : now.r;
        waits = written < std::min(addresses, data) && !now.b.valid ? waits + 1 : 0;
        longest = std::max(longest, waits - 1);
    }
};

} // namespace

std::unique_ptr<Bus> make_bus(int seed)
{
    return std::unique_ptr<Bus>(new Axil(seed));
}
