// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The form: what to do, with which files, under which passphrase.

import { element } from "../dom";
import { looksEncrypted } from "./names";
import { sixWords, weakness } from "./passphrase";
import type { Verb } from "./task";
import { bytesInWords } from "./text";

/** The user's order, complete and checked. */
export interface Order {
  readonly verb: Verb;
  readonly files: readonly File[];
  readonly passphrase: string;
  readonly armor: boolean;
  readonly older: boolean;
  /** Write into a file that the user chooses now; of one file only. */
  readonly pick: boolean;
}

const canPick = "showSaveFilePicker" in window;

export class Form {
  readonly root: HTMLFormElement;
  #files: readonly File[] = [];
  readonly #encrypt = radio("encrypt", true);
  readonly #decrypt = radio("decrypt", false);
  readonly #chooser = element("input", {
    type: "file",
    id: "file",
    class: "visually-hidden",
    multiple: true,
  });
  readonly #chosen = element("p", { class: "chosen", "aria-live": "polite" });
  readonly #chooseLabel = element("label", { class: "button", for: "file" });
  readonly #dropHint = element("p", { class: "hint" }, "or drop some anywhere on this page");
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
  readonly #words = element(
    "button",
    { type: "button", class: "button button-small" },
    "Six random words",
  );
  readonly #warning = element("p", { class: "notice", role: "status", hidden: true });
  readonly #armor = element("input", { type: "checkbox", id: "armor" });
  readonly #older = element("input", { type: "checkbox", id: "older" });
  readonly #pick = element("input", { type: "checkbox", id: "pick" });
  readonly #submit = element("button", { type: "submit", class: "button button-primary" });
  readonly #problem = element("p", {
    class: "problem",
    id: "problem",
    role: "alert",
    hidden: true,
  });
  /** The parts for encryption alone, and those for one file alone. */
  readonly #parts: {
    again: HTMLElement;
    armor: HTMLElement;
    older: HTMLElement;
    pick: HTMLElement;
  };

  constructor(onOrder: (order: Order) => void) {
    this.#parts = {
      again: this.#againField(),
      armor: this.#armorField(),
      older: this.#olderField(),
      pick: this.#pickField(),
    };
    this.root = element(
      "form",
      { class: "card files-form", novalidate: true, "aria-label": "Files and passphrase" },
      this.#verbField(),
      this.#fileField(),
      this.#passphraseField(),
      this.#parts.again,
      this.#warning,
      this.#problem,
      element("div", { class: "buttons" }, this.#submit),
      this.#moreFields(),
    );
    this.#listen(onOrder);
    this.#showVerb();
    this.#showFiles();
  }

  /** Takes files, chosen or dropped, and guesses from them what to do. */
  async take(files: readonly File[]): Promise<void> {
    this.#files = files;
    const guesses = await Promise.all(files.map((file) => looksEncrypted(file).catch(() => file)));
    if (this.#files !== files) return; // Others were taken meanwhile.
    const unread = guesses.find((guess) => typeof guess === "object");
    if (unread) return this.#giveUp(unread);
    this.#setVerb(guesses.every((guess) => guess) ? "decrypt" : "encrypt");
    this.#complain("");
    this.#showFiles();
    this.#passphrase.focus();
  }

  #giveUp({ name }: File): void {
    this.#files = [];
    this.#showFiles();
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

  /** Forgets the files and the passphrases. */
  clear(): void {
    this.#files = [];
    this.root.reset();
    this.#setVerb("encrypt");
    this.#reveal(false);
    this.#warn();
    this.#complain("");
    this.#showFiles();
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
    // Otherwise it would not tell of a choice of the same file, which may have changed meanwhile.
    this.#chooser.addEventListener("click", () => {
      this.#chooser.value = "";
    });
    this.#chooser.addEventListener("change", () => {
      const files = [...(this.#chooser.files ?? [])];
      if (files.length > 0) void this.take(files);
    });
    this.#show.addEventListener("click", () => this.#reveal(this.#passphrase.type === "password"));
    this.#words.addEventListener("click", () => void this.#useWords());
    this.root.addEventListener("input", () => {
      this.#complain("");
      this.#warn();
    });
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      const order = this.#order();
      if (order) onOrder(order);
    });
  }

  /** The order, or nothing and the first problem shown beside its field. */
  #order(): Order | undefined {
    const passphrase = this.#passphrase.value;
    if (this.#files.length === 0) return this.#complain("Choose a file first.", this.#chooser);
    if (passphrase === "") return this.#complain("Type a passphrase.", this.#passphrase);
    if (this.#verb === "encrypt" && this.#again.value !== passphrase) {
      return this.#complain("The two passphrases differ. Type the same one twice.", this.#again);
    }
    return {
      verb: this.#verb,
      files: this.#files,
      passphrase,
      armor: this.#armor.checked,
      older: this.#older.checked,
      pick: this.#pick.checked && this.#files.length === 1,
    };
  }

  /** Types words for the user, who has to see them to write them down. */
  async #useWords(): Promise<void> {
    const words = await sixWords();
    for (const field of [this.#passphrase, this.#again]) field.value = words;
    this.#reveal(true);
    this.#complain("");
    this.#warn();
    this.#passphrase.focus();
  }

  /** Says what speaks against the passphrase, which is the user's choice. */
  #warn(): void {
    const warning = this.#verb === "encrypt" ? weakness(this.#passphrase.value) : "";
    this.#warning.textContent = warning;
    this.#warning.hidden = warning === "";
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
    this.#parts.older.hidden = !encrypts;
    this.#words.hidden = !encrypts;
    this.#submit.textContent = encrypts ? "Encrypt" : "Open";
    this.#passphrase.autocomplete = encrypts ? "new-password" : "current-password";
    this.#hint.textContent = encrypts
      ? "Write it down: without it the file is lost."
      : "The one that the file was encrypted with.";
    this.#warn();
  }

  #showFiles(): void {
    const [file] = this.#files;
    const count = this.#files.length;
    this.#chosen.replaceChildren();
    this.#chosen.hidden = !file;
    this.#dropHint.hidden = Boolean(file);
    this.#chooseLabel.textContent = file ? "Choose others" : "Choose files";
    this.#chooseLabel.classList.toggle("button-small", Boolean(file));
    this.#parts.pick.hidden = !canPick || count > 1;
    if (!file) return;
    const bytes = this.#files.reduce((sum, { size }) => sum + size, 0);
    this.#chosen.append(
      element("strong", {}, count === 1 ? file.name : `${count} files`),
      element("span", { class: "hint" }, bytesInWords(bytes)),
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
      element("div", { class: "under-field" }, this.#words, this.#hint),
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

  #olderField(): HTMLElement {
    return check(
      this.#older,
      "For GnuPG and other older programs",
      "They cannot open what is written here otherwise. Passphrases are tried faster in this form.",
    );
  }

  #pickField(): HTMLElement {
    return check(
      this.#pick,
      "Write straight into a file that I choose",
      "It is replaced at once if it exists. Otherwise the browser keeps the result first, which " +
        "takes its space on the disk twice.",
    );
  }

  #moreFields(): HTMLElement {
    const { armor, older, pick } = this.#parts;
    return element(
      "details",
      { class: "more" },
      element("summary", {}, "More options"),
      armor,
      older,
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
