// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A panel of the chart: one machine, a line for each kernel, clocks of a byte over the number of
// blocks under one key, both logarithmic. All panels have the same scales, so that lines at the same
// height cost the same.

import { type ScaleLogarithmic, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import { svg } from "../svg";
import { inOrder, look, markOf } from "./kernels";
import { spread } from "./labels";
import { best, clocksAt, type KeyBits, type Machine, type Point } from "./machine";
import { blockCount, perByte } from "./numbers";

const BLOCK_BYTES = 16;
const MARGIN = { left: 46, top: 30, bottom: 46 };
/** Labels stand so far from the ends of their lines; a letter of theirs is so wide, at most. */
const LABEL_DISTANCE = 24;
const LETTER = 7.6;
/** A panel narrower than this has fewer ticks. */
const NARROW = 340;
const PAST_LABEL = "1998’s best";
const LABEL_GAP = 16;

export interface PanelData {
  machine: Machine;
  keyBits: KeyBits;
  /** Which kernels are drawn. */
  shown: ReadonlySet<string>;
  /** A machine whose best choices are drawn behind, for comparison. */
  beside?: Machine | undefined;
}

export interface Ranges {
  blocks: [number, number];
  /** Clocks of a byte. */
  cost: [number, number];
  /** Letters of the longest label. */
  letters: number;
}

interface Series {
  name: string;
  points: Point[];
}

interface Scales {
  x: ScaleLogarithmic<number, number>;
  y: ScaleLogarithmic<number, number>;
}

/** The lines of a panel, those that precompute least first. */
export function seriesOf({ machine, keyBits, shown }: PanelData): Series[] {
  const kernels = new Map(machine.kernels.map((kernel) => [kernel.name, kernel]));
  return inOrder(kernels.keys()).flatMap((name) => {
    const points = kernels.get(name)?.points[keyBits];
    return points !== undefined && shown.has(name) ? [{ name, points }] : [];
  });
}

function cost([blocks, clocks]: Point): number {
  return clocks / (blocks * BLOCK_BYTES);
}

/** The best choice of a machine at each number of blocks that one of its kernels has a point for. */
export function envelope(machine: Machine, keyBits: KeyBits, shown?: ReadonlySet<string>): Point[] {
  const kernels = machine.kernels.filter(({ name }) => shown?.has(name) ?? true);
  const all = kernels.flatMap((kernel) => (kernel.points[keyBits] ?? []).map(([n]) => n));
  return [...new Set(all)]
    .sort((a, b) => a - b)
    .flatMap((n): Point[] => {
      const found = best(kernels, keyBits, n);
      return found === undefined ? [] : [[n, found.clocks]];
    });
}

/** The ranges of all panels together; costs are rounded to 1, 2 and 5. */
export function rangesOf(panels: readonly PanelData[]): Ranges {
  const points = panels.flatMap((panel) => [
    ...seriesOf(panel).flatMap((series) => series.points),
    ...(panel.beside ? envelope(panel.beside, panel.keyBits) : []),
  ]);
  const costs = points.map(cost);
  const blocks = points.map(([n]) => n);
  const labels = panels.flatMap((panel) => seriesOf(panel).map(({ name }) => name));
  const letters = Math.max(PAST_LABEL.length, ...labels.map((label) => label.length));
  if (points.length === 0) return { blocks: [1, 4096], cost: [1, 1000], letters };
  return {
    letters,
    blocks: [Math.min(...blocks), Math.max(...blocks)],
    cost: [roundDown(Math.min(...costs)), 1 / roundDown(1 / Math.max(...costs))],
  };
}

function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([5, 2, 1].find((step) => step * power <= value) ?? 1);
}

/** 1, 2 and 5 times the powers of ten in a range. */
function costTicks([from, to]: [number, number]): number[] {
  const powers = Array.from({ length: 12 }, (_, i) => 10 ** (i - 3));
  return powers
    .flatMap((power) => [power, 2 * power, 5 * power])
    .filter((tick) => tick >= from * 0.999 && tick <= to * 1.001);
}

function blockTicks([from, to]: [number, number], step: number): number[] {
  const ticks: number[] = [];
  for (let n = from; n <= to; n *= step) ticks.push(n);
  return ticks;
}

