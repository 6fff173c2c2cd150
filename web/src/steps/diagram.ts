// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Drawings of what happens to the four words of a block. All that they show stands beside them as text
// too, so they are hidden from screen readers.

import { svg } from "../svg";
import { hexWord } from "./notation";
import type { Round, Word } from "./trace";

const WIDTH = 480;
/** Where the four words run. */
const COLUMNS = [66, 180, 330, 430] as const;

function at(words: readonly Word[], i: number): string {
  return hexWord(words[i] ?? 0);
}

function column(i: number): number {
  return COLUMNS[i % 4] ?? 0;
}

function drawing(height: number, ...parts: Node[]): SVGSVGElement {
  const viewBox = `0 0 ${WIDTH} ${height}`;
  return svg("svg", { class: "diagram", viewBox, "aria-hidden": "true" }, ...parts);
}

function wire(d: string, style = "wire"): SVGPathElement {
  return svg("path", { class: style, d });
}

/** The name of a word, with its index below the line. */
function label(x: number, y: number, name: string, anchor = "middle"): SVGTextElement {
  const [letter = "", index = ""] = name.split("_");
  const text = svg("text", { class: "name", x, y, "text-anchor": anchor }, letter);
  text.append(svg("tspan", { dy: 4, class: "index" }, index));
  return text;
}

function word(x: number, y: number, text: string, anchor = "middle"): SVGTextElement {
  return svg("text", { class: "word", x, y, "text-anchor": anchor }, text);
}

/** A word with its name above. */
function named(x: number, y: number, name: string, text: string): SVGElement[] {
  return [label(x, y, name), word(x, y + 18, text)];
}

function box(x: number, y: number, width: number, height: number, text: string): SVGGElement {
  const [left, top] = [x - width / 2, y - height / 2];
  return svg(
    "g",
    { class: "box" },
    svg("rect", { x: left, y: top, width, height, rx: 5 }),
    svg("text", { x, y: y + 4.5, "text-anchor": "middle" }, text),
  );
}

/** An exclusive or: a plus in a circle. */
function xorNode(x: number, y: number): SVGGElement {
  return svg(
    "g",
    { class: "node" },
    svg("circle", { cx: x, cy: y, r: 9 }),
    svg("path", { d: `M${x - 9} ${y}h18M${x} ${y - 9}v18` }),
  );
}

/** An addition modulo 2^32: a plus in a square. */
function addNode(x: number, y: number): SVGGElement {
  return svg(
    "g",
    { class: "node" },
    svg("rect", { x: x - 9, y: y - 9, width: 18, height: 18 }),
    svg("path", { d: `M${x - 9} ${y}h18M${x} ${y - 9}v18` }),
  );
}

/** A key that goes into a node from the right. */
function keyAt(x: number, y: number, name: string, text: string): SVGElement[] {
  return [
    wire(`M${x + 9} ${y}h8`, "wire key"),
    label(x + 20, y - 5, name, "start"),
    word(x + 20, y + 14, text, "start"),
  ];
}

/** Four words, each XORed with a subkey: before the rounds, or after them with the swap undone. */
export function whitening(
  from: { name: string; words: readonly Word[] },
  keys: { first: number; words: readonly Word[] },
  to: { name: string; words: readonly Word[] },
  swap: boolean,
): SVGSVGElement {
  const parts: SVGElement[] = [];
  const node = swap ? 130 : 90;
  for (const i of [0, 1, 2, 3]) {
    // The narrow pair would leave no room for keys, so here the columns stand evenly.
    const [x, source] = [even(i), even(swap ? (i + 2) % 4 : i)];
    const path = swap ? `M${source} 42V56L${x} 104V${node - 9}` : `M${x} 42V${node - 9}`;
    parts.push(
      ...named(even(i), 16, `${from.name}${i}`, at(from.words, i)),
      wire(path),
      xorNode(x, node),
      ...keyAt(x, node, `K_${keys.first + i}`, at(keys.words, i)),
      wire(`M${x} ${node + 9}v28`),
      ...named(x, node + 54, `${to.name}${i}`, at(to.words, i)),
    );
  }
  return drawing(node + 84, ...parts);
}

function even(i: number): number {
  return 42 + 116 * i;
}

/** A round: what goes in at the top comes out below, with the halves swapped. */
export function roundDrawing({ r, R, T, K, F, next }: Round): SVGSVGElement {
  const [r0, r1, r2, r3] = COLUMNS;
  const [pass0, pass1] = [14, 272]; // R_0 and R_1 go past F on these
  const bottom = 452;
  const wires = [
    wire(`M${r0} 42V112M${r0} 138V178M${r0} 206V222M${r0} 240V300H${r2 - 9}`),
    wire(`M${r1} 42V62M${r1} 86V112M${r1} 138V178M${r1} 206V222M${r1} 240V340H${r3 - 9}`),
    wire(`M${r0} 50H${pass0}V392L${r2} ${bottom - 14}`, "wire pass"),
    wire(`M${r1} 50H${pass1}V392L${r3} ${bottom - 14}`, "wire pass"),
    wire(`M${r2} 42V291M${r2} 309V358M${r2} 382V392L${r0} ${bottom - 14}`),
    wire(`M${r3} 42V188M${r3} 212V331M${r3} 349V392L${r1} ${bottom - 14}`),
  ];
  return drawing(
    bottom + 26,
    ...wires,
    ...[0, 1, 2, 3].flatMap((i) => named(column(i), 16, `R_${r},${i}`, at(R, i))),
    ...[r0, r1].map((x) => svg("circle", { class: "dot", cx: x, cy: 50, r: 3 })),
    box(r1, 74, 60, 24, "ROL 8"),
    box(r0, 125, 44, 26, "g"),
    box(r1, 125, 44, 26, "g"),
    ...[r0, r1].flatMap((x, i) => [
      label(x + 8, 156, `T_${r},${i}`, "start"),
      word(x + 8, 173, hexWord(T[i] ?? 0), "start"),
    ]),
    box((r0 + r1) / 2, 192, r1 - r0 + 50, 28, "PHT"),
    addNode(r0, 231),
    addNode(r1, 231),
    ...keyAt(r0, 231, `K_${2 * r + 8}`, hexWord(K[0])),
    ...keyAt(r1, 231, `K_${2 * r + 9}`, hexWord(K[1])),
    ...sumLabel(r0, 300, `F_${r},0`, hexWord(F[0])),
    ...sumLabel(r1, 340, `F_${r},1`, hexWord(F[1])),
    box(r3, 200, 60, 24, "ROL 1"),
    xorNode(r2, 300),
    xorNode(r3, 340),
    box(r2, 370, 60, 24, "ROR 1"),
    ...[0, 1, 2, 3].flatMap((i) => named(column(i), bottom, `R_${r + 1},${i}`, at(next, i))),
  );
}

/** Beside the corner where a word of F turns to the right. */
function sumLabel(x: number, y: number, name: string, text: string): SVGElement[] {
  return [label(x + 8, y - 25, name, "start"), word(x + 8, y - 8, text, "start")];
}
