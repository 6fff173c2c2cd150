// SPDX-License-Identifier: Apache-2.0 OR MIT
import { element } from "../dom";
export function mount(root: HTMLElement): void {
  root.append(element("p", {}, "Files come here."));
}