function grid({ x, y }: Scales, ranges: Ranges, blockStep: number): SVGGElement {
  const [left, right] = x.range() as [number, number];
  const [bottom, top] = y.range() as [number, number];
  const group = svg("g", { class: "axis" });
  for (const tick of costTicks(ranges.cost)) {
    group.append(
      svg("path", { class: "grid", d: `M${left} ${y(tick)}H${right}` }),
      svg("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, perByte(tick)),
    );
  }
  for (const tick of blockTicks(ranges.blocks, blockStep)) {
    group.append(
      svg("path", { class: "grid", d: `M${x(tick)} ${bottom}V${top}` }),
      svg("text", { x: x(tick), y: bottom + 18, "text-anchor": "middle" }, blockCount(tick)),
    );
  }
  const middle = (left + right) / 2;
  group.append(
    svg("text", { x: middle, y: bottom + 39, "text-anchor": "middle" }, "blocks under one key"),
    svg("text", { x: left - 38, y: 12 }, "clocks a byte"),
  );
  return group;
}

function path({ x, y }: Scales, points: Point[]): string {
  const draw = line<Point>(
    ([n]) => x(n),
    (point) => y(cost(point)),
  );
  return draw(points) ?? "";
}

function marks({ x, y }: Scales, { name, points }: Series): SVGPathElement[] {
  const d = markOf(name);
  return points.map((point) => {
    const transform = `translate(${x(point[0])} ${y(cost(point))})`;
    return svg("path", { class: "mark", d, transform });
  });
}

function seriesGroup(scales: Scales, series: Series): SVGGElement {
  const { series: n, dash } = look(series.name);
  return svg(
    "g",
    { class: `series series-${n} ${dash}`, "data-kernel": series.name },
    svg("path", { class: "line", d: path(scales, series.points) }),
    ...marks(scales, series),
  );
}

/** The label at the right end of a line. */
interface EndLabel {
  text: string;
  end: Point;
  /** Of the style sheet. */
  style: string;
}

function endLabelsOf(data: PanelData, all: Series[]): EndLabel[] {
  const labels = all.flatMap(({ name, points }): EndLabel[] => {
    const end = points[points.length - 1];
    return end ? [{ text: name, end, style: `series-${look(name).series}` }] : [];
  });
  const past = data.beside && envelope(data.beside, data.keyBits);
  const end = past?.[past.length - 1];
  return end ? [...labels, { text: PAST_LABEL, end, style: "past" }] : labels;
}

/** The labels apart from one another, with a thread to their lines. */
function endLabels({ x, y }: Scales, labels: EndLabel[]): SVGGElement {
  const [bottom, top] = y.range() as [number, number];
  const wanted = labels.map(({ end }) => y(cost(end)));
  const places = spread(wanted, LABEL_GAP, top + 4, bottom - 2);
  const column = (x.range()[1] ?? 0) + LABEL_DISTANCE;
  const group = svg("g", { class: "labels" });
  labels.forEach(({ text, end, style }, i) => {
    const place = places[i] ?? 0;
    const thread = `M${x(end[0]) + 6} ${wanted[i]}L${column - 4} ${place}`;
    group.append(
      svg(
        "g",
        { class: style },
        svg("path", { class: "thread", d: thread }),
        svg("text", { x: column, y: place + 4 }, text),
      ),
    );
  });
  return group;
}

/** The line of the number of blocks that is being looked at, with a ring on each curve. */
function cursor({ x, y }: Scales, all: Series[], blocks: number): SVGGElement {
  const [bottom, top] = y.range() as [number, number];
  const group = svg("g", { class: "cursor" });
  group.append(svg("path", { class: "cursor-line", d: `M${x(blocks)} ${bottom}V${top}` }));
  for (const { points, name } of all) {
    const clocks = clocksAt(points, blocks);
    if (clocks === undefined) continue;
    const cy = y(cost([blocks, clocks]));
    group.append(
      svg("circle", { class: `ring series-${look(name).series}`, cx: x(blocks), cy, r: 6 }),
    );
  }
  return group;
}

/** The panel in a sentence: where each choice is the best. */
export function summary(panel: PanelData): string {
  const { machine, keyBits, shown } = panel;
  const kernels = machine.kernels.filter(({ name }) => shown.has(name));
  const parts: string[] = [];
  let previous = "";
  for (const [n] of envelope(machine, keyBits, shown)) {
    const found = best(kernels, keyBits, n);
    if (found === undefined || found.kernel.name === previous) continue;
    previous = found.kernel.name;
    const value = perByte(cost([n, found.clocks]));
    parts.push(`from ${blockCount(n)} ${n === 1 ? "block" : "blocks"} ${previous} (${value})`);
  }
  const found = parts.length > 0 ? parts.join(", ") : "nothing is selected";
  return `${machine.name}, clocks a byte with a ${keyBits}-bit key. Best: ${found}.`;
}

/** A drawn panel. */
export interface Panel {
  element: SVGSVGElement;
  /** Moves the line of the number of blocks. */
  moveCursor(blocks: number): void;
  /** The number of blocks at a place of the screen, a power of two within the scale. */
  blocksAt(clientX: number): number;
}

/** Draws a panel `width` by `height` pixels large, with letters `zoom` times as large as usual. */
export function panel(
  data: PanelData,
  ranges: Ranges,
  [width, height]: readonly [number, number],
  zoom: number,
): Panel {
  const isNarrow = width < NARROW;
  const right = LABEL_DISTANCE + LETTER * ranges.letters + 2;
  const scales: Scales = {
    x: scaleLog()
      .domain(ranges.blocks)
      .range([MARGIN.left, width - right]),
    y: scaleLog()
      .domain(ranges.cost)
      .range([height - MARGIN.bottom, MARGIN.top]),
  };
  const all = seriesOf(data);
  const element = svg("svg", {
    ...{ class: "panel", width: width * zoom, height: height * zoom },
    ...{ viewBox: `0 0 ${width} ${height}` },
    ...{ role: "img", "aria-label": summary(data) },
  });
  element.append(grid(scales, ranges, isNarrow ? 64 : 8));
  if (data.beside) {
    const points = envelope(data.beside, data.keyBits);
    element.append(svg("path", { class: "beside", d: path(scales, points) }));
  }
  element.append(
    svg("path", {
      class: "best",
      d: path(scales, envelope(data.machine, data.keyBits, data.shown)),
    }),
    ...all.map((series) => seriesGroup(scales, series)),
    endLabels(scales, endLabelsOf(data, all)),
  );
  let drawn = svg("g");
  element.append(drawn);

  return {
    element,
    moveCursor(blocks) {
      const moved = cursor(scales, all, blocks);
      drawn.replaceWith(moved);
      drawn = moved;
    },
    blocksAt(clientX) {
      const box = element.getBoundingClientRect();
      const blocks = scales.x.invert(((clientX - box.left) * width) / box.width);
      const [from, to] = ranges.blocks;
      return Math.max(from, Math.min(to, 2 ** Math.round(Math.log2(blocks))));
    },
  };
}
