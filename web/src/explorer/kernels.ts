// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How each kernel is told apart in charts: what it does with the S-boxes gives the colour and the
// shape of its marks, its tables or its vector unit the dashes of its line.

import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from "d3-shape";

export interface Look {
  /** Of the style sheet: series-1 .. series-7. */
  series: number;
  symbol: SymbolType;
  /** Of the style sheet. */
  dash: "plain" | "dashed" | "dotted" | "dash-dotted";
  /** Its work, for people who do not know the name. */
  summary: string;
}

interface Family extends Pick<Look, "series" | "symbol" | "summary"> {
  names: string[];
}

/** Those that precompute least come first [Twofish98, 5.1.1]; then those that look up no tables. */
const FAMILIES: Family[] = [
  {
    names: ["zero"],
    series: 1,
    symbol: symbolCircle,
    summary: "computes every S-box entry when it is needed",
  },
  {
    names: ["minimal"],
    series: 2,
    symbol: symbolTriangle,
    summary: "stores the first steps of the S-boxes",
  },
  {
    names: ["partial", "partial-big"],
    series: 3,
    symbol: symbolSquare,
    summary: "stores the S-boxes",
  },
  {
    names: ["full", "full-big", "full-huge"],
    series: 4,
    symbol: symbolDiamond,
    summary: "stores the S-boxes combined with the MDS matrix",
  },
  {
    names: ["compiled", "compiled-big", "compiled-huge"],
    series: 5,
    symbol: symbolStar,
    summary: "writes machine code for the key, its subkeys inside",
  },
  {
    names: ["bitslice"],
    series: 7,
    symbol: symbolCross,
    summary: "constant-time: logic circuits on many blocks at once",
  },
  {
    names: ["avx512", "avx2-gfni", "avx2", "simd128", "neon", "ssse3"],
    series: 6,
    symbol: symbolWye,
    summary: "constant-time: a vector unit looks up all bytes at once",
  },
];

const DASHES: [RegExp, Look["dash"]][] = [
  [/-big$/, "dashed"],
  [/-huge$/, "dotted"],
  [/^ssse3$|^neon$/, "dashed"],
  [/^avx2$/, "dotted"],
  [/^avx2-gfni$/, "dash-dotted"],
];

/** In square pixels. */
const MARK_AREA = 34;

const OTHER: Family = { names: [], series: 7, symbol: symbolCircle, summary: "" };

export function look(kernel: string): Look {
  const { series, symbol, summary } = FAMILIES.find(({ names }) => names.includes(kernel)) ?? OTHER;
  const dash = DASHES.find(([pattern]) => pattern.test(kernel))?.[1] ?? "plain";
  const tables = kernel.endsWith("-huge") ? "256 MB" : "256 KB";
  const isTable = /-(big|huge)$/.test(kernel);
  return {
    ...{ series, symbol, dash },
    summary: isTable ? `${summary}, with the help of fixed tables of ${tables}` : summary,
  };
}

/** The outline of a kernel's marks, around the origin. */
export function markOf(kernel: string): string {
  return symbol(look(kernel).symbol, MARK_AREA)() ?? "";
}

/** Kernels in the order of the families; names that are not known come last. */
export function inOrder(names: Iterable<string>): string[] {
  const order = FAMILIES.flatMap((family) => family.names);
  const place = (name: string) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  return [...new Set(names)].sort((a, b) => place(a) - place(b));
}
