// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The measurement of this browser, as the page sees it: a button, a bar, and a worker behind them.

import { element } from "../dom";
import type { Machine } from "./machine";
import type { Message } from "./measure-worker";

const WORKER = "measure-worker.js";

/** The view before there is a measurement; calls `done` with each that is made. */
export function liveMeasurement(done: (machine: Machine) => void): HTMLElement {
  const button = element("button", { type: "button", class: "button" }, "Measure this browser");
  const bar = element("progress", { max: 1, value: 0, "aria-label": "Measuring", hidden: true });
  const status = element("p", { class: "hint", role: "status" });
  button.addEventListener("click", () => start());
  return element("div", { class: "live" }, button, bar, status);

  function start(): void {
    const worker = new Worker(WORKER, { type: "module" });
    running(true);
    status.textContent = "Measuring, some seconds. Nothing is sent anywhere.";
    worker.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.kind === "progress") bar.value = data.done / data.total;
      else finish(worker, data);
    });
    worker.addEventListener("error", (event) => {
      finish(worker, { kind: "failure", message: event.message || "the worker did not start" });
    });
  }

  function finish(worker: Worker, message: Exclude<Message, { kind: "progress" }>): void {
    worker.terminate();
    running(false);
    if (message.kind === "failure") {
      status.textContent = `The measurement failed: ${message.message}. Try again, or load the page anew.`;
      return;
    }
    button.textContent = "Measure again";
    status.textContent = `Measured: ${message.machine.name}.`;
    done(message.machine);
  }

  function running(yes: boolean): void {
    button.disabled = yes;
    bar.hidden = !yes;
    bar.value = 0;
  }
}
