// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The trade-off explorer: how much of the S-boxes to compute beforehand, in 1998, today and in this
// browser; as a chart, for one number of blocks, and as tables.

import { element } from "../dom";
import { type Panel, panel, rangesOf } from "./chart";
import { blockSlider, glossary, kernelBoxes, keySizes, machineSelect } from "./controls";
import { inOrder } from "./kernels";
import { liveMeasurement } from "./live";
import type { Machine } from "./machine";
import machines from "./machines.data.mjs";
import { atBlocks, type Compared, tableOfOptions, tableOfPoints } from "./tables";

const PANEL_HEIGHT = 400;
const NARROW_HEIGHT = 340;
/** The size of letters that the panels are made for, in pixels; larger letters get larger panels. */
const USUAL_LETTERS = 17;
const MOST_BLOCKS = 4096;
/** The options of the book, and what is constant-time where it is fastest and where it is slowest. */
const FIRST_SHOWN = [
  "zero",
  "minimal",
  "partial",
  "full",
  "compiled",
  "avx2",
  "simd128",
  "bitslice",
];

const OF_1998 = machines.filter(({ era }) => era === "1998");
const OF_TODAY = machines.filter(({ era }) => era === "today");

function first(list: readonly Machine[], what: string): Machine {
  const [machine] = list;
  if (machine === undefined) throw new Error(`the page was built without a machine of ${what}`);
  return machine;
}

function letterSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

function howMade(machine: Machine): string {
  const how = machine.measured ? "" : " Curves: set-up and blocks added up.";
  return `${machine.source}.${how}`;
}

/** A card with a heading. */
function card(id: string, title: string, ...children: Node[]): HTMLElement {
  const heading = element("h2", { id }, title);
  return element("section", { class: "card", "aria-labelledby": id }, heading, ...children);
}

function paragraph(text: string): HTMLElement {
  return element("p", { class: "hint" }, text);
}

class Explorer {
  readonly #compared: Compared & { shown: Set<string> };
  #blocks = 16;
  #panels: Panel[] = [];
  readonly #slider = blockSlider(this.#blocks, MOST_BLOCKS, (blocks) => this.#look(blocks));
  readonly #live = liveMeasurement((machine) => this.#measured(machine));
  readonly #figures = element("div", { class: "panels" });
  readonly #at = element("div", { class: "at-blocks" });
  readonly #chips = element("div", { class: "chips" });
  readonly #glossary = element("dl", { class: "glossary" });
  readonly #options = element("div", { class: "table-of-options" });
  readonly #points = element("div", { class: "all-points" });

