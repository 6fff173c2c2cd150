// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The view that encrypts and opens files, as a user has it: against the command, with what can go
// wrong, and what is left afterwards.

import assert from "node:assert/strict";
import { readFileSync, rmSync, truncateSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./axe";
import { folder, manyfish, write } from "./command";
import { memoryOfBrowser } from "./memory";
import { open, withBrowser } from "./rig";

withBrowser();

const passphrase = "six words, or sechs Wörter";

/** Bytes that no compressor and no error in positions would leave unnoticed. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

async function fill(page: Page, path: string, words = passphrase): Promise<void> {
  await page.setInputFiles("#file", path);
  await typeFor(page, basename(path), words);
}

async function fillSeveral(page: Page, paths: string[]): Promise<void> {
  await page.setInputFiles("#file", paths);
  await typeFor(page, `${paths.length} files`, passphrase);
}

/** Types the passphrase for files of which the form says this. */
async function typeFor(page: Page, chosen: string, words: string): Promise<void> {
  // The form guesses what to do from the first bytes of the file.
  await page.locator(".chosen strong").getByText(chosen).waitFor();
  await page.getByLabel("Passphrase", { exact: true }).fill(words);
  const again = page.getByLabel("The same passphrase again");
  if (await again.isVisible()) await again.fill(words);
}

/** By the dialog. `setInputFiles` would say "change" for the same file, which a browser does not. */
async function chooseAgain(page: Page, path: string): Promise<void> {
  const coming = page.waitForEvent("filechooser");
  await page.getByText("Choose others").click();
  await coming;
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", {
    nodeId: root.nodeId,
    selector: "#file",
  });
  await session.send("DOM.setFileInputFiles", { files: [path], nodeId });
}

const submit = (page: Page) => page.locator("button[type=submit]").click();

async function run(page: Page, path: string, words = passphrase): Promise<void> {
  await fill(page, path, words);
  await submit(page);
}

/** Saves the result, and gives its path. */
async function save(page: Page, link = "Save the file"): Promise<string> {
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: link }).click();
  const download = await coming;
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Names of what the page keeps in the browser's own storage, in this folder. */
function kept(page: Page, name = "results"): Promise<string[]> {
  return page.evaluate(async (name) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(name, { create: true });
    const names = [];
    for await (const each of folder.keys()) names.push(each);
    return names;
  }, name);
}

const alert = (page: Page) => page.locator(".notice-bad");
const told = async (page: Page) => (await alert(page).textContent()) ?? "";

describe("page to command", () => {
  for (const length of [0, 1, 1_048_564, 3_000_001]) {
    it(`encrypts ${length} bytes`, async () => {
      const plain = write(`to-${length}.bin`, noise(length));
      const page = await open("files");
      await run(page, plain);
      const sealed = await save(page);
      assert.equal(basename(sealed), `to-${length}.bin.pgp`);
      assert.deepEqual(readFileSync(manyfish("decrypt", sealed, passphrase)), readFileSync(plain));
    });
  }

  it("writes text where that is asked for", async () => {
    const plain = write("letter.txt", "a letter\n");
    const page = await open("files");
    await fill(page, plain);
    await page.getByText("More options").click();
    await page.getByLabel("Write text instead of binary").check();
    await submit(page);
    const sealed = await save(page);
    assert.equal(basename(sealed), "letter.txt.asc");
    assert.match(readFileSync(sealed, "utf8"), /^-----BEGIN PGP MESSAGE-----\n/);
    assert.deepEqual(readFileSync(manyfish("decrypt", sealed, passphrase)), readFileSync(plain));
  });
});

it("writes the older form for GnuPG", async () => {
  const plain = write("older.txt", "to GnuPG");
  const page = await open("files");
  await fill(page, plain);
  await page.getByText("More options").click();
  await page.getByLabel("For GnuPG and other older programs").check();
  await submit(page);
  const sealed = await save(page);
  assert.deepEqual([...readFileSync(sealed).subarray(0, 4)], [0xc3, 13, 4, 10]);
  assert.deepEqual(readFileSync(manyfish("decrypt", sealed, passphrase)), readFileSync(plain));
});

