// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The step of the S-boxes: the four tables, and the way of one byte through q0, q1 and the bytes of S.

import { element } from "../dom";
import { formula, hexByte, paragraph, scrollable, symbol } from "./notation";
import { type Level, type Parts, path, type Trace } from "./trace";

/** The chosen byte; it stays when key or text change, and when another step was shown. */
const chosen = { box: 0, byte: 0 };

/** The stations of a byte: q, what comes out, and the byte of S that is XORed. */
function stations(levels: readonly Level[], k: number): HTMLElement {
  const items = levels.flatMap(({ q, input, output, list, keyByte }) => {
    const station = [
      element("li", { class: "byte" }, element("code", {}, hexByte(input))),
      element("li", { class: "q" }, symbol(`q_${q}`)),
    ];
    if (list === undefined || keyByte === undefined) return station;
    // L_0 is S_(k-1): S lists its words the other way round.
    const from = formula(`xor ${hexByte(keyByte)} of S_${k - 1 - list}`);
    return [
      ...station,
      element("li", { class: "byte" }, element("code", {}, hexByte(output))),
      element("li", { class: "key" }, from),
    ];
  });
  const last = levels[levels.length - 1]?.output ?? 0;
  const end = element("code", { "data-value": "s-box" }, hexByte(last));
  const label = "The way of the byte";
  return element(
    "ol",
    { class: "stations", role: "list", "aria-label": label },
    ...items,
    element("li", { class: "byte last" }, end),
  );
}

function grid(box: Uint8Array, name: string, choose: (byte: number) => void): HTMLElement {
  const digits = Array.from({ length: 16 }, (_, i) => i.toString(16).toUpperCase());
  const head = digits.map((digit) => element("th", { scope: "col" }, digit));
  const rows = digits.map((digit, high) => {
    const cells = digits.map((_, low) => {
      const byte = 16 * high + low;
      const cell = element("td", { "data-byte": byte }, hexByte(box[byte] ?? 0));
      if (byte === chosen.byte) cell.classList.add("chosen");
      return cell;
    });
    return element("tr", {}, element("th", { scope: "row" }, `${digit}_`), ...cells);
  });
  const table = element(
    "table",
    { class: "s-box" },
    element(
      "caption",
      {},
      `${name}: the row is the first digit of the byte, the column the second`,
    ),
    element("thead", {}, element("tr", {}, element("td"), ...head)),
    element("tbody", {}, ...rows),
  );
  table.addEventListener("click", ({ target }) => {
    const byte = target instanceof HTMLElement ? target.dataset.byte : undefined;
    if (byte !== undefined) choose(Number(byte));
  });
  return scrollable(name, table);
}

function boxChoice(change: (box: number) => void): HTMLElement {
  const labels = [0, 1, 2, 3].map((box) => {
    const checked = box === chosen.box;
    const input = element("input", { type: "radio", name: "s-box", value: box, checked });
    input.addEventListener("change", () => change(box));
    return element("label", {}, input, String(box));
  });
  return element(
    "fieldset",
    { class: "field" },
    element("legend", { class: "label" }, "S-box"),
    element("div", { class: "choice" }, ...labels),
  );
}

function byteSlider(change: (byte: number) => void): { element: HTMLElement; show(): void } {
  const input = element("input", { type: "range", id: "byte", min: 0, max: 255, step: 1 });
  const output = element("output", { for: "byte" });
  input.addEventListener("input", () => change(Number(input.value)));
  const show = () => {
    input.value = String(chosen.byte);
    input.setAttribute("aria-valuetext", hexByte(chosen.byte));
    output.textContent = hexByte(chosen.byte);
  };
  const label = element("label", { for: "byte", class: "label" }, "Byte that goes in ", output);
  return { element: element("div", { class: "field" }, label, input), show };
}

/** The step, with its own controls. */
export function sboxPanel({ S, boxes }: Trace, parts: Parts): Node[] {
  const ways = element("div", { class: "way" });
  const tables = element("div");
  const slider = byteSlider((byte) => choose({ byte }));

  function choose(change: Partial<typeof chosen>): void {
    Object.assign(chosen, change);
    slider.show();
    ways.replaceChildren(stations(path(parts, S, chosen.box, chosen.byte), S.length));
    const box = boxes[chosen.box] ?? new Uint8Array(256);
    tables.replaceChildren(grid(box, `S-box ${chosen.box}`, (byte) => choose({ byte })));
  }

  choose({});
  return [
    paragraph(
      "An S-box replaces a byte by another one. Those of Twofish depend on the key: a byte goes through two fixed " +
        "permutations, q_0 and q_1, several times, and between them a byte of S is XORed. A longer key adds " +
        "stations in front. Each of the four bytes of a word has an S-box of its own.",
    ),
    element(
      "div",
      { class: "s-box-choice" },
      boxChoice((box) => choose({ box })),
      slider.element,
    ),
    ways,
    tables,
  ];
}