  constructor() {
    this.#compared = {
      past: first(OF_1998, "1998"),
      today: first(OF_TODAY, "today"),
      keyBits: 128,
      shown: new Set(FIRST_SHOWN),
    };
  }

  mount(root: HTMLElement): void {
    root.classList.add("explorer");
    root.append(this.#controls(), this.#chart(), this.#tables());
    this.#listKernels();
    this.#draw();
    new ResizeObserver(() => this.#drawPanels()).observe(this.#figures);
  }

  #controls(): HTMLElement {
    const set = (change: Partial<Compared>) => {
      Object.assign(this.#compared, change);
      this.#listKernels();
      this.#draw();
    };
    const legend = element("legend", { class: "label" }, "Keying options and kernels");
    return element(
      "div",
      { class: "card controls", role: "group", "aria-label": "What to compare" },
      keySizes(this.#compared.keyBits, (keyBits) => set({ keyBits })),
      machineSelect("1998", "machine-then", OF_1998, (past) => set({ past })),
      machineSelect("Today", "machine-now", OF_TODAY, (today) => set({ today })),
      element("fieldset", { class: "field kernels" }, legend, this.#chips),
      element(
        "details",
        { class: "kernels" },
        element("summary", {}, "What the names mean"),
        this.#glossary,
      ),
    );
  }

  #chart(): HTMLElement {
    return card(
      "chart-title",
      "Set-up and encryption together",
      paragraph(
        "Clocks for each byte of a message, the key set-up included: lower is better. Little " +
          "precomputation wins for short messages, much precomputation for long ones. The broad " +
          "band lies behind the best choice; the dotted line is the best of 1998.",
      ),
      this.#slider.element,
      this.#figures,
    );
  }

  #tables(): HTMLElement {
    return element(
      "div",
      { class: "tables" },
      card(
        "options-title",
        "Table 5.1, then and now",
        paragraph(
          "A block here waits for the one before it. Ratio: clocks of 1998 for each of today. What " +
            "stands for a key in memory is not in the book.",
        ),
        this.#options,
      ),
      element(
        "details",
        { class: "card" },
        element("summary", {}, "All figures of the chart as tables"),
        this.#points,
      ),
    );
  }

  /** The kernels of the machines that are compared. */
  #listKernels(): void {
    const { past, today, here, shown } = this.#compared;
    const all = [past, today, ...(here ? [here] : [])].flatMap((machine) => machine.kernels);
    const names = inOrder(all.map(({ name }) => name));
    this.#chips.replaceChildren(...kernelBoxes(names, shown, () => this.#draw()));
    this.#glossary.replaceChildren(...glossary(names));
  }

  #measured(here: Machine): void {
    this.#compared.here = here;
    this.#listKernels();
    this.#draw();
  }

  #draw(): void {
    const { past, today, here } = this.#compared;
    this.#drawPanels();
    this.#options.replaceChildren(tableOfOptions(this.#compared));
    const all = [past, today, ...(here ? [here] : [])];
    this.#points.replaceChildren(...all.map((machine) => tableOfPoints(this.#compared, machine)));
  }

  #drawPanels(): void {
    const { past, today, here, keyBits, shown } = this.#compared;
    const data = [
      { machine: past, keyBits, shown },
      { machine: today, keyBits, shown, beside: past },
      ...(here ? [{ machine: here, keyBits, shown, beside: past }] : []),
    ];
    const ranges = rangesOf(data);
    const zoom = letterSize() / USUAL_LETTERS;
    const total = this.#figures.clientWidth / zoom;
    if (total === 0) return; // hidden: the observer calls again
    // As in explorer.css: two panels stand side by side where there is room.
    const width = total >= 720 ? (total - 24) / 2 : total;
    const height = width < 420 ? NARROW_HEIGHT : PANEL_HEIGHT;
    this.#panels = data.map((each) => panel(each, ranges, [width, height], zoom));
    const figures = this.#panels.map((each, i) => this.#figure(each, data[i]?.machine ?? past));
    const thirdTitle = element("h3", {}, here ? here.name : "This browser");
    const third = figures[2] ?? element("div", { class: "figure" }, thirdTitle);
    third.append(this.#live);
    this.#figures.replaceChildren(...figures.slice(0, 2), third, this.#at);
    this.#look(this.#blocks);
  }

  #figure(drawn: Panel, machine: Machine): HTMLElement {
    const choose = (event: PointerEvent) => this.#look(drawn.blocksAt(event.clientX));
    drawn.element.addEventListener("pointermove", choose);
    drawn.element.addEventListener("pointerdown", choose);
    const year = { "1998": "1998: ", today: "Today: ", here: "This browser: " }[machine.era];
    return element(
      "figure",
      { class: "figure" },
      element("figcaption", {}, element("h3", {}, `${year}${machine.name}`)),
      drawn.element,
      paragraph(howMade(machine)),
    );
  }

  /** Looks at one number of blocks: a line through the panels, and a table. */
  #look(blocks: number): void {
    this.#blocks = blocks;
    this.#slider.show(blocks);
    for (const each of this.#panels) each.moveCursor(blocks);
    this.#at.replaceChildren(element("h3", {}, "At the line"), atBlocks(this.#compared, blocks));
  }
}

export function mount(root: HTMLElement): void {
  new Explorer().mount(root);
}
