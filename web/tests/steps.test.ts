// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The encryption step by step: every value of the official intermediate-value test as the page shows
// it, the controls, and what may be typed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { parts, Twofish } from "manyfish";
import type { Page } from "playwright-core";
import { parseHex } from "../src/steps/input";
import { path, trace } from "../src/steps/trace";
import { assertAccessible } from "./axe";
import { open, withBrowser } from "./rig";

withBrowser();

const VECTORS = new URL("../../vectors/twofish_ecb_ival.rsp", import.meta.url);
const STEPS = 22;

/** The cases of the file, by the names of their fields. */
function cases(): Map<string, string>[] {
  const blocks = readFileSync(VECTORS, "utf8").split("\n\n");
  return blocks
    .filter((block) => block.startsWith("COUNT"))
    .map((block) => {
      const pairs = [...block.matchAll(/^(\w+) = (.*)$/gm)];
      return new Map(pairs.map(([, name, text]) => [String(name), String(text)]));
    });
}

/** The page's text for a line of the file: names of values, and their texts. */
function shown(name: string, text: string): [string, string][] {
  const words = text.split(" ");
  const numbered = (letter: string, first: number) =>
    words.map((word, i): [string, string] => [`${letter}${first + i}`, word]);
  const [letter, number] = name.split("_");
  if (name === "CT") return [["ciphertext", text]];
  if (name === "S") return [["S", text]];
  if (name === "INPUT_WHITENING") return numbered("K_", 0);
  if (name === "OUTPUT_WHITENING") return numbered("K_", 4);
  if (letter === "KEYS") return numbered("K_", 2 * Number(number) + 8);
  if (letter === "R" || letter === "T" || letter === "F") return numbered(`${name},`, 0);
  return [];
}

const values = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".steps [data-value]")].map(
      (each): [string, string] => [String(each.dataset.value), String(each.textContent)],
    ),
  );

const title = (page: Page) => page.locator(".step h2").textContent();
const where = (page: Page) => page.locator(".step [role=status]").textContent();

describe("the official intermediate values", () => {
  for (const [i, fields] of cases().entries()) {
    const bits = 4 * (fields.get("KEY")?.length ?? 0);
    it(`are what the page shows, ${bits}-bit key`, async () => {
      const page = await open("steps");
      await page.getByLabel("What to encrypt").selectOption({ index: i });
      assert.equal(await page.getByLabel("Key", { exact: true }).inputValue(), fields.get("KEY"));
      assert.equal(await page.getByLabel("Text", { exact: true }).inputValue(), fields.get("PT"));

      const found = new Map<string, Set<string>>();
      for (let step = 0; step < STEPS; step++) {
        for (const [name, text] of await values(page)) {
          found.set(name, (found.get(name) ?? new Set()).add(text));
        }
        if (step < STEPS - 1) await page.getByRole("button", { name: "Next" }).click();
      }
      assert.equal(await title(page), "Output whitening");

      const wanted = [...fields].flatMap(([name, text]) => shown(name, text));
      assert.equal(wanted.length, 1 + 1 + 8 + 16 * 6 + 17 * 4, "all lines of the file");
      // A value may be shown in several places, always the same.
      for (const [name, text] of wanted)
        assert.deepEqual([...(found.get(name) ?? [])], [text], name);
      assert.deepEqual([...(found.get("result") ?? [])], [fields.get("CT")]);
    });
  }
});

describe("steps", () => {
  it("go on and back, by buttons and by arrow keys, and end", async () => {
    const page = await open("steps");
    const back = page.getByRole("button", { name: "Back" });
    const next = page.getByRole("button", { name: "Next" });
    assert.equal(await title(page), "Key and text as words");
    assert.ok(await back.isDisabled());
    await next.click();
    assert.equal(await title(page), "S, the key of the S-boxes");
    await page.keyboard.press("ArrowRight");
    assert.equal(await title(page), "The four S-boxes");
    await page.keyboard.press("Meta+ArrowRight");
    assert.equal(await title(page), "The four S-boxes");
    await page.keyboard.press("ArrowLeft");
    await back.click();
    assert.match((await where(page)) ?? "", /^Step 1 of 22; sections 4 and 4.3/);

    await page.getByRole("radio", { name: "Output whitening" }).check();
    assert.ok(await next.isDisabled());
    await back.focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await title(page), "Output whitening");
  });

  it("can be jumped to, and are one stop of the keyboard", async () => {
    const page = await open("steps");
    await page.getByRole("radio", { name: "Round 7" }).check();
    assert.equal(await title(page), "Round 7");
    await page.keyboard.press("ArrowRight");
    assert.equal(await title(page), "Round 8");
    assert.ok(await page.getByRole("radio", { name: "Round 8" }).isChecked());
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "← Back");
  });

  it("leave the arrow keys to a text that is edited", async () => {
    const page = await open("steps");
    await page.getByLabel("Key", { exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await title(page), "Key and text as words");
  });

  it("stay where they are when key or text change", async () => {
    const page = await open("steps");
    await page.getByRole("radio", { name: "Round 3" }).check();
    const before = await values(page);
    await page.getByLabel("Text", { exact: true }).fill("01".repeat(16));
    assert.equal(await title(page), "Round 3");
    assert.notDeepEqual(await values(page), before);
  });
});

