// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Panels that replace the form during a run, and after it.

import { element } from "../dom";
import type { Order } from "./form";
import type { Failure, Reading, Result, Target, Verb } from "./task";
import { bytesInWords, detailsOf, headingOf, timeInWords } from "./text";

/** The work on one of the files of an order. */
export interface Job extends Order {
  readonly file: File;
  /** " (1 of 3)" of several. */
  readonly place: string;
}

/** A result, and where it is. */
export interface Done extends Result {
  readonly name: string;
  readonly target: Target;
}

export interface Progress {
  readonly root: HTMLElement;
  update(reading: Reading): void;
}

/** Progress of a run, with a button that cancels it. */
export function progressPanel({ verb, file, place }: Job, onCancel: () => void): Progress {
  const encrypts = verb === "encrypt";
  const heading = panelHeading(`${encrypts ? "Encrypting" : "Opening"} ${file.name}${place}`);
  const bar = element("progress", { max: 1, "aria-labelledby": heading.id });
  const words = element(
    "p",
    { class: "hint" },
    "Turning the passphrase into a key: slow on purpose.",
  );
  const cancel = element("button", { type: "button", class: "button" }, "Cancel");
  cancel.addEventListener("click", () => {
    cancel.disabled = true;
    words.textContent = "Cancelling.";
    onCancel();
  });
  const spoken = element("p", { class: "visually-hidden", role: "status" });
  const clock = new Clock();
  const update = (reading: Reading) => {
    const share = reading.doneBytes / file.size;
    bar.value = share;
    words.textContent = clock.words(reading, file.size);
    if (share >= 0.25) spoken.textContent = `${25 * Math.floor(4 * share)} percent`;
  };
  const buttons = element("div", { class: "buttons" }, cancel);
  return { root: panel("", heading, bar, words, spoken, buttons), update };
}

/** Tells how far a reading of the file is, and for how long it will go on at its speed. */
class Clock {
  #started = performance.now();
  #isSecond = false;

  words({ doneBytes, isSecond }: Reading, total: number): string {
    if (isSecond !== this.#isSecond) {
      this.#isSecond = isSecond;
      this.#started = performance.now();
    }
    const seconds = (performance.now() - this.#started) / 1000;
    const left = (seconds * (total - doneBytes)) / doneBytes;
    const start = isSecond ? "It is genuine. Second reading: " : "";
    const words = `${start}${bytesInWords(doneBytes)} of ${bytesInWords(total)}`;
    return seconds < 2 || left < 1 ? words : `${words}, about ${timeInWords(left)} left`;
  }
}

/** Results that the browser holds, to be saved. */
export function resultPanel(verb: Verb, done: readonly Done[], onEnd: () => void): HTMLElement {
  const urls = done.map(({ file }) => URL.createObjectURL(file));
  const saves = done.map(({ name }, i) =>
    element(
      "a",
      { class: "button button-primary", href: urls[i], download: name },
      done.length === 1 ? "Save the file" : `Save ${name}`,
    ),
  );
  const end = () => {
    urls.forEach(URL.revokeObjectURL);
    onEnd();
  };
  return panel(
    "notice-good",
    panelHeading(`${subject(done)} ${verb === "encrypt" ? "encrypted" : "open"}`),
    ...done.flatMap(about),
    element(
      "p",
      { class: "hint" },
      "The browser keeps it until you go on to another file; first wait until it is saved. If " +
        "you close the page instead, it stays until this page is opened again.",
    ),
    element("div", { class: "buttons" }, ...saves, endButton(end)),
  );
}

/** A result that lies in the file that the user chose. */
export function writtenPanel(verb: Verb, done: readonly Done[], onEnd: () => void): HTMLElement {
  return panel(
    "notice-good",
    panelHeading(`${subject(done)} ${verb === "encrypt" ? "encrypted" : "opened"} and written`),
    ...done.flatMap(about),
    element("div", { class: "buttons" }, endButton(onEnd)),
  );
}

const subject = ({ length }: readonly Done[]) =>
  length === 1 ? "The file is" : `The ${length} files are`;

/** Stands above the form after a failure. */
export function failureNotice(
  failure: Failure,
  { verb, file, place }: Pick<Job, "verb"> & Partial<Job>,
): HTMLElement {
  const remains = failure.code === "remains"; // Of this file, or of one before.
  const notice = element(
    "div",
    { class: "notice notice-bad", role: "alert" },
    element("h2", {}, headingOf(failure, verb)),
    ...(place && !remains ? [element("p", {}, `${file?.name}${place}`)] : []),
    element("p", {}, detailsOf(failure)),
  );
  if (!remains) notice.append(element("p", {}, "Nothing of the result was kept."));
  return notice;
}

/** Stands above the form after a run was cancelled. */
export function cancelledNotice(): HTMLElement {
  return element(
    "p",
    { class: "notice", role: "status" },
    "Cancelled. Nothing of the result was kept.",
  );
}

function about({ name, file, isSigned }: Done): HTMLElement[] {
  const size = element("p", {}, element("strong", {}, name), ` ${bytesInWords(file.size)}`);
  const signature = "There is a signature inside, which this page cannot check.";
  return isSigned ? [size, element("p", { class: "hint" }, signature)] : [size];
}

function endButton(onEnd: () => void): HTMLElement {
  const button = element("button", { type: "button", class: "button" }, "Another file");
  button.addEventListener("click", onEnd);
  return button;
}

function panelHeading(text: string): HTMLElement {
  return element("h2", { id: "panel-heading", tabindex: -1 }, text);
}

function panel(kind: string, heading: HTMLElement, ...rest: HTMLElement[]): HTMLElement {
  return element(
    "section",
    { class: `card panel ${kind}`, "aria-labelledby": heading.id },
    heading,
    ...rest,
  );
}
