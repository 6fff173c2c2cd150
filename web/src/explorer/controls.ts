// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The choices of the explorer.

import { element } from "../dom";
import { svg } from "../svg";
import { look, markOf } from "./kernels";
import { KEY_BITS, type KeyBits, type Machine } from "./machine";
import { blockCount, byteCount } from "./numbers";

const BLOCK_BYTES = 16;

/** The key size, as buttons side by side. */
export function keySizes(chosen: KeyBits, change: (keyBits: KeyBits) => void): HTMLElement {
  const labels = KEY_BITS.map((bits) => {
    const checked = bits === chosen;
    const input = element("input", { type: "radio", name: "key-bits", value: bits, checked });
    input.addEventListener("change", () => change(bits));
    return element("label", {}, input, `${bits} bits`);
  });
  return element(
    "fieldset",
    { class: "field" },
    element("legend", { class: "label" }, "Key"),
    element("div", { class: "choice" }, ...labels),
  );
}

/** One of some machines. */
export function machineSelect(
  label: string,
  id: string,
  list: readonly Machine[],
  change: (machine: Machine) => void,
): HTMLElement {
  const options = list.map(({ name }, i) => element("option", { value: i }, name));
  const select = element("select", { class: "select", id }, ...options);
  select.addEventListener("change", () => {
    const machine = list[select.selectedIndex];
    if (machine) change(machine);
  });
  return element("div", { class: "field" }, element("label", { for: id }, label), select);
}

/** A piece of a kernel's line, as it is in the chart. */
function sample(kernel: string): SVGSVGElement {
  const { series, dash } = look(kernel);
  return svg(
    "svg",
    { class: "sample", width: 34, height: 14, viewBox: "0 0 34 14", "aria-hidden": "true" },
    svg(
      "g",
      { class: `series series-${series} ${dash}` },
      svg("path", { class: "line", d: "M1 7H33" }),
      svg("path", { class: "mark", d: markOf(kernel), transform: "translate(17 7)" }),
    ),
  );
}

/** Which kernels are shown: a box to tick for each, with the look of its line. `shown` is changed. */
export function kernelBoxes(
  names: readonly string[],
  shown: Set<string>,
  change: () => void,
): HTMLElement[] {
  return names.map((name) => {
    const input = element("input", { type: "checkbox", name, checked: shown.has(name) });
    input.addEventListener("change", () => {
      if (input.checked) shown.add(name);
      else shown.delete(name);
      change();
    });
    return element("label", { class: "chip" }, input, sample(name), element("span", {}, name));
  });
}

/** The meaning of the names. */
export function glossary(names: readonly string[]): HTMLElement[] {
  return names.flatMap((name) => [
    element("dt", {}, element("code", {}, name)),
    element("dd", {}, look(name).summary),
  ]);
}

export interface BlockSlider {
  element: HTMLElement;
  /** Shows a number of blocks that was chosen elsewhere. */
  show(blocks: number): void;
}

/** The number of blocks, in powers of two. */
export function blockSlider(
  blocks: number,
  most: number,
  change: (blocks: number) => void,
): BlockSlider {
  const id = "blocks";
  const input = element("input", { type: "range", id, min: 0, max: Math.log2(most), step: 1 });
  const output = element("output", { for: id, class: "blocks" });
  const show = (value: number) => {
    const count = value === 1 ? "1 block" : `${blockCount(value)} blocks`;
    const text = `${count}, ${byteCount(value * BLOCK_BYTES)}`;
    input.value = String(Math.log2(value));
    input.setAttribute("aria-valuetext", text);
    output.textContent = text;
  };
  input.addEventListener("input", () => change(2 ** Number(input.value)));
  show(blocks);
  const label = element("label", { for: id, class: "label" }, "Blocks under one key");
  return { element: element("div", { class: "slider" }, label, input, output), show };
}
