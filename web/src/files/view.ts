// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The view that encrypts and opens files: form, run, result.

import { element } from "../dom";
import { facts } from "./facts";
import { Form, type Order } from "./form";
import { resultName } from "./names";
import { cancelledNotice, failureNotice, progressPanel, resultPanel, writtenPanel } from "./panels";
import { isReadable } from "./readable";
import { discard, newName, sweep } from "./results";
import { type End, start } from "./run";
import type { Target } from "./task";

const stage = element("div", { class: "stage" });
const form = new Form((order) => void carryOut(order));

export function mount(root: HTMLElement): void {
  void sweep();
  takeDrops(() => root.offsetParent !== null && stage.contains(form.root));
  stage.append(form.root);
  root.append(element("div", { class: "files" }, stage, facts()));
}

/** From the form to the end of the run. */
async function carryOut(order: Order): Promise<void> {
  try {
    await runFor(order);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    backToForm(failureNotice({ code: "other", message }, order));
  }
}

async function runFor(order: Order): Promise<void> {
  const name = resultName(order.verb, order.file.name, order.armor);
  const target = await targetOf(order, name);
  if (!target) return;
  const panel = progressPanel(order, () => run.cancel());
  const run = start({ ...order, target }, panel.update);
  show(panel.root);
  finish(order, name, target, await run.end);
}

const SAME =
  "it is empty now: it was chosen as the file to be written, too, and browsers empty that at once";

/** Undefined if the user did not choose a file after all. */
async function targetOf(order: Order, name: string): Promise<Target | undefined> {
  if (!order.pick) return { kind: "stored", name: newName() };
  try {
    const handle = await window.showSaveFilePicker({ suggestedName: name });
    if (!(await isReadable(order.file))) throw new Error(SAME);
    return { kind: "picked", handle, isEmpty: (await handle.getFile()).size === 0 };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  }
}

function finish(order: Order, name: string, target: Target, end: End): void {
  if (end.kind === "done") {
    form.clear();
    const panel = target.kind === "picked" ? writtenPanel : resultPanel;
    const shown = target.kind === "picked" ? target.handle.name : name;
    show(panel(order, shown, end, () => void startOver(target)));
  } else if (end.kind === "cancelled") {
    backToForm(cancelledNotice());
  } else {
    backToForm(failureNotice(end.failure, order));
    if (end.failure.code === "passphrase") form.rejectPassphrase();
  }
}

async function startOver(target: Target): Promise<void> {
  stage.replaceChildren(form.root);
  form.focus();
  if (target.kind === "stored") await discard(target);
}

function backToForm(notice: HTMLElement): void {
  stage.replaceChildren(notice, form.root);
  form.focus();
}

/** A panel in the place of the form; its heading is what a screen reader goes on from. */
function show(panel: HTMLElement): void {
  stage.replaceChildren(panel);
  panel.querySelector("h2")?.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "nearest" });
}

/**
 * Files may be dropped anywhere. A browser would open what the page does not take, and so leave the
 * page.
 */
function takeDrops(isReady: () => boolean): void {
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    stage.classList.toggle("dropping", isReady());
  });
  document.addEventListener("dragleave", () => stage.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    stage.classList.remove("dropping");
    if (isReady() && event.dataTransfer) takeDropped(event.dataTransfer);
  });
}

function takeDropped({ files, items }: DataTransfer): void {
  const [file] = files;
  if (items[0]?.webkitGetAsEntry()?.isDirectory) {
    form.refuse("This is a folder. Pack it into one file first, for instance a zip archive.");
  } else if (files.length > 1) {
    form.refuse("These are several files. Drop one, or pack them into one first.");
  } else if (file) {
    void form.take(file);
  }
}