describe("command to page", () => {
  const forms: [string, number, ...string[]][] = [
    ["of no bytes", 0],
    ["in many chunks", 300_001, "--chunk", "4K"],
    ["in chunks of the default size", 3_000_001],
    ["as text", 5000, "--armor"],
    ["in the older form", 300_001, "--format", "rfc4880"],
  ];
  for (const [name, length, ...options] of forms) {
    it(`opens a message ${name}`, async () => {
      const plain = write("from.bin", noise(length));
      const sealed = manyfish("encrypt", plain, passphrase, ...options);
      const page = await open("files");
      await run(page, sealed);
      await page.getByRole("heading", { name: "The file is open" }).waitFor();
      assert.deepEqual(readFileSync(await save(page)), readFileSync(plain));
    });
  }
});

/** A sealed file, and what `change` makes of it. */
function spoilt(change: (bytes: Buffer) => Uint8Array): string {
  const sealed = manyfish(
    "encrypt",
    write("spoilt.bin", noise(200_000)),
    passphrase,
    "--chunk",
    "4K",
  );
  return write("spoilt.pgp", change(readFileSync(sealed)));
}

function flip(at: number): (bytes: Buffer) => Uint8Array {
  return (bytes) => {
    bytes[at] = (bytes[at] as number) ^ 1;
    return bytes;
  };
}

/** The browser refuses to remove the result of this number. */
async function lockResult(page: Page, number: number): Promise<void> {
  await page.evaluate((number) => {
    const { removeEntry } = FileSystemDirectoryHandle.prototype;
    Object.assign(FileSystemDirectoryHandle.prototype, {
      async removeEntry(this: FileSystemDirectoryHandle, name: string) {
        if (!name.endsWith(`.${number}`)) return removeEntry.call(this, name);
        throw new DOMException("locked", "NoModificationAllowedError");
      },
    });
  }, number);
}

/** The page says that the first of two results could not be removed, and has removed the other. */
async function assertFirstRemains(page: Page): Promise<void> {
  await alert(page).waitFor();
  assert.match(await told(page), /still there.*could not be removed.*locked.*Delete the data/s);
  assert.doesNotMatch(await told(page), /Nothing of the result|2 of 2/);
  assert.match((await kept(page)).join(), /^\w+\.1$/);
}

