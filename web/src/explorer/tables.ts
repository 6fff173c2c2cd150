// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The figures of the chart as tables: at one number of blocks, as Table 5.1 has them, and all of them.

import { element } from "../dom";
import { inOrder } from "./kernels";
import { clocksAt, type Kernel, type KeyBits, type Machine } from "./machine";
import { blockCount, byteCount, count, perByte, ratio } from "./numbers";

const BLOCK_BYTES = 16;

/** The machines to compare: the machine of 1998, that of today, and this browser if it was measured. */
export interface Compared {
  past: Machine;
  today: Machine;
  here?: Machine | undefined;
  keyBits: KeyBits;
  shown: ReadonlySet<string>;
}

interface Column {
  /** In the first line of the head, above all columns with the same words. */
  group?: string;
  name: string;
  /** The cell in the row of a kernel. */
  cell(kernel: string): string;
  /** Whether that is the best of its column. */
  isBest?(kernel: string): boolean;
}

function machinesOf({ past, today, here }: Compared): Machine[] {
  return here === undefined ? [past, today] : [past, today, here];
}

function kernelsOf(compared: Compared): string[] {
  const all = machinesOf(compared).flatMap((machine) => machine.kernels.map(({ name }) => name));
  return inOrder(all).filter((name) => compared.shown.has(name));
}

function find(machine: Machine | undefined, name: string): Kernel | undefined {
  return machine?.kernels.find((kernel) => kernel.name === name);
}

/** The heading of a machine's column. */
function heading(machine: Machine): string {
  return { "1998": "1998", today: "today", here: "browser" }[machine.era];
}

// --- building ------------------------------------------------------------------------------------

function headRow(columns: Column[]): HTMLTableSectionElement {
  const groups = element("tr", {}, element("th", { scope: "col", rowspan: 2 }, "kernel"));
  for (const [i, { group }] of columns.entries()) {
    if (group === columns[i - 1]?.group) continue;
    const span = columns.filter((column) => column.group === group).length;
    groups.append(element("th", { scope: "colgroup", colspan: span, class: "group" }, group ?? ""));
  }
  const names = columns.map(({ name }) => element("th", { scope: "col", class: "number" }, name));
  if (columns.every(({ group }) => group === undefined)) {
    const first = element("th", { scope: "col" }, "kernel");
    return element("thead", {}, element("tr", {}, first, ...names));
  }
  return element("thead", {}, groups, element("tr", {}, ...names));
}

function cellOf(column: Column, kernel: string): HTMLTableCellElement {
  const text = column.cell(kernel);
  if (!column.isBest?.(kernel)) return element("td", { class: "number" }, text);
  const note = element("span", { class: "visually-hidden" }, " best");
  return element("td", { class: "number is-best" }, text, note);
}

function table(caption: string, kernels: string[], columns: Column[]): HTMLElement {
  const rows = kernels.map((kernel) =>
    element(
      "tr",
      { "data-kernel": kernel },
      element("th", { scope: "row" }, element("code", {}, kernel)),
      ...columns.map((column) => cellOf(column, kernel)),
    ),
  );
  const made = element(
    "table",
    { class: "table" },
    element("caption", {}, caption),
    headRow(columns),
    element("tbody", {}, ...rows),
  );
  // It can be scrolled by keys, so it can be focused and has a name.
  const wrap = { class: "table-wrap", role: "region", "aria-label": caption, tabindex: 0 };
  return element("div", wrap, made);
}

// --- at one number of blocks -----------------------------------------------------------------------

/** The costs of `blocks` blocks under one key, set-up included, the least first. */
export function atBlocks(compared: Compared, blocks: number): HTMLElement {
  const { keyBits } = compared;
  const clocks = (machine: Machine, name: string) =>
    clocksAt(find(machine, name)?.points[keyBits] ?? [], blocks);
  const reference = compared.here ?? compared.today;
  const sorted = kernelsOf(compared).sort(
    (a, b) => (clocks(reference, a) ?? Infinity) - (clocks(reference, b) ?? Infinity),
  );
  const columns = machinesOf(compared).map((machine): Column => {
    const known = sorted.flatMap((name) => clocks(machine, name) ?? []);
    const least = Math.min(...known);
    return {
      name: heading(machine),
      cell: (name) => count(clocks(machine, name)),
      isBest: (name) => clocks(machine, name) === least,
    };
  });
  const bytes = byteCount(blocks * BLOCK_BYTES);
  const what = blocks === 1 ? "one block" : `${blockCount(blocks)} blocks`;
  const caption = `Clocks for ${what} (${bytes}) under one ${keyBits}-bit key, set-up included`;
  return table(caption, sorted, columns);
}

// --- Table 5.1 -------------------------------------------------------------------------------------

function pairOf(compared: Compared, group: string, of: (kernel: Kernel) => number | undefined) {
  const { past, today, here } = compared;
  const value = (machine: Machine | undefined) => (name: string) => {
    const kernel = find(machine, name);
    return kernel && of(kernel);
  };
  const [before, after, live] = [value(past), value(today), value(here)];
  const columns: Column[] = [
    { group, name: "1998", cell: (name) => count(before(name)) },
    { group, name: "today", cell: (name) => count(after(name)) },
    { group, name: "ratio", cell: (name) => ratio(before(name), after(name)) },
  ];
  if (here) columns.push({ group, name: "browser", cell: (name) => count(live(name)) });
  return columns;
}

/** As in the book: set-up, a block, and memory. */
export function tableOfOptions(compared: Compared): HTMLElement {
  const { past, today, keyBits } = compared;
  const bytes = (machine: Machine, of: "codeBytes" | "keyBytes") => (name: string) =>
    count(find(machine, name)?.[of]);
  const columns: Column[] = [
    ...pairOf(compared, "key set-up, clocks", ({ setup }) => setup[keyBits]),
    ...pairOf(compared, "one block, clocks", ({ block }) => block[keyBits]),
    { group: "code, bytes", name: "1998", cell: bytes(past, "codeBytes") },
    { group: "code, bytes", name: "today", cell: bytes(today, "codeBytes") },
    { group: "a key, bytes", name: "today", cell: bytes(today, "keyBytes") },
  ];
  return table(
    `${past.name}, beside ${today.name}; ${keyBits}-bit key`,
    kernelsOf(compared),
    columns,
  );
}

// --- all -------------------------------------------------------------------------------------------

/** Every point of a machine's panel. */
export function tableOfPoints({ keyBits, shown }: Compared, machine: Machine): HTMLElement {
  const names = inOrder(machine.kernels.map(({ name }) => name)).filter((name) => shown.has(name));
  const points = (name: string) => find(machine, name)?.points[keyBits] ?? [];
  const lengths = [...new Set(names.flatMap((name) => points(name).map(([n]) => n)))];
  const columns = lengths
    .sort((a, b) => a - b)
    .map((n): Column => {
      const cost = (name: string) => {
        const point = points(name).find(([blocks]) => blocks === n);
        return point && point[1] / (n * BLOCK_BYTES);
      };
      return {
        group: "blocks under one key",
        name: blockCount(n),
        cell: (name) => perByte(cost(name)),
      };
    });
  const caption = `${machine.name}: clocks a byte, set-up included; ${keyBits}-bit key`;
  return table(caption, names, columns);
}
