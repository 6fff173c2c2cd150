// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Measures the kernels of this browser. A page is not told how fast the processor is clocked, so that
// is estimated as `manyfish speed` does it: by a chain of multiplications, each of which waits for the
// one before and takes 3 clocks on nearly all processors of PCs, phones and tablets.

import { KEY_BITS, type Kernel, type KeyBits, type Machine, type Point } from "./machine";

const BLOCK_BYTES = 16;
/** 1, 2, 4 .. 4096 blocks, as bench/ measures. */
const LENGTHS = Array.from({ length: 13 }, (_, i) => 2 ** i);
/**
 * How long a measurement runs, in milliseconds, and how often all of them are repeated: the least
 * counts, and other programs rarely disturb the same measurement every time.
 */
const RUN = 1.5;
const PASSES = 5;
/** How often we repeat a measurement that was disturbed each time. */
const REPEATS = 12;

/** A kernel that can be measured. `setKey` replaces the key; `encrypt` takes whole blocks. */
export interface Subject {
  name: string;
  constantTime: boolean;
  setKey(key: Uint8Array): void;
  encrypt(blocks: Uint8Array): void;
  close(): void;
}

/** The time in milliseconds, of whatever resolution. */
export type Clock = () => number;

/** The least step of a clock that is seen, out of some: while one is waited for, another program may run. */
function resolution(now: Clock): number {
  const steps = Array.from({ length: 10 }, () => {
    const start = now();
    let next = now();
    while (next === start) next = now();
    return next - start;
  });
  return Math.min(...steps);
}

/** Something to measure, some calls at a time; the least milliseconds of one call so far. */
interface Cell {
  work(): void;
  calls: number;
  least: number;
}

function cellOf(work: () => void): Cell {
  return { work, calls: 1, least: Infinity };
}

/** Measures once more, with as many calls as the clock needs to see them. */
export function measureOnce(now: Clock, cell: Cell, run = RUN): void {
  for (;;) {
    const start = now();
    for (let i = 0; i < cell.calls; i++) cell.work();
    const elapsed = now() - start;
    if (elapsed >= run) {
      cell.least = Math.min(cell.least, elapsed / cell.calls);
      return;
    }
    const factor = elapsed > run / 16 ? (1.2 * run) / elapsed : 8;
    cell.calls = Math.ceil(factor * cell.calls);
  }
}

const CHAIN = 8 * 2048;
const MULTIPLY_CLOCKS = 3;

/** CHAIN multiplications, of which each needs the one before. A constant factor would be multiplied in advance. */
function chain(x: number, factor: number): number {
  let y = x;
  for (let i = 0; i < CHAIN; i += 8) {
    y = Math.imul(y, factor);
    y = Math.imul(y, factor);
    y = Math.imul(y, factor);
    y = Math.imul(y, factor);
    y = Math.imul(y, factor);
    y = Math.imul(y, factor);
    y = Math.imul(y, factor);
    y = Math.imul(y, factor);
  }
  return y;
}

/** The estimate of the clock, as a cell: `clocksOf` turns it into clocks of a microsecond. */
function chainCell(): Cell {
  let x = 1;
  return cellOf(() => {
    x = chain(x, x | 3);
  });
}

function clocksOf({ least }: Cell): number {
  return (MULTIPLY_CLOCKS * CHAIN) / (1000 * least);
}

/** The measurements of a kernel with keys of one size. */
interface Row {
  kernel: Kernel;
  keyBits: KeyBits;
  setup: Cell;
  block: Cell;
  messages: [blocks: number, cell: Cell][];
}

/** A key of `keyBits` bits, another one for each n. */
function keyOf(keyBits: KeyBits, n: number): Uint8Array {
  return Uint8Array.from({ length: keyBits / 8 }, (_, i) => (37 * i + 101 * n) & 255);
}