describe("what can go wrong", () => {
  const faults: [string, () => string, string, RegExp][] = [
    [
      "a wrong passphrase",
      () => spoilt((bytes) => bytes),
      "wrong",
      /passphrase does not open the file/,
    ],
    [
      "an altered file",
      () => spoilt(flip(150_000)),
      passphrase,
      /The file was altered.*[Cc]hunk \d+ of the message/s,
    ],
    [
      "a file without its end",
      () => spoilt((b) => b.subarray(0, 150_000)),
      passphrase,
      /The end of the file is missing/,
    ],
    [
      "more after the end",
      () => spoilt((b) => Buffer.concat([b, b])),
      passphrase,
      /added at the end of the file/,
    ],
    [
      "a file that is no message",
      () => write("plain.pgp", "no message at all"),
      passphrase,
      /not a file that this page can open.*begins with/s,
    ],
    ["an empty file", () => write("empty.pgp", ""), passphrase, /input is empty/],
  ];
  for (const [name, make, words, message] of faults) {
    it(`tells of ${name}, and keeps nothing`, async () => {
      const page = await open("files");
      await page.setInputFiles("#file", make());
      await page.getByLabel("Open").check();
      await page.getByLabel("Passphrase", { exact: true }).fill(words);
      await submit(page);
      await alert(page).waitFor();
      assert.match(await told(page), message);
      assert.deepEqual(await kept(page), []);
      assert.equal(await page.getByRole("link", { name: "Save the file" }).count(), 0);
    });
  }

  it("goes on with the right passphrase after a wrong one", async () => {
    const page = await open("files");
    await run(
      page,
      spoilt((bytes) => bytes),
      "wrong",
    );
    await alert(page).waitFor();
    const field = page.getByLabel("Passphrase", { exact: true });
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await page.keyboard.type(passphrase);
    await page.keyboard.press("Enter");
    assert.deepEqual(Buffer.from(noise(200_000)), readFileSync(await save(page)));
  });

  it("asks for what is missing in the form", async () => {
    const page = await open("files");
    await submit(page);
    await page.getByText("Choose a file first.").waitFor();
    await page.setInputFiles("#file", write("a.txt", "a"));
    await submit(page);
    await page.getByText("Type a passphrase.").waitFor();
    await page.getByLabel("Passphrase", { exact: true }).fill("one");
    await page.getByLabel("The same passphrase again").fill("two");
    await submit(page);
    await page.getByText("The two passphrases differ.").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "again");
  });

  it("says when the browser has no space", async () => {
    const page = await open("files");
    const session = await page.context().newCDPSession(page);
    const origin = new URL(page.url()).origin;
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 2_000_000 });
    await run(page, write("large.bin", noise(4_000_000)));
    await alert(page).waitFor();
    assert.match(await told(page), /not enough space.*no more space for this page/s);
    assert.deepEqual(await kept(page), []);
  });

  it("says when the file is gone", async () => {
    const page = await open("files");
    const path = write("gone.txt", "gone");
    await fill(page, path);
    rmSync(path);
    await submit(page);
    await alert(page).waitFor();
    assert.match(await told(page), /The file cannot be read.*moved.*Choose it again/s);
    assert.deepEqual(await kept(page), []);
    await chooseAgain(page, write("gone.txt", "here again"));
    await submit(page);
    const sealed = await save(page);
    assert.equal(readFileSync(manyfish("decrypt", sealed, passphrase), "utf8"), "here again");
  });

  it("says when a part of the result could not be removed", async () => {
    const page = await open("files");
    await lockResult(page, 1);
    await run(
      page,
      spoilt((bytes) => bytes),
      "wrong",
    );
    await alert(page).waitFor();
    assert.match(await told(page), /still there.*could not be removed.*locked.*Delete the data/s);
    assert.doesNotMatch(await told(page), /Nothing of the result/);
  });

  it("says when the result before it could not be removed", async () => {
    const page = await open("files");
    await lockResult(page, 1);
    const good = manyfish("encrypt", write("good.txt", "good"), passphrase);
    await fillSeveral(page, [good, spoilt((bytes) => bytes.subarray(0, -1))]);
    await submit(page);
    await assertFirstRemains(page);
  });

  it("says when a result could not be removed before other files", async () => {
    const page = await open("files");
    await lockResult(page, 1);
    await fillSeveral(page, [write("a.txt", "a"), write("b.txt", "b")]);
    await submit(page);
    await page.getByRole("button", { name: "Another file" }).click();
    await assertFirstRemains(page);
    assert.ok(await page.locator("button[type=submit]").isVisible());
  });

  it("says when a file cannot be read as soon as it is taken", async () => {
    const page = await open("files");
    await page.evaluate(() => {
      Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError"));
    });
    await page.setInputFiles("#file", write("folder", ""));
    await page.getByText("folder cannot be read.").waitFor();
    assert.equal(await page.locator(".chosen strong").count(), 0);
  });

  it("says when the worker cannot start", async () => {
    const page = await open("files", { serviceWorkers: "block" });
    await page.route("**/files-worker.js", (route) => route.fulfill({ status: 404 }));
    await run(page, write("a.txt", "a"));
    await alert(page).waitFor();
    assert.match(await told(page), /could not be encrypted.*worker.*Load the page again/s);
  });
});

/** Clicks "Cancel" as soon as it is there: before the page hears anything from its worker. */
function cancelAtOnce(): void {
  new MutationObserver((_, observer) => {
    const buttons = [...document.querySelectorAll("button")];
    const cancel = buttons.find((button) => button.textContent?.trim() === "Cancel");
    if (cancel) observer.disconnect();
    cancel?.click();
  }).observe(document.body, { childList: true, subtree: true });
}