describe("a key and a text of one's own", () => {
  it("are encrypted as the library does it", async () => {
    const page = await open("steps");
    const key = "00112233445566778899aabbccddeeff 0011223344556677";
    const text = "fedcba98 76543210 fedcba98 76543210";
    await page.getByLabel("Key", { exact: true }).fill(key);
    await page.getByLabel("Text", { exact: true }).fill(text);
    const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");
    const cipher = new Twofish(bytes(key));
    const wanted = Buffer.from(cipher.encryptBlocks(bytes(text)))
      .toString("hex")
      .toUpperCase();
    cipher.close();
    assert.equal(await page.locator("[data-value=result]").textContent(), wanted);
    const chosen = page.getByLabel("What to encrypt").locator("option:checked");
    assert.equal(await chosen.textContent(), "My own key and text");
  });

  it("are refused with a reason, and the values before stay", async () => {
    const page = await open("steps");
    const before = await values(page);
    const key = page.getByLabel("Key", { exact: true });
    await key.fill("0".repeat(31));
    const problem = page.locator("#step-key-problem");
    assert.equal(await problem.textContent(), "The key has 32, 48 or 64 digits; there are 31.");
    assert.equal(await key.getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator("[data-value=result]").count(), 0);
    const kept = (await values(page)).filter(([name]) => name !== "result");
    assert.deepEqual(
      kept,
      before.filter(([name]) => name !== "result"),
    );
    await assertAccessible(page, "a wrong key");
    await key.fill("0".repeat(32));
    assert.equal(await problem.textContent(), "");
    assert.deepEqual(await values(page), before);
  });

  it("are read with spaces, in any case", () => {
    const found = parseHex("The text", " 0aF\t9 ", [2]);
    assert.deepEqual(found, { bytes: Uint8Array.of(0x0a, 0xf9) });
  });

  it("are told apart from what is none", () => {
    const problem = (text: string) => {
      const found = parseHex("The text", text, [16]);
      return "problem" in found ? found.problem : "";
    };
    assert.equal(problem(""), "The text has 32 digits; there are 0.");
    assert.match(problem(`0x${"0".repeat(30)}`), /"x" is none of them/);
  });
});

describe("the S-boxes", () => {
  it("are the way through q0, q1 and S, for every byte", () => {
    for (const n of [16, 24, 32]) {
      const key = Uint8Array.from({ length: n }, (_, i) => 17 * i + 3);
      const { S, boxes } = trace(parts, key, new Uint8Array(16));
      for (let j = 0; j < 4; j++) {
        const ends = Array.from({ length: 256 }, (_, x) => path(parts, S, j, x).at(-1)?.output);
        assert.deepEqual(ends, [...(boxes[j] ?? [])], `${8 * n} bits, S-box ${j}`);
      }
    }
  });

  it("show the way of the byte that was chosen, by a slider or in the table", async () => {
    const page = await open("steps");
    await page.getByRole("radio", { name: "The four S-boxes" }).check();
    const result = page.locator("[data-value=s-box]");
    const inTable = () => page.locator(".s-box .chosen").textContent();
    const first = await result.textContent();
    assert.equal(await inTable(), first);
    await page.getByLabel("Byte that goes in").focus();
    await page.keyboard.press("End");
    assert.equal(await page.locator(".stations li").first().textContent(), "FF");
    assert.equal(await inTable(), await result.textContent());
    await page.locator(".s-box [data-byte='18']").click();
    assert.equal(await page.locator(".stations li").first().textContent(), "12");
    const one = await result.textContent();
    await page.getByRole("radio", { name: "3", exact: true }).first().check();
    assert.notEqual(await result.textContent(), one);
    assert.equal(await inTable(), await result.textContent());
  });
});

describe("every step", () => {
  it("has no serious fault that axe knows, and fits a small window", async () => {
    const page = await open("steps", { viewport: { width: 320, height: 640 } });
    const names = [
      "The four S-boxes",
      "The subkeys",
      "Input whitening",
      "Round 0",
      "Output whitening",
    ];
    for (const name of names) {
      await page.getByRole("radio", { name, exact: true }).check();
      await assertAccessible(page, name);
      const overflow = () => document.documentElement.scrollWidth - window.innerWidth;
      assert.equal(await page.evaluate(overflow), 0, name);
    }
  });
});
