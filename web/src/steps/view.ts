// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// One encryption, step by step: a key and a text, a list of steps, and what the chosen one shows.

import { parts } from "manyfish";
import { element } from "../dom";
import { parseHex } from "./input";
import { hexBytes, value } from "./notation";
import { STEPS } from "./panels";
import presets from "./presets.data.mjs";
import { type Trace, trace } from "./trace";

const KEY_LENGTHS = [16, 24, 32];
const BLOCK_BYTES = 16;

/** A field for hexadecimal digits, with room for what is wrong with them. */
class HexField {
  readonly element: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #problem: HTMLElement;
  readonly #lengths: readonly number[];
  readonly #what: string;

  constructor(id: string, what: string, hint: string, lengths: readonly number[]) {
    this.#what = what;
    this.#lengths = lengths;
    const ids = `${id}-hint ${id}-problem`;
    const plain = { autocomplete: "off", autocapitalize: "characters", spellcheck: "false" };
    this.#input = element("input", {
      ...{ id, class: "input input-mono", "aria-describedby": ids },
      ...plain,
    });
    this.#problem = element("p", { id: `${id}-problem`, class: "problem", role: "status" });
    this.element = element(
      "div",
      { class: "field" },
      element("label", { for: id }, what.replace("The k", "K").replace("The t", "T")),
      this.#input,
      element("p", { id: `${id}-hint`, class: "hint" }, hint),
      this.#problem,
    );
  }

  onInput(changed: () => void): void {
    this.#input.addEventListener("input", changed);
  }

  set text(text: string) {
    this.#input.value = text;
  }

  /** The bytes, unless something is wrong, which it then shows. */
  read(): Uint8Array | undefined {
    const parsed = parseHex(this.#what, this.#input.value, this.#lengths);
    const problem = "problem" in parsed ? parsed.problem : "";
    this.#problem.textContent = problem;
    this.#input.setAttribute("aria-invalid", String(problem !== ""));
    return "bytes" in parsed ? parsed.bytes : undefined;
  }
}

class Steps {
  #trace: Trace | undefined;
  #current = 0;
  readonly #key = new HexField(
    "step-key",
    "The key",
    "32, 48 or 64 hexadecimal digits. Take none that protects something: it is shown on the screen.",
    KEY_LENGTHS,
  );
  readonly #text = new HexField("step-text", "The text", "One block: 32 hexadecimal digits.", [
    BLOCK_BYTES,
  ]);
  readonly #preset = element("select", { class: "select", id: "step-preset" });
  readonly #result = element("p", { class: "result" });
  readonly #radios: HTMLInputElement[] = [];
  readonly #back = button("← Back", () => this.#go(this.#current - 1));
  readonly #next = button("Next →", () => this.#go(this.#current + 1));
  readonly #title = element("h2", { id: "step-title" });
  readonly #where = element("p", { class: "hint", role: "status" });
  readonly #body = element("div", { class: "step-body" });

  mount(root: HTMLElement): void {
    root.classList.add("steps");
    root.append(this.#inputs(), this.#rail(), this.#step());
    root.addEventListener("keydown", (event) => this.#onKey(event));
    for (const field of [this.#key, this.#text]) {
      field.onInput(() => {
        this.#preset.selectedIndex = presets.length;
        this.#compute();
      });
    }
    this.#choosePreset();
  }

  #inputs(): HTMLElement {
    const official = presets.map(({ keyBits }) => `Official test values, ${keyBits}-bit key`);
    const names = [...official, "My own key and text"];
    this.#preset.append(...names.map((name) => element("option", {}, name)));
    this.#preset.addEventListener("change", () => this.#choosePreset());
    const label = element("label", { for: this.#preset.id }, "What to encrypt");
    return element(
      "div",
      { class: "card inputs", role: "group", "aria-label": "Key and text" },
      element("div", { class: "field" }, label, this.#preset),
      this.#text.element,
      this.#key.element,
      this.#result,
    );
  }

  /** All steps as one group of radio buttons: arrow keys go from one to the next. */
  #rail(): HTMLElement {
    const labels = STEPS.map(({ short, title }, i) => {
      const input = element("input", {
        type: "radio",
        name: "step",
        value: i,
        "aria-label": title,
      });
      input.addEventListener("change", () => this.#go(i));
      this.#radios.push(input);
      return element("label", {}, input, element("span", { "aria-hidden": "true" }, short));
    });
    const rounds = element("span", { class: "rail-label", "aria-hidden": "true" }, "Rounds");
    const firstRound = STEPS.findIndex(({ title }) => title.startsWith("Round"));
    return element(
      "fieldset",
      { class: "rail" },
      element("legend", { class: "visually-hidden" }, "Step"),
      element(
        "div",
        { class: "choice" },
        ...[...labels.slice(0, firstRound), rounds, ...labels.slice(firstRound)],
      ),
    );
  }

  #step(): HTMLElement {
    return element(
      "section",
      { class: "card step", "aria-labelledby": this.#title.id },
      element(
        "div",
        { class: "step-head" },
        element("div", {}, this.#title, this.#where),
        element("div", { class: "buttons" }, this.#back, this.#next),
      ),
      this.#body,
    );
  }

  #choosePreset(): void {
    const preset = presets[this.#preset.selectedIndex];
    if (preset === undefined) return; // one's own: the fields stay as they are
    this.#key.text = preset.key;
    this.#text.text = preset.text;
    this.#compute();
  }

  /** Encrypts what the fields say; what is wrong there leaves the last good encryption in place. */
  #compute(): void {
    const [key, text] = [this.#key.read(), this.#text.read()];
    if (key === undefined || text === undefined) {
      this.#result.textContent = "Below are still the values of what was typed before.";
      return;
    }
    this.#trace = trace(parts, key, text);
    const ciphertext = value("result", hexBytes(this.#trace.ciphertext));
    this.#result.replaceChildren("It becomes ", ciphertext);
    this.#go(this.#current);
  }

  #go(to: number): void {
    const step = STEPS[to];
    if (step === undefined || this.#trace === undefined) return;
    this.#current = to;
    const radio = this.#radios[to];
    if (radio) radio.checked = true;
    this.#back.disabled = to === 0;
    this.#next.disabled = to === STEPS.length - 1;
    this.#title.textContent = step.title;
    const where = `${step.sections} of the Twofish paper`;
    this.#where.textContent = `Step ${to + 1} of ${STEPS.length}; ${where}`;
    this.#body.replaceChildren(...step.show(this.#trace, parts));
  }

  /** Arrows go on and back, unless what has the focus needs them itself. */
  #onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    // With one of these keys, browsers go back and forward in their history.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (target.matches("input, select, .table-wrap")) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#go(this.#current + by);
  }
}

function button(text: string, click: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: "button" }, text);
  made.addEventListener("click", click);
  return made;
}

export function mount(root: HTMLElement): void {
  new Steps().mount(root);
}