describe("cancel", () => {
  it("ends a run in the middle of a file, and keeps nothing", async () => {
    const path = write("cancelled.bin", "");
    truncateSync(path, 400_000_000);
    const page = await open("files");
    await run(page, path);
    await page.getByText("of 400 MB").waitFor();
    assert.equal((await kept(page)).length, 1);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled. Nothing of the result was kept.").waitFor();
    assert.deepEqual(await kept(page), []);
    assert.equal(await page.getByLabel("Passphrase", { exact: true }).inputValue(), passphrase);
  });

  it("ends a run that still makes the key", async () => {
    const page = await open("files");
    await fill(page, write("a.txt", "a"));
    await page.evaluate(cancelAtOnce);
    await submit(page);
    await page.getByText("Cancelled.").waitFor();
    assert.deepEqual(await kept(page), []);
  });
});

describe("results", () => {
  it("go with the next file", async () => {
    const page = await open("files");
    await run(page, write("a.txt", "a"));
    await page.getByRole("button", { name: "Another file" }).click();
    await page.getByText("or drop some anywhere").waitFor();
    assert.equal(await page.getByLabel("Passphrase", { exact: true }).inputValue(), "");
    await assert.doesNotReject(untilNone(page));
  });

  it("of closed pages are removed, of open ones not", async () => {
    const page = await open("files");
    await run(page, write("a.txt", "a"));
    await page.getByText("Save the file").waitFor();
    const [own] = await kept(page);
    await page.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("results");
      await folder.getFileHandle("closed.1", { create: true });
    });
    const other = await page.context().newPage();
    await other.goto(page.url());
    while ((await kept(page)).includes("closed.1")) await page.waitForTimeout(50);
    assert.deepEqual(await kept(page), [own]);
    assert.equal(
      basename(manyfish("decrypt", await save(page), passphrase)),
      "a.txt.pgp.decrypted",
    );
  });

  it("stay in memory where there is no storage", async () => {
    const page = await open("files", { serviceWorkers: "block" });
    await page.route("**/files-worker.js", async (route) => {
      const body = await (await route.fetch()).text();
      await route.fulfill({
        body: `delete self.FileSystemSyncAccessHandle;${body}`,
        contentType: "text/javascript",
      });
    });
    const plain = write("memory.bin", noise(3_000_001));
    await run(page, plain);
    const sealed = await save(page);
    assert.deepEqual(await kept(page), []);
    assert.deepEqual(readFileSync(manyfish("decrypt", sealed, passphrase)), readFileSync(plain));
  });
});

async function untilNone(page: Page): Promise<void> {
  for (const end = Date.now() + 60_000; (await kept(page)).length; ) {
    assert.ok(Date.now() < end, "something is still there");
    await page.waitForTimeout(20);
  }
}

/**
 * Stands in for the dialog, which no test can operate: the chosen file lies in the browser's own
 * storage.
 */
async function choosing(page: Page, contents: string): Promise<void> {
  await page.evaluate(async (contents) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("chosen", { create: true });
    const handle = await folder.getFileHandle("chosen.pgp", { create: true });
    const writable = await handle.createWritable();
    await writable.write(contents);
    await writable.close();
    Object.assign(window, { showSaveFilePicker: async () => handle });
  }, contents);
}

function chosenText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("chosen");
    return (await (await folder.getFileHandle("chosen.pgp")).getFile()).text();
  });
}

