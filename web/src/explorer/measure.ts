// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Measures the kernels of this browser. A page is not told how fast the processor is clocked, so it is
// estimated by a chain of additions and exclusive ors, each of which takes one clock on the processors
// of today; the same kind of estimate is behind the figures of bench/, where it is a chain of
// multiplications.

import { KEY_BITS, type Kernel, type KeyBits, type Machine, type Point } from "./machine";

const BLOCK_BYTES = 16;
/** 1, 2, 4 .. 4096 blocks, as bench/ measures. */
const LENGTHS = Array.from({ length: 13 }, (_, i) => 2 ** i);
/** How long one measurement runs, in milliseconds; the least of so many counts. */
const RUN = 4;
const RUNS = 3;

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

/** The least step of a clock that is seen. */
function resolution(now: Clock): number {
  const start = now();
  let next = now();
  while (next === start) next = now();
  return next - start;
}

/** Milliseconds of one call of `work`: the least of several runs, each long enough for the clock. */
export function timeOf(now: Clock, work: () => void, run = RUN): number {
  let calls = 1;
  let least = Infinity;
  for (let done = 0; done < RUNS; ) {
    const start = now();
    for (let i = 0; i < calls; i++) work();
    const elapsed = now() - start;
    if (elapsed < run) {
      const needed = elapsed > run / 16 ? (1.2 * calls * run) / elapsed : 8 * calls;
      calls = Math.ceil(needed);
    } else {
      least = Math.min(least, elapsed / calls);
      done++;
    }
  }
  return least;
}

const CHAIN = 4096;

/** A chain of 2 * 8 * CHAIN operations, of which each needs the one before. */
function chain(x: number, a: number, b: number): number {
  let y = x;
  for (let i = 0; i < CHAIN; i++) {
    y = ((y + a) ^ b) | 0;
    y = ((y + b) ^ a) | 0;
    y = ((y + a) ^ b) | 0;
    y = ((y + b) ^ a) | 0;
    y = ((y + a) ^ b) | 0;
    y = ((y + b) ^ a) | 0;
    y = ((y + a) ^ b) | 0;
    y = ((y + b) ^ a) | 0;
  }
  return y;
}

/** How many clocks a microsecond has here. */
export function clocksPerMicrosecond(now: Clock): number {
  let x = 1;
  const work = () => {
    x = chain(x, 0x9e3779b9 | 0, 0x7f4a7c15);
  };
  const milliseconds = Math.min(timeOf(now, work), timeOf(now, work), timeOf(now, work));
  // x is used, or the chain could be left out.
  return (16 * CHAIN) / milliseconds / 1000 + (x === 0 ? 1e-9 : 0);
}

/** A key of so many bits that looks like one, and a different one each time. */
function freshKey(keyBits: KeyBits, n: number): Uint8Array {
  return Uint8Array.from({ length: keyBits / 8 }, (_, i) => (i * 37 + n * 101 + (n >> 8)) & 255);
}

interface Figures {
  setup: number;
  block: number;
  points: Point[];
}

/** One kernel with one key size, in milliseconds. */
function* figuresOf(now: Clock, subject: Subject, keyBits: KeyBits, run: number) {
  const keys = Array.from({ length: 16 }, (_, n) => freshKey(keyBits, n));
  let n = 0;
  const setKey = () => subject.setKey(keys[n++ % keys.length] ?? freshKey(keyBits, n));
  const block = new Uint8Array(BLOCK_BYTES);

  const figures: Figures = { setup: timeOf(now, setKey, run), block: 0, points: [] };
  figures.block = timeOf(now, () => subject.encrypt(block), run);
  yield;
  for (const blocks of LENGTHS) {
    const message = new Uint8Array(blocks * BLOCK_BYTES);
    const work = () => {
      setKey();
      subject.encrypt(message);
    };
    figures.points.push([blocks, timeOf(now, work, run)]);
    yield;
  }
  return figures;
}

/** How far a measurement is. */
export interface Progress {
  done: number;
  total: number;
}

/**
 * Measures all kernels with all key sizes; some seconds.
 *
 * @param perMicrosecond clocks of the processor
 * @param name of the browser
 * @returns after each step how far it is, and at the end the machine
 */
export function* measure(
  now: Clock,
  perMicrosecond: number,
  subjects: readonly Subject[],
  name: string,
): Generator<Progress, Machine> {
  const run = Math.max(RUN, 10 * resolution(now));
  const clocks = (milliseconds: number) => milliseconds * 1000 * perMicrosecond;
  const total = subjects.length * KEY_BITS.length * (LENGTHS.length + 1);
  let done = 0;

  const kernels: Kernel[] = [];
  for (const subject of subjects) {
    const { name, constantTime } = subject;
    const kernel: Kernel = { name, constantTime, setup: {}, block: {}, points: {} };
    for (const keyBits of KEY_BITS) {
      const steps = figuresOf(now, subject, keyBits, run);
      let step = steps.next();
      for (; !step.done; step = steps.next()) yield { done: ++done, total };
      kernel.setup[keyBits] = clocks(step.value.setup);
      kernel.block[keyBits] = clocks(step.value.block);
      kernel.points[keyBits] = step.value.points.map(([n, time]) => [n, clocks(time)]);
    }
    subject.close();
    kernels.push(kernel);
  }
  const gigahertz = (perMicrosecond / 1000).toFixed(1);
  return {
    ...{ id: "here", era: "here", name, measured: true, clocksPerMicrosecond: perMicrosecond },
    source: `measured just now in WebAssembly; clocks by an estimate of ${gigahertz} GHz`,
    kernels,
  };
}
