// SPDX-License-Identifier: Apache-2.0 OR MIT

import { element } from "../dom";

const code = (text: string) => element("code", {}, text);

const texts: readonly (readonly [string, ...(Node | string)[]])[] = [
  [
    "What you get",
    "An OpenPGP message by RFC 9580: Argon2id turns the passphrase into a key, and Twofish " +
      "encrypts under it, in the mode OCB. The command ",
    code("manyfish decrypt"),
    " opens it, too, and so does Sequoia.",
  ],
  [
    "What it hides",
    "The content and the name of the file. Not its size, and not that it is encrypted. Anyone " +
      "with the file can try passphrases, so choose a long one. The random words are those of the " +
      "EFF's long list, under CC BY 3.0 US.",
  ],
  [
    "Any change is noticed",
    "A file that was altered or cut off is refused, and nothing of it is kept.",
  ],
  [
    "Whom you trust",
    "This browser, and the server of this page. To be sure of the page, build and serve " +
      "it yourself: one command, ",
    code("make web"),
    ". Nobody outside the project has reviewed it yet.",
  ],
];

/** Facts for the user, beside the form. */
export function facts(): HTMLElement {
  const parts = texts.map(([title, ...text]) =>
    element("div", {}, element("h2", {}, title), element("p", {}, ...text)),
  );
  return element("aside", { class: "facts", "aria-label": "What to know" }, ...parts);
}