function rowOf(subject: Subject, kernel: Kernel, keyBits: KeyBits): Row {
  const keys = Array.from({ length: 16 }, (_, n) => keyOf(keyBits, n));
  let next = 0;
  const setKey = () => {
    next = (next + 1) % keys.length;
    subject.setKey(keys[next] as Uint8Array);
  };
  const encrypt = (blocks: number) => {
    const message = new Uint8Array(blocks * BLOCK_BYTES);
    return () => subject.encrypt(message);
  };
  const messages = LENGTHS.map((n): [number, Cell] => {
    const work = encrypt(n);
    return [n, cellOf(() => [setKey(), work()])];
  });
  return { ...{ kernel, keyBits, messages }, setup: cellOf(setKey), block: cellOf(encrypt(1)) };
}

/** The key that a set-up leaves serves the single blocks. */
function cellsOf({ setup, block, messages }: Row): Cell[] {
  return [setup, block, ...messages.map(([, cell]) => cell)];
}

/**
 * Impossible: a message that costs a tenth more than one of twice the length, or than two of half
 * the length. Then other programs were at work.
 */
export function disturbed(messages: readonly Cell[]): Cell[] {
  return messages.filter(({ least }, i) => {
    const half = messages[i - 1]?.least ?? Infinity;
    const double = messages[i + 1]?.least ?? Infinity;
    return least > 1.1 * Math.min(2 * half, double);
  });
}

function fillIn({ kernel, keyBits, setup, block, messages }: Row, perMicrosecond: number): void {
  const clocks = ({ least }: Cell) => 1000 * least * perMicrosecond;
  kernel.setup[keyBits] = clocks(setup);
  kernel.block[keyBits] = clocks(block);
  kernel.points[keyBits] = messages.map(([n, cell]): Point => [n, clocks(cell)]);
}

/** How far a measurement is. */
export interface Progress {
  done: number;
  total: number;
}

/**
 * Measures all kernels with all key sizes; some seconds.
 *
 * @param name of the browser
 * @param clocks of a microsecond; without it they are estimated
 * @returns the progress periodically, and at the end the machine
 */
export function* measure(
  now: Clock,
  subjects: readonly Subject[],
  name: string,
  clocks?: number,
): Generator<Progress, Machine> {
  const run = Math.max(RUN, 10 * resolution(now));
  const chain = chainCell();
  const kernels = subjects.map(({ name, constantTime }): Kernel => {
    return { name, constantTime, setup: {}, block: {}, points: {} };
  });
  const rows = subjects.flatMap((subject, i) =>
    KEY_BITS.map((keyBits) => rowOf(subject, kernels[i] as Kernel, keyBits)),
  );
  const total = PASSES * rows.length;
  for (let done = 1; done <= total; done++) {
    if (clocks === undefined) measureOnce(now, chain, run);
    const row = rows[done % rows.length] as Row;
    for (const cell of cellsOf(row)) measureOnce(now, cell, run);
    yield { done, total };
  }
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const again = rows.flatMap(({ messages }) => disturbed(messages.map(([, cell]) => cell)));
    for (const cell of again) measureOnce(now, cell, run);
    yield { done: total, total };
  }
  for (const subject of subjects) subject.close();
  const perMicrosecond = clocks ?? clocksOf(chain);
  for (const row of rows) fillIn(row, perMicrosecond);
  return machineOf(name, perMicrosecond, kernels);
}

function machineOf(name: string, perMicrosecond: number, kernels: Kernel[]): Machine {
  const gigahertz = (perMicrosecond / 1000).toFixed(1);
  const microseconds = (1000 / perMicrosecond).toFixed(2);
  const source =
    `Measured just now, calls into WebAssembly included. A page is not told the clock rate: by an estimate it is ${gigahertz} GHz, ` +
    `and 1,000 clocks are ${microseconds} µs`;
  return { ...{ id: "here", era: "here", name, source, measured: true, kernels } };
}
