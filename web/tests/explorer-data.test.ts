// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The explorer's computations: the machines that it reads when the page is built, where labels stand,
// costs between points, and the measurement with a clock of its own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { inOrder, look } from "../src/explorer/kernels";
import { spread } from "../src/explorer/labels";
import { best, clocksAt, type Kernel, type Machine } from "../src/explorer/machine";
import { disturbed, measure, measureOnce, type Subject } from "../src/explorer/measure";
import { count, perByte, ratio } from "../src/explorer/numbers";
import {
  chosenResults,
  machineOfToday,
  machines,
  machinesOf1998,
  readCsv,
} from "../src/explorer/results.mjs";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");

function found(machine: Machine | undefined, name: string): Kernel {
  const kernel = machine?.kernels.find((each) => each.name === name);
  assert.ok(kernel, `no kernel ${name}`);
  return kernel;
}

describe("CSV", () => {
  it("has notes and rows", () => {
    const { notes, rows } = readCsv("# cpu: A, B\n# a remark\na,b\n1,2\n3,\n");
    assert.deepEqual(notes, { cpu: "A, B" });
    assert.deepEqual(rows, [
      { a: "1", b: "2" },
      { a: "3", b: "" },
    ]);
  });

  it("refuses a row with too few cells", () => {
    assert.throws(() => readCsv("a,b\n1\n"), /row 1 has 1 cells, not the 2 of "a,b"/);
  });
});

describe("1998", () => {
  it("is the whole of Table 5.1, without the forecast", () => {
    const table = machinesOf1998(read("bench/table-5.1.csv"));
    assert.equal(table.length, 9);
    assert.equal(table[0]?.name, "Pentium Pro, assembler");
    const rows = table.flatMap((machine) => machine.kernels).length;
    assert.equal(rows, 38, "as many as the command prints");
    assert.ok(!table.some(({ name }) => name.startsWith("Alpha")));
  });

  it("adds up set-up and blocks, as the book does", () => {
    const compiled = found(machinesOf1998(read("bench/table-5.1.csv"))[0], "compiled");
    const clocks = clocksAt(compiled.points[128] ?? [], 64) ?? 0;
    assert.equal(clocks, 8600 + 64 * 258);
    assert.equal((clocks / 1024).toFixed(1), "24.5", "Table 5.3");
  });
});

describe("today", () => {
  const header = "cipher,kernel,key_bits,constant_time,measure,value";
  const notes = "# cpu: C\n# commit: c0ffee\n# compiler: cc\n# date: 2026-01-02\n";

  it("takes messages where they were measured", () => {
    const rows = ["setup_cycles,100", "block_cycles/encrypt,7", "message/16,10", "message/64,4"];
    const machine = machineOfToday(
      `${notes}${header}\n${rows.map((row) => `twofish,full,128,false,${row}`).join("\n")}\n`,
    );
    const kernel = found(machine, "full");
    assert.deepEqual(kernel.points, {
      128: [
        [1, 160],
        [4, 256],
      ],
    });
    assert.deepEqual([kernel.setup, kernel.block], [{ 128: 100 }, { 128: 7 }]);
    assert.equal(machine.measured, true);
  });

  it("adds up where they were not, and leaves out other ciphers", () => {
    const rows = ["setup_cycles,100", "block_cycles/encrypt,70", "cycles_per_byte/1024/encrypt,2"];
    const machine = machineOfToday(
      `${notes}${header}\n${rows.map((row) => `twofish,avx2,256,true,${row}`).join("\n")}
des,sp2k,64,false,setup_cycles,5\n`,
    );
    assert.deepEqual(
      machine.kernels.map(({ name, constantTime }) => [name, constantTime]),
      [["avx2", true]],
    );
    assert.deepEqual(found(machine, "avx2").points, {
      256: [
        [1, 170],
        [64, 100 + 2048],
      ],
    });
    assert.equal(machine.measured, false);
  });

  it("is the newest of each processor, one with messages before one without", () => {
    const names = [
      "2026-11-21-amd.csv",
      "2026-12-01-intel.csv",
      "2026-11-01-intel.csv",
      "paper-2026-10-01-amd.csv",
      "paper-2026-09-01-amd.csv",
      "peers-2026-12-01-amd.csv",
    ];
    assert.deepEqual(chosenResults(names), ["paper-2026-10-01-amd.csv", "2026-12-01-intel.csv"]);
  });
});

describe("the machines of the page", () => {
  it("are those of 1998 and one of today with all lengths", () => {
    const all = machines(ROOT);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    const today = all.filter(({ era, measured }) => era === "today" && measured);
    assert.ok(today.length >= 1);
    for (const machine of today) {
      const lengths = found(machine, "full").points[128]?.map(([n]) => n);
      assert.deepEqual(
        lengths,
        Array.from({ length: 13 }, (_, i) => 2 ** i),
      );
    }
  });

  it("agree with the documents", () => {
    const page = read("docs/keying-options.md");
    const [, file] = /<!-- speed --paper: (bench\/results\/\S+) -->/.exec(page) ?? [];
    assert.ok(file, "the page names its measurement");
    const measured = machineOfToday(read(file));
    assert.ok(machines(ROOT).some(({ id }) => id === measured.id));
    const clocks = clocksAt(found(measured, "partial-big").points[128] ?? [], 1) ?? 0;
    const line = new RegExp(`^16 .* partial-big  ${(clocks / 16).toFixed(1)} `, "m");
    assert.match(page, line);
  });

  it("have a look for each kernel, and no two the same", () => {
    const names = inOrder(machines(ROOT).flatMap(({ kernels }) => kernels.map(({ name }) => name)));
    const looks = names.map((name) => {
      const { series, dash, summary } = look(name);
      assert.notEqual(summary, "", name);
      return `${series} ${dash}`;
    });
    assert.equal(new Set(looks).size, looks.length, looks.join(", "));
  });
});

