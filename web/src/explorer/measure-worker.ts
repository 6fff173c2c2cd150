// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The worker that measures this browser: it starts at once, says how far it is, and ends with a machine.

import { implementation, kernels, Twofish } from "manyfish";
import type { Machine } from "./machine";
import { measure, type Progress, type Subject } from "./measure";

/** A message of the worker. */
export type Message =
  | ({ kind: "progress" } & Progress)
  | { kind: "machine"; machine: Machine }
  | { kind: "failure"; message: string };

function subject(kernel: string, constantTime: boolean): Subject {
  let key: Twofish | undefined;
  return {
    ...{ name: kernel, constantTime },
    setKey(bytes) {
      key?.close();
      key = new Twofish(bytes, { kernel });
    },
    encrypt(blocks) {
      key?.encryptBlocks(blocks);
    },
    close() {
      key?.close();
    },
  };
}

/** Its name and version where it says them, as in "Chromium 140". */
function browser(): string {
  const version = /(Firefox|Edg|OPR|Chrome|Version)\/(\d+)/.exec(navigator.userAgent);
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera", Version: "Safari" };
  const found = version?.[1] ?? "";
  return version ? `${names[found] ?? found} ${version[2]}` : "this browser";
}

function post(message: Message): void {
  postMessage(message);
}

function run(): void {
  const subjects = kernels().map(({ name, constantTime }) => subject(name, constantTime));
  const build = implementation === "simd" ? "with SIMD" : "without SIMD";
  const steps = measure(() => performance.now(), subjects, `${browser()}, WebAssembly ${build}`);
  let step = steps.next();
  for (; !step.done; step = steps.next()) post({ kind: "progress", ...step.value });
  post({ kind: "machine", machine: step.value });
}

try {
  run();
} catch (error) {
  post({ kind: "failure", message: error instanceof Error ? error.message : String(error) });
}
