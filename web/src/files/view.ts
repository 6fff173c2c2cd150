// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The view that encrypts and opens files: form, run, result.

import { element } from "../dom";
import { facts } from "./facts";
import { Form, type Order } from "./form";
import { resultName } from "./names";
import {
  cancelledNotice,
  type Done,
  failureNotice,
  type Job,
  progressPanel,
  resultPanel,
  writtenPanel,
} from "./panels";
import { isReadable } from "./readable";
import { discardAll, newName, sweep } from "./results";
import { afterRemoval, type End, notRemoved, start } from "./run";
import type { Target, Verb } from "./task";

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
    backToForm(failureNotice({ code: "other", message }, { verb: order.verb }));
  }
}

/** All files, one after the other. Either all of them succeed, or nothing is kept. */
async function runFor(order: Order): Promise<void> {
  const done: Done[] = [];
  for (const [i, file] of order.files.entries()) {
    const place = order.files.length > 1 ? ` (${i + 1} of ${order.files.length})` : "";
    const job: Job = { ...order, file, place };
    const name = resultName(order.verb, file.name, order.armor);
    const target = await targetOf(job, name);
    if (!target) return;
    const end = await endOf(job, target);
    if (end.kind !== "done") {
      const removal = discardAll(done.map((each) => each.target));
      return giveUp(job, await afterRemoval(removal, end));
    }
    done.push({ name: target.kind === "picked" ? target.handle.name : name, target, ...end });
  }
  form.clear();
  const panel = order.pick ? writtenPanel : resultPanel;
  show(panel(order.verb, done, () => void startOver(order.verb, done)));
}

function endOf(job: Job, target: Target): Promise<End> {
  const panel = progressPanel(job, () => run.cancel());
  const run = start({ ...job, target }, panel.update);
  show(panel.root);
  return run.end;
}

function giveUp(job: Job, end: Exclude<End, { kind: "done" }>): void {
  const failure = end.kind === "failed" ? end.failure : undefined;
  backToForm(failure ? failureNotice(failure, job) : cancelledNotice());
  if (failure?.code === "passphrase") form.rejectPassphrase();
}

const SAME =
  "it is empty now: it was chosen as the file to be written, too, and browsers empty that at once";

/** Undefined if the user did not choose a file after all. */
async function targetOf(order: Job, name: string): Promise<Target | undefined> {
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

async function startOver(verb: Verb, done: readonly Done[]): Promise<void> {
  stage.replaceChildren(form.root);
  form.focus();
  const stored = done.map(({ target }) => target).filter(({ kind }) => kind === "stored");
  try {
    await discardAll(stored);
  } catch (error) {
    // Above the form, or above the next run if that has begun.
    stage.prepend(failureNotice(notRemoved(error), { verb }));
  }
}

function backToForm(notice: HTMLElement): void {
  stage.replaceChildren(notice, form.root);
  form.focus();
}

/** A panel instead of the form. Enter saves a result; elsewhere one goes on from the heading. */
function show(panel: HTMLElement): void {
  stage.replaceChildren(panel);
  const first = panel.querySelector<HTMLElement>("a[download]") ?? panel.querySelector("h2");
  first?.focus({ preventScroll: true });
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
  if ([...items].some((item) => item.webkitGetAsEntry()?.isDirectory)) {
    form.refuse("This is a folder. Pack it into one file first, for instance a zip archive.");
  } else if (files.length > 0) {
    void form.take([...files]);
  }
}