describe("a file that the user chooses", () => {
  const start = async (page: Page, path: string) => {
    await fill(page, path);
    await page.getByText("More options").click();
    await page.getByLabel("Write straight into a file").check();
    await submit(page);
  };

  it("gets the result", async () => {
    const page = await open("files");
    await choosing(page, "older contents");
    const sealed = manyfish("encrypt", write("chosen.txt", "for the chosen file"), passphrase);
    await start(page, sealed);
    await page.getByText("The file is opened and written").waitFor();
    assert.equal(await chosenText(page), "for the chosen file");
    assert.deepEqual(await kept(page), []);
  });

  it("goes when the run fails, but not if the browser left something in it", async () => {
    const page = await open("files");
    await choosing(page, "");
    await start(page, spoilt(flip(150_000)));
    await alert(page).waitFor();
    assert.deepEqual(await kept(page, "chosen"), []);
    await choosing(page, "older contents");
    await alert(page).evaluate((notice) => notice.remove()); // That of the first run.
    await submit(page);
    await alert(page).waitFor();
    assert.equal(await chosenText(page), "older contents");
  });

  it("must not be the one that is read", async () => {
    const page = await open("files");
    const path = write("same.txt", "same");
    await choosing(page, "");
    await fill(page, path);
    await page.getByText("More options").click();
    await page.getByLabel("Write straight into a file").check();
    truncateSync(path, 0); // As the dialog would.
    await submit(page);
    await alert(page).waitFor();
    assert.match(await told(page), /It is empty now: it was chosen as the file to be written, too/);
  });

  it("goes when it was new and the run is cancelled", async () => {
    const page = await open("files");
    await choosing(page, "");
    const path = write("chosen.bin", "");
    truncateSync(path, 400_000_000);
    await start(page, path);
    await page.getByText("of 400 MB").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled.").waitFor();
    assert.deepEqual(await kept(page, "chosen"), []);
  });

  it("may be one that the browser refuses", async () => {
    const page = await open("files");
    await page.evaluate(() => {
      const refuse = async () => Promise.reject(new DOMException("not there", "NotAllowedError"));
      Object.assign(window, { showSaveFilePicker: refuse });
    });
    await start(page, write("a.txt", "a"));
    await alert(page).waitFor();
    assert.match(await told(page), /could not be encrypted.*Not there\./s);
  });

  it("is not asked for twice when the user changes his mind", async () => {
    const page = await open("files");
    await page.evaluate(() => {
      const refuse = async () => Promise.reject(new DOMException("", "AbortError"));
      Object.assign(window, { showSaveFilePicker: refuse });
    });
    await start(page, write("a.txt", "a"));
    assert.ok(await page.locator("button[type=submit]").isVisible());
    assert.equal(await alert(page).count(), 0);
  });
});

describe("a dropped file", () => {
  const drop = async (page: Page, names: string[]) => {
    const data = await page.evaluateHandle((names) => {
      const transfer = new DataTransfer();
      for (const name of names) transfer.items.add(new File(["dropped"], name));
      return transfer;
    }, names);
    await page.dispatchEvent("footer", "drop", { dataTransfer: data });
  };

  it("is taken anywhere on the page", async () => {
    const page = await open("files");
    await drop(page, ["dropped.txt"]);
    await page.locator(".chosen strong").getByText("dropped.txt").waitFor();
  });

  it("is refused if it is a folder", async () => {
    const page = await open("files");
    await page.evaluate(() => {
      const webkitGetAsEntry = () => ({ isDirectory: true });
      Object.assign(DataTransferItem.prototype, { webkitGetAsEntry });
    });
    await drop(page, ["folder"]);
    await page.getByText("This is a folder.").waitFor();
  });
});

describe("several files", () => {
  const names = ["one.txt", "two.txt"];

  it("are encrypted one after the other, and opened", async () => {
    const page = await open("files");
    const sealed: string[] = [];
    for (const verb of ["encrypted", "open"]) {
      const paths = verb === "open" ? sealed : names.map((name) => write(name, name));
      await fillSeveral(page, paths);
      await submit(page);
      await page.getByRole("heading", { name: `The 2 files are ${verb}` }).waitFor();
      for (const name of names) {
        const saved = verb === "open" ? name : `${name}.pgp`;
        const path = await save(page, `Save ${saved}`);
        assert.equal(basename(path), saved);
        if (verb === "open") assert.equal(readFileSync(path, "utf8"), name);
        sealed.push(path);
      }
      await page.getByRole("button", { name: "Another file" }).click();
      await assert.doesNotReject(untilNone(page));
    }
  });

  it("are all or none", async () => {
    const page = await open("files");
    const good = manyfish("encrypt", write("good.txt", "good"), passphrase);
    const bad = spoilt((bytes) => bytes.subarray(0, -1));
    await fillSeveral(page, [good, bad]);
    await submit(page);
    await alert(page).waitFor();
    assert.match(await told(page), new RegExp(`${basename(bad)} \\(2 of 2\\)`));
    assert.deepEqual(await kept(page), []);
  });
});

