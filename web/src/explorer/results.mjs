// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Reads the machines of the explorer from bench/: Table 5.1 of the book, and what was measured.

import { readdirSync, readFileSync } from "node:fs";

/** @typedef {import("./machine.ts").Machine} Machine */
/** @typedef {import("./machine.ts").Kernel} Kernel */
/** @typedef {import("./machine.ts").KeyBits} KeyBits */
/** @typedef {import("./machine.ts").Point} Point */
/** @typedef {{ notes: Record<string, string>, rows: Record<string, string>[] }} Csv */

const ROOT = new URL("../../../", import.meta.url);
const BLOCK_BYTES = 16;
/** @type {KeyBits[]} */
const KEY_BITS = [128, 192, 256];
/** 1, 2, 4 .. 4096 blocks: the lengths that `manyfish speed --paper` measures. */
const DOUBLINGS = Array.from({ length: 13 }, (_, i) => 2 ** i);

// --- CSV ---------------------------------------------------------------------------------------

/**
 * Files with notes `# name: value` in front. Those that are read here have no quoted commas; one that had would be
 * refused for the number of its cells.
 * @param {string} text
 * @returns {Csv}
 */
export function readCsv(text) {
  const lines = text.trimEnd().split("\n");
  const notes = lines.flatMap((line) => {
    const note = /^# ([^:]+): (.*)$/.exec(line);
    return note === null ? [] : [[note[1], note[2]]];
  });
  const [header = "", ...rest] = lines.filter((line) => !line.startsWith("#"));
  const names = header.split(",");
  const rows = rest.map((line, i) => {
    const cells = line.split(",");
    if (cells.length !== names.length) {
      throw new Error(
        `row ${i + 1} has ${cells.length} cells, not the ${names.length} of "${header}"`,
      );
    }
    return Object.fromEntries(names.map((name, j) => [name, cells[j] ?? ""]));
  });
  return { notes: Object.fromEntries(notes), rows };
}

/**
 * The values of one thing in order of first appearance, each with its rows.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} key
 */
