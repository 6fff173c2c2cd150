// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The form: what to do, with which file, under which passphrase.

import { element } from "../dom";
import { looksEncrypted } from "./names";
import type { Verb } from "./task";
import { bytesInWords } from "./text";

/** What the user asked for, complete and checked. */
export interface Order {
  readonly verb: Verb;
  readonly file: File;
  readonly passphrase: string;
  readonly armor: boolean;
  /** Write into a file that the user chooses now. */
  readonly pick: boolean;
}

const canPick = "showSaveFilePicker" in window;

export class Form {
  readonly root: HTMLFormElement;
  #file: File | undefined;
  readonly #encrypt = radio("encrypt", true);
  readonly #decrypt = radio("decrypt", false);
  readonly #chooser = element("input", { type: "file", id: "file", class: "visually-hidden" });
  readonly #chosen = element("p", { class: "chosen", "aria-live": "polite" });
  readonly #chooseLabel = element("label", { class: "button", for: "file" });
  readonly #dropHint = element("p", { class: "hint" }, "or drop it anywhere on this page");
  readonly #passphrase = secret("passphrase");
  readonly #again = secret("again");
  readonly #show = element(
    "button",
    {
      type: "button",
      class: "button button-small",
      "aria-pressed": "false",
      "aria-controls": "passphrase again",
    },
    "Show",
  );
  readonly #hint = element("p", { class: "hint", id: "passphrase-hint" });
  readonly #armor = element("input", { type: "checkbox", id: "armor" });
  readonly #pick = element("input", { type: "checkbox", id: "pick" });
  readonly #submit = element("button", { type: "submit", class: "button button-primary" });
  readonly #problem = element("p", {
    class: "problem",
    id: "problem",
    role: "alert",
    hidden: true,
  });
  readonly #parts: { again: HTMLElement; armor: HTMLElement };

  constructor(onOrder: (order: Order) => void) {
    this.#parts = { again: this.#againField(), armor: this.#armorField() };
    this.root = element(
      "form",
      { class: "card files-form", novalidate: true, "aria-label": "File and passphrase" },
      this.#verbField(),
      this.#fileField(),
      this.#passphraseField(),
      this.#parts.again,
      this.#moreFields(),
      this.#problem,
      element("div", { class: "buttons" }, this.#submit),
    );
    this.#listen(onOrder);
    this.#showVerb();
    this.#showFile();
  }

  /** Takes a file, chosen or dropped, and guesses from it what to do. */
  async take(file: File): Promise<void> {
    this.#file = file;
    const isMessage = await looksEncrypted(file).catch(() => undefined);
    if (this.#file !== file) return; // Another one was taken meanwhile.
    if (isMessage === undefined) return this.#giveUp(file);
    this.#setVerb(isMessage ? "decrypt" : "encrypt");
    this.#complain("");
    this.#showFile();
    this.#passphrase.focus();
  }

  #giveUp({ name }: File): void {
    this.#file = undefined;
    this.#showFile();
    this.refuse(`${name} cannot be read. It may have been moved, or it is a folder.`);
  }

  /** Shows what is wrong with the file that was dropped. */
  refuse(problem: string): void {
    this.#complain(problem, this.#chooser);
  }

  /** Shows the passphrase as wrong, ready to be typed again. */
  rejectPassphrase(): void {
    this.#passphrase.setAttribute("aria-invalid", "true");
    this.#passphrase.focus();
    this.#passphrase.select();
  }

  /** Forgets the file and the passphrases. */
  clear(): void {
    this.#file = undefined;
    this.root.reset();
    this.#setVerb("encrypt");
    this.#reveal(false);
    this.#complain("");
    this.#showFile();
  }

  /** To the first thing to do. */
  focus(): void {
    this.#chooser.focus();
  }

  get #verb(): Verb {
    return this.#encrypt.checked ? "encrypt" : "decrypt";
  }

  #setVerb(verb: Verb): void {
    (verb === "encrypt" ? this.#encrypt : this.#decrypt).checked = true;
    this.#showVerb();
  }

  #listen(onOrder: (order: Order) => void): void {
    this.#encrypt.addEventListener("change", () => this.#showVerb());
    this.#decrypt.addEventListener("change", () => this.#showVerb());
    this.#chooser.addEventListener("change", () => {
      const file = this.#chooser.files?.[0];
      if (file) void this.take(file);
    });
    this.#show.addEventListener("click", () => this.#reveal(this.#passphrase.type === "password"));
    this.root.addEventListener("input", () => this.#complain(""));
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      const order = this.#order();
      if (order) onOrder(order);
    });
  }

  /** The order, or nothing and the first problem shown beside its field. */
  #order(): Order | undefined {
    const passphrase = this.#passphrase.value;
    if (!this.#file) return this.#complain("Choose a file first.", this.#chooser);
    if (passphrase === "") return this.#complain("Type a passphrase.", this.#passphrase);
    if (this.#verb === "encrypt" && this.#again.value !== passphrase) {
      return this.#complain("The two passphrases differ. Type the same one twice.", this.#again);
    }
    const { checked: armor } = this.#armor;
    const { checked: pick } = this.#pick;
    return { verb: this.#verb, file: this.#file, passphrase, armor, pick };
  }

  #complain(problem: string, at?: HTMLInputElement): undefined {
    for (const field of [this.#chooser, this.#passphrase, this.#again]) {
      if (field === at) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
    this.#problem.textContent = problem;
    this.#problem.hidden = problem === "";
    at?.focus();
  }

  #showVerb(): void {
    const encrypts = this.#verb === "encrypt";
    this.#parts.again.hidden = !encrypts;
    this.#parts.armor.hidden = !encrypts;
    this.#submit.textContent = encrypts ? "Encrypt" : "Open";
    this.#passphrase.autocomplete = encrypts ? "new-password" : "current-password";
    this.#hint.textContent = encrypts
      ? "Six random words are a good one. Nobody can recover it: without it the file is lost."
      : "The one that the file was encrypted with.";
  }

  #showFile(): void {
    const file = this.#file;
    this.#chosen.replaceChildren();
    this.#chosen.hidden = !file;
    this.#dropHint.hidden = Boolean(file);
    this.#chooseLabel.textContent = file ? "Choose another" : "Choose a file";
    this.#chooseLabel.classList.toggle("button-small", Boolean(file));
    if (!file) return;
    this.#chosen.append(
      element("strong", {}, file.name),
      element("span", { class: "hint" }, bytesInWords(file.size)),
    );
  }

  #reveal(visible: boolean): void {
    for (const field of [this.#passphrase, this.#again]) field.type = visible ? "text" : "password";
    this.#show.textContent = visible ? "Hide" : "Show";
    this.#show.setAttribute("aria-pressed", String(visible));
  }

  #verbField(): HTMLElement {
    return element(
      "fieldset",
      {},
      element("legend", { class: "visually-hidden" }, "What to do"),
      element(
        "div",
        { class: "choice" },
        element("label", {}, this.#encrypt, "Encrypt"),
        element("label", {}, this.#decrypt, "Open"),
      ),
    );
  }

  #fileField(): HTMLElement {
    return element(
      "div",
      { class: "drop" },
      this.#chosen,
      this.#chooser,
      this.#chooseLabel,
      this.#dropHint,
    );
  }

  #passphraseField(): HTMLElement {
    return element(
      "div",
      { class: "field" },
      element("label", { for: "passphrase" }, "Passphrase"),
      element("div", { class: "with-button" }, this.#passphrase, this.#show),
      this.#hint,
    );
  }

  #againField(): HTMLElement {
    const label = element("label", { for: "again" }, "The same passphrase again");
    return element("div", { class: "field" }, label, this.#again);
  }

  #armorField(): HTMLElement {
    return check(
      this.#armor,
      "Write text instead of binary",
      "For places that take nothing but text, as the body of an e-mail. A third larger.",
    );
  }

  #moreFields(): HTMLElement {
    const pick = check(
      this.#pick,
      "Write straight into a file that I choose",
      "It is replaced at once if it exists. Otherwise the browser keeps the result first, which " +
        "takes its space on the disk twice.",
    );
    pick.hidden = !canPick;
    return element(
      "details",
      { class: "more" },
      element("summary", {}, "More options"),
      this.#parts.armor,
      pick,
    );
  }
}

function radio(value: Verb, checked: boolean): HTMLInputElement {
  return element("input", { type: "radio", name: "verb", value, checked });
}

function secret(id: string): HTMLInputElement {
  const about = id === "passphrase" ? "passphrase-hint problem" : "problem";
  return element("input", {
    id,
    class: "input",
    type: "password",
    autocapitalize: "off",
    autocomplete: "new-password",
    spellcheck: "false",
    "aria-describedby": about,
  });
}

function check(input: HTMLInputElement, label: string, hint: string): HTMLElement {
  const about = `${input.id}-hint`;
  input.setAttribute("aria-describedby", about);
  return element(
    "div",
    { class: "check" },
    input,
    element("label", { for: input.id }, label),
    element("span", { class: "hint", id: about }, hint),
  );
}
