// SPDX-License-Identifier: Apache-2.0 OR MIT

type Attributes = Record<string, string | number | undefined>;

const NAMESPACE = "http://www.w3.org/2000/svg";

/** A new element of SVG; attributes that are `undefined` are left out. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}
