// SPDX-License-Identifier: Apache-2.0 OR MIT

/** A case of the official intermediate-value test; bytes are hexadecimal. */
export interface Preset {
  keyBits: number;
  key: string;
  text: string;
}

declare const presets: Preset[];
export default presets;