function grouped(items, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/**
 * A value for each key size that has one.
 * @template T
 * @param {(bits: KeyBits) => T | undefined} value
 */
function byKeyBits(value) {
  const pairs = KEY_BITS.map((bits) => [bits, value(bits)]);
  return Object.fromEntries(pairs.filter(([, found]) => found !== undefined));
}

/** @param {string | undefined} text */
function number(text) {
  return text === undefined || text === "" ? undefined : Number(text);
}

// --- 1998 --------------------------------------------------------------------------------------

/**
 * The machines of bench/table-5.1.csv; not those without a set-up, of which there is no curve.
 * @param {string} text
 * @returns {Machine[]}
 */
export function machinesOf1998(text) {
  const rows = readCsv(text).rows.filter((row) => row.setup_128 !== "");
  const machines = grouped(rows, (row) => `${row.processor}, ${row.language}`);
  return [...machines].map(([name, kernels]) => ({
    id: `1998 ${name}`,
    era: "1998",
    name,
    source: "The Twofish Encryption Algorithm (Wiley, 1999), Table 5.1",
    measured: false,
    kernels: kernels.map(kernelOf1998),
  }));
}

/**
 * @param {Record<string, string>} row
 * @returns {Kernel}
 */
function kernelOf1998(row) {
  /** @param {KeyBits} bits */
  const setup = (bits) => Number(row[`setup_${bits}`]);
  /** @param {KeyBits} bits */
  const block = (bits) => Number(row[`block_${bits}`]);
  return {
    name: row.kernel ?? "",
    constantTime: false,
    codeBytes: number(row.code_bytes),
    setup: byKeyBits(setup),
    block: byKeyBits(block),
    points: byKeyBits((bits) => DOUBLINGS.map((n) => [n, setup(bits) + n * block(bits)])),
  };
}

// --- today -------------------------------------------------------------------------------------

/**
 * A machine of bench/results/, from a file that bench/results.py wrote.
 * @param {string} text
 * @returns {Machine}
 */
export function machineOfToday(text) {
  const { notes, rows } = readCsv(text);
  const kernels = grouped(
    rows.filter((row) => row.cipher === "twofish"),
    (row) => row.kernel ?? "",
  );
  const made = [...kernels].map(([name, values]) => kernelOfToday(name, values));
  return {
    id: `${notes.date} ${notes.cpu}`,
    era: "today",
    name: `${notes.cpu}`,
    source: `Measured on ${notes.date}, commit ${notes.commit}, ${notes.compiler}`,
    measured: rows.some((row) => row.measure?.startsWith("message/")),
    kernels: made,
  };
}

/**
 * @param {string} name
 * @param {Record<string, string>[]} rows
 * @returns {Kernel}
 */
function kernelOfToday(name, rows) {
  const values = new Map(rows.map((row) => [`${row.key_bits} ${row.measure}`, Number(row.value)]));
  /** @param {string} measure */
  const of = (measure) => (/** @type {KeyBits} */ bits) => values.get(`${bits} ${measure}`);
  return {
    name,
    constantTime: rows[0]?.constant_time === "true",
    codeBytes: of("code_bytes")(128),
    keyBytes: of("context_bytes")(128),
    setup: byKeyBits(of("setup_cycles")),
    block: byKeyBits(of("block_cycles/encrypt")),
    points: byKeyBits((bits) => points((measure) => of(measure)(bits))),
  };
}

/**
 * What was measured of messages; without that, the set-up and the blocks added up for the three
 * lengths of which a rate is known.
 * @param {(measure: string) => number | undefined} of
 * @returns {Point[] | undefined}
 */
function points(of) {
  const setup = of("setup_cycles");
  if (setup === undefined) return undefined;
  /** @type {[number, number | undefined][]} */
  const measured = DOUBLINGS.map((n) => [n, total(of(`message/${n * BLOCK_BYTES}`), n)]);
  const known = measured.filter(isPoint);
  if (known.length > 0) return known;
  /** @type {[number, number | undefined][]} */
  const rates = [
    [1, of("block_cycles/encrypt")],
    ...[64, 512].map(
      /** @returns {[number, number | undefined]} */
      (n) => [n, total(of(`cycles_per_byte/${n * BLOCK_BYTES}/encrypt`), n)],
    ),
  ];
  return rates.filter(isPoint).map(([n, clocks]) => [n, setup + clocks]);
}

/**
 * @param {number | undefined} perByte
 * @param {number} blocks
 */
function total(perByte, blocks) {
  return perByte === undefined ? undefined : perByte * BLOCK_BYTES * blocks;
}

/**
 * @param {[number, number | undefined]} pair
 * @returns {pair is Point}
 */
function isPoint(pair) {
  return pair[1] !== undefined;
}

/**
 * Of the names of files in bench/results/ the best for each processor: one with all lengths of
 * messages (`paper-`) before one without, then the newest; newest first.
 * @param {string[]} names
 */
export function chosenResults(names) {
  const files = names.flatMap((name) => {
    const found = /^(paper-)?(\d{4}-\d\d-\d\d)-(.+)\.csv$/.exec(name);
    return found === null
      ? []
      : [{ name, rank: `${found[1] ? 1 : 0} ${found[2]}`, cpu: `${found[3]}` }];
  });
  files.sort((a, b) => (a.rank < b.rank ? 1 : -1));
  return [...grouped(files, (file) => file.cpu).values()].flatMap((same) => same[0]?.name ?? []);
}

// --- files -------------------------------------------------------------------------------------

/**
 * Those of the book, and the newest of each processor of today.
 * @param {URL} root of the repository
 * @returns {Machine[]}
 */
export function machines(root = ROOT) {
  const source = (/** @type {string} */ path) => readFileSync(new URL(path, root), "utf8");
  const results = chosenResults(readdirSync(new URL("bench/results/", root)));
  return [
    ...machinesOf1998(source("bench/table-5.1.csv")),
    ...results.map((name) => machineOfToday(source(`bench/results/${name}`))),
  ];
}
