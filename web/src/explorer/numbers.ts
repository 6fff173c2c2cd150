// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Figures as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const threeDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const ratios = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

const NONE = "–";

/** Clocks or bytes, thousands apart; a dash for what nobody knows. */
export function count(value: number | undefined): string {
  return value === undefined ? NONE : whole.format(value);
}

/** Clocks of a byte, in three digits. */
export function perByte(value: number | undefined): string {
  return value === undefined ? NONE : threeDigits.format(value);
}

/** How many times as much. */
export function ratio(then: number | undefined, now: number | undefined): string {
  return then === undefined || now === undefined ? NONE : `${ratios.format(then / now)}×`;
}

/** 1, 64, 1,024. */
export function blockCount(value: number): string {
  return whole.format(value);
}

/** 16 bytes, 4 KB. */
export function byteCount(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${whole.format(bytes / 1024)} KB`;
}
