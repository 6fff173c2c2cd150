// SPDX-License-Identifier: Apache-2.0 OR MIT

import { readdirSync, readFileSync } from "node:fs";

/** Bytes of memory that all processes below this one take, what they share counted once (Linux). */
export function memoryOfBrowser(): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    parents.set(Number(name), number(`/proc/${name}/status`, /^PPid:\s+(\d+)/m));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent === process.pid || (parent > 1 && isBelow(parent));
  };
  const below = [...parents.keys()].filter(isBelow);
  const kilobytes = below.map((pid) => number(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m));
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}

/** Zero for a process that has just ended. */
function number(path: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(path, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