describe("costs", () => {
  const kernel = (name: string, ...points: [number, number][]): Kernel => ({
    ...{ name, constantTime: false, setup: {}, block: {} },
    points: { 128: points },
  });

  it("lie between two points on a straight line, and nowhere else", () => {
    const points: [number, number][] = [
      [1, 100],
      [4, 400],
      [8, 480],
    ];
    assert.deepEqual(
      [1, 2, 6, 8].map((n) => clocksAt(points, n)),
      [100, 200, 440, 480],
    );
    assert.deepEqual(
      [0, 9].map((n) => clocksAt(points, n)),
      [undefined, undefined],
    );
  });

  it("have a least", () => {
    const kernels = [kernel("a", [1, 5], [2, 6]), kernel("b", [1, 3], [2, 7]), kernel("c")];
    assert.equal(best(kernels, 128, 1)?.kernel.name, "b");
    assert.equal(best(kernels, 128, 2)?.kernel.name, "a");
    assert.equal(best(kernels, 256, 1), undefined);
  });
});

describe("labels", () => {
  it("stay where they are when there is room", () => {
    assert.deepEqual(spread([80, 10, 40], 16, 0, 100), [80, 10, 40]);
  });

  it("move apart around their middle, in their order", () => {
    assert.deepEqual(spread([50, 52, 51], 10, 0, 100), [41, 61, 51]);
  });

  it("stay inside", () => {
    assert.deepEqual(spread([1, 2, 99], 10, 5, 95), [5, 15, 95]);
  });

  it("push on what they touch", () => {
    const places = spread([10, 20, 21, 22, 33], 10, 0, 100);
    const sorted = [...places].sort((a, b) => a - b);
    assert.deepEqual(places, sorted);
    const gaps = sorted.slice(1).map((place, i) => place - (sorted[i] ?? 0));
    assert.ok(Math.min(...gaps) > 10 - 1e-9, String(gaps));
  });
});

describe("numbers", () => {
  it("are rounded for people", () => {
    assert.deepEqual([count(12345.6), count(undefined)], ["12,346", "–"]);
    assert.deepEqual([perByte(131.875), perByte(4.996)], ["132", "5"]);
    assert.deepEqual([ratio(8600, 12242), ratio(undefined, 1)], ["0.7×", "–"]);
  });
});

describe("the measurement", () => {
  /** A machine whose time passes by its work alone: set-up 0.005 ms, each block 0.001 ms. */
  function pretended() {
    let time = 0;
    let open = 0;
    const subject: Subject = {
      ...{ name: "pretended", constantTime: true },
      setKey: ({ length }) => {
        open = 1;
        time += 0.005 * (length / 16);
      },
      encrypt: ({ length }) => {
        time += 0.001 * (length / 16);
      },
      close: () => {
        open = 0;
      },
    };
    // Each look at the clock takes a little, as with a real one.
    const now = () => {
      time += 0.0005;
      return time;
    };
    return { subject, now, isOpen: () => open === 1 };
  }

  it("finds the time of a call", () => {
    const { subject, now } = pretended();
    const block = new Uint8Array(16);
    const cell = { work: () => subject.encrypt(block), calls: 1, least: Infinity };
    measureOnce(now, cell);
    assert.ok(Math.abs(cell.least - 0.001) < 1e-6, `${cell.least}`);
    assert.ok(cell.calls > 1000, "a call alone is too short for the clock");
  });

  it("takes no longer because another program ran when it began", () => {
    const { subject, now } = pretended();
    let looks = 0;
    const late = () => now() + (looks++ > 0 ? 10 : 0);
    const steps = measure(late, [subject], "A browser", 3000);
    while (!steps.next().done);
    assert.ok(now() < 2000, `${now()} ms`);
  });

  it("sees what other programs have disturbed", () => {
    const cells = [5, 6, 30, 11, 20].map((least) => ({ work: () => {}, calls: 1, least }));
    assert.deepEqual(
      disturbed(cells).map(({ least }) => least),
      [30],
    );
  });

  it("measures every length with every key size, and tells how far it is", () => {
    const { subject, now, isOpen } = pretended();
    const steps = measure(now, [subject], "A browser", 3000);
    let last = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      assert.equal(step.value.done, Math.min(last + 1, step.value.total));
      last = step.value.done;
      assert.equal(step.value.total, 3 * 5);
    }
    assert.equal(last, 3 * 5);
    assert.equal(isOpen(), false, "the last key is closed");

    const [kernel] = step.value.kernels;
    const { setup, block, points } = kernel ?? assert.fail();
    const near = (a: number | undefined, b: number) => assert.ok(Math.abs((a ?? 0) / b - 1) < 0.01);
    const unit = 3_000_000; // clocks of a millisecond
    near(block[192], 0.001 * unit);
    near(setup[128], 0.005 * unit);
    near(setup[256], 0.01 * unit);
    assert.equal(points[192]?.length, 13);
    near(clocksAt(points[128] ?? [], 4096), 4.101 * unit);
  });
});