describe("passphrases", () => {
  it("are made of six random words", async () => {
    const page = await open("files");
    const field = page.getByLabel("Passphrase", { exact: true });
    const found = new Set<string>();
    for (let i = 0; i < 2; i++) {
      await page.getByRole("button", { name: "Six random words" }).click();
      await page.waitForFunction(
        (before) => {
          const { value } = document.getElementById("passphrase") as HTMLInputElement;
          return value !== before;
        },
        [...found][i - 1] ?? "",
      );
      const words = await field.inputValue();
      assert.match(words, /^([a-z-]{3,9} ){5}[a-z-]{3,9}$/);
      assert.equal(await page.getByLabel("passphrase again").inputValue(), words);
      assert.equal(await field.getAttribute("type"), "text");
      found.add(words);
    }
    assert.equal(found.size, 2);
  });

  it("that are short are warned of, and taken", async () => {
    const page = await open("files");
    const plain = write("short.txt", "short");
    await fill(page, plain, "a");
    const warning = page.getByText("One character can be guessed");
    await warning.waitFor();
    await page.getByLabel("Passphrase", { exact: true }).fill("sixteen letters!");
    assert.equal(await warning.count(), 0);
    await fill(page, plain, "a");
    await submit(page);
    manyfish("decrypt", await save(page), "a");
  });
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  it(`shows the button in a window of ${width} x ${height}`, async () => {
    const page = await open("files", { viewport: { width, height } });
    const bottom = async () => {
      const box = await page.locator("button[type=submit]").boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    assert.ok((await bottom()) <= height, `without a file: ${await bottom()}`);
    await page.setInputFiles("#file", write("a.txt", "a"));
    await page.locator(".chosen strong").waitFor();
    assert.ok((await bottom()) <= height, `with a file: ${await bottom()}`);
  });
}

it("works with the keyboard alone", async () => {
  const page = await open("files");
  const plain = write("keys.txt", "by keys");
  const focus = () =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
  const tabTo = async (wanted: string) => {
    for (let i = 0; i < 20 && (await focus()) !== wanted; i++) await page.keyboard.press("Tab");
    assert.equal(await focus(), wanted);
  };
  page.once("filechooser", (chooser) => void chooser.setFiles(plain));
  await tabTo("file");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "passphrase");
  await page.keyboard.type(passphrase);
  await tabTo("again");
  await page.keyboard.type(passphrase);
  await tabTo("Encrypt");
  await page.keyboard.press("Enter");
  await page.getByText("The file is encrypted").waitFor();
  assert.equal(await focus(), "Save the file");
  const coming = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  assert.equal((await coming).suggestedFilename(), "keys.txt.pgp");
  await tabTo("Another file");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "file");
});

describe("states", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    it(`have no serious fault that axe knows, ${colorScheme}`, async () => {
      const page = await open("files", { colorScheme, reducedMotion: "reduce" });
      await fill(page, write("a.txt", "a"));
      await page.getByText("More options").click();
      await assertAccessible(page, "the form, filled");
      await submit(page);
      await assertAccessible(page, "the progress");
      await page.getByText("Save the file").waitFor();
      await assertAccessible(page, "the result");
      await page.getByRole("button", { name: "Another file" }).click();
      await submit(page);
      await assertAccessible(page, "a problem in the form");
      await run(
        page,
        spoilt((bytes) => bytes),
        "wrong",
      );
      await alert(page).waitFor();
      await assertAccessible(page, "a failure");
    });
  }
});

it("takes no more memory for a large file", async () => {
  const path = write("large.bin", "");
  truncateSync(path, 600_000_000);
  const page = await open("files", { onDisk: true });
  const before = memoryOfBrowser();
  await run(page, path);
  let peak = 0;
  const result = page.getByText("Save the file");
  for (const end = Date.now() + 150_000; !(await result.isVisible()); ) {
    assert.ok(Date.now() < end, "no result");
    peak = Math.max(peak, memoryOfBrowser() - before);
    await page.waitForTimeout(100);
  }
  // Argon2 takes 64 MiB, and the engine frees pieces when it likes to.
  assert.ok(peak < 350e6, `${peak} bytes more than before`);
});
