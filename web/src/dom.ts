// SPDX-License-Identifier: Apache-2.0 OR MIT

type Attributes = Record<string, string | number | boolean | undefined>;

/**
 * A new element. `true` sets an attribute without a value; `false` and `undefined` leave it out.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
  made.append(...children);
  return made;
}

/** The element with this id; index.html or the caller has made it. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element with the id "${id}"`);
  return found;
}
