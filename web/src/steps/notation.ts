// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Names and values as the paper writes them, as elements. Each value can be found by its name.

import { element } from "../dom";
import type { Word } from "./trace";

/** Eight digits, the highest first. */
export function hexWord(word: Word): string {
  return word.toString(16).toUpperCase().padStart(8, "0");
}

export function hexByte(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

/** Two digits a byte, in order of the bytes. */
export function hexBytes(bytes: Iterable<number>): string {
  return [...bytes].map(hexByte).join("");
}

/** A letter with an index below: "K_8" becomes K with a small 8. */
export function symbol(name: string): HTMLElement {
  const [letter = "", index] = name.split("_");
  const made = element("span", { class: "symbol" }, element("var", {}, letter));
  if (index !== undefined) made.append(element("sub", {}, index));
  return made;
}

/** A letter with an index, or g, h and S by themselves. */
const SYMBOL = /([A-Za-z]+_(?:2i\+1|2i|\d+(?:,\d)?|[eio])|\b[ghS]\b(?!-))/;

/** Words with symbols between them: what looks like K_8 is set as a symbol. */
export function formula(text: string): HTMLElement {
  const parts = text.split(SYMBOL).map((part) => (SYMBOL.test(part) ? symbol(part) : part));
  return element("span", { class: "formula" }, ...parts);
}

/** The value of something: `name` is how tests and style sheets find it. */
export function value(name: string, text: string): HTMLElement {
  return element("code", { class: "value", "data-value": name }, text);
}

/** A line of a computation: what, how, and what comes out. */
export type Equation = [name: string, how: string, result: string];

export function equations(caption: string, rows: readonly Equation[]): HTMLElement {
  const lines = rows.map(([name, how, result]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, symbol(name)),
      element("td", {}, formula(how)),
      element("td", {}, value(name, result)),
    ),
  );
  const head = ["value", "how", "result"].map((text) => element("th", { scope: "col" }, text));
  return scrollable(
    caption,
    element(
      "table",
      { class: "table equations" },
      element("caption", {}, caption),
      element("thead", { class: "visually-hidden" }, element("tr", {}, ...head)),
      element("tbody", {}, ...lines),
    ),
  );
}

/** Content that may be wider than the window scrolls by itself; also by keys, so it can be focused. */
export function scrollable(label: string, content: Element): HTMLElement {
  const attributes = { class: "table-wrap", role: "region", "aria-label": label, tabindex: 0 };
  return element("div", attributes, content);
}

export function paragraph(text: string): HTMLElement {
  return element("p", {}, formula(text));
}
