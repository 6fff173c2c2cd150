// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The trade-off explorer in the browser: what it shows of the figures, its controls by mouse and keys,
// and the measurement.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kernels } from "manyfish";
import type { Locator, Page } from "playwright-core";
import { inOrder } from "../src/explorer/kernels";
import { assertAccessible } from "./axe";
import { open, withBrowser } from "./rig";

withBrowser();

const panel = (page: Page, n: number) => page.locator("svg.panel").nth(n);
const lines = (figure: Locator) =>
  figure
    .locator("[data-kernel] .line")
    .evaluateAll((all) => all.map((each) => each.parentElement?.dataset.kernel ?? ""));
const labels = (figure: Locator) => figure.locator(".labels text").allTextContents();

/** The texts of a table's row. */
const row = (page: Page, table: string, kernel: string) =>
  page.locator(`${table} tr[data-kernel=${kernel}] td`).allTextContents();

const slider = (page: Page) => page.getByLabel("Blocks under one key");

describe("the chart", () => {
  it("has 1998 beside today, with a line and a name for each kernel", async () => {
    const page = await open("explorer");
    const options = ["zero", "minimal", "partial", "full", "compiled"];
    assert.deepEqual(await lines(panel(page, 0)), options);
    assert.deepEqual(await labels(panel(page, 0)), options);
    const today = [...options, "bitslice", "avx2"];
    assert.deepEqual(await lines(panel(page, 1)), today);
    assert.deepEqual(await labels(panel(page, 1)), [...today, "1998’s best"]);
  });

  it("says in words what it shows", async () => {
    const page = await open("explorer");
    assert.equal(
      await panel(page, 0).getAttribute("aria-label"),
      "Pentium Pro, assembler, clocks a byte with a 128-bit key. Best: from 1 block zero (132), " +
        "from 16 blocks partial (47.9), from 32 blocks compiled (32.9).",
    );
  });

  it("keeps its labels apart and inside", async () => {
    for (const width of [320, 500, 800, 1280]) {
      const page = await open("explorer", { viewport: { width, height: 800 } });
      for (const box of await page.getByRole("checkbox").all()) await box.check();
      const faults = await page.evaluate(() => {
        const found: string[] = [];
        for (const figure of document.querySelectorAll("svg.panel")) {
          const frame = figure.getBoundingClientRect();
          const texts = [...figure.querySelectorAll("text")];
          const boxes = texts.map((text) => ({
            text: text.textContent,
            box: text.getBoundingClientRect(),
          }));
          for (const [i, a] of boxes.entries()) {
            const { left, right, top, bottom } = a.box;
            const isInside = left >= frame.left && right <= frame.right && bottom <= frame.bottom;
            if (!isInside || top < frame.top) found.push(`${a.text} is cut`);
            for (const b of boxes.slice(i + 1)) {
              const beside = b.box.left >= right || b.box.right <= left;
              // Letters do not fill the height of their boxes.
              const above = b.box.top + 3 >= bottom || b.box.bottom - 3 <= top;
              if (!beside && !above) found.push(`${a.text} covers ${b.text}`);
            }
          }
        }
        return found;
      });
      assert.deepEqual(faults, [], `${width} pixels`);
    }
  });

  it("follows the choices", async () => {
    const page = await open("explorer");
    await page.getByLabel("256 bits").check();
    assert.match((await panel(page, 0).getAttribute("aria-label")) ?? "", /256-bit .*zero \(214\)/);
    await page.getByLabel("1998", { exact: true }).selectOption("68040, C");
    assert.match((await panel(page, 0).getAttribute("aria-label")) ?? "", /^68040, C/);
    await page.getByRole("checkbox", { name: "avx2", exact: true }).uncheck();
    assert.ok(!(await lines(panel(page, 1))).includes("avx2"));
    await page.getByLabel("Today").selectOption({ index: 1 });
    const second = await page.getByLabel("Today").locator("option").nth(1).textContent();
    assert.equal(await page.locator("figure h3").nth(1).textContent(), `Today: ${second}`);
  });

  it("has all its figures as tables", async () => {
    const page = await open("explorer");
    await page.getByText("All figures of the chart").click();
    const tables = page.locator(".all-points table");
    assert.equal(await tables.count(), 2);
    const compiled = tables.nth(0).locator("tr[data-kernel=compiled] td");
    // (8600 + n * 258) / 16n
    assert.deepEqual((await compiled.allTextContents()).slice(0, 2), ["554", "285"]);
    assert.equal(await compiled.count(), 13);
  });
});

describe("a number of blocks", () => {
  it("is chosen by keys, and said in words", async () => {
    const page = await open("explorer");
    assert.equal(await slider(page).getAttribute("aria-valuetext"), "16 blocks, 256 bytes");
    assert.deepEqual((await row(page, ".at-blocks", "compiled"))[0], "12,728");
    await slider(page).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await slider(page).getAttribute("aria-valuetext"), "32 blocks, 512 bytes");
    assert.equal((await row(page, ".at-blocks", "compiled"))[0], "16,856 best");
    await page.keyboard.press("Home");
    assert.equal(await slider(page).getAttribute("aria-valuetext"), "1 block, 16 bytes");
    assert.equal((await row(page, ".at-blocks", "zero"))[0], "2,110 best");
    await page.keyboard.press("End");
    assert.equal(await slider(page).getAttribute("aria-valuetext"), "4,096 blocks, 64 KB");
  });

  it("is chosen in the chart", async () => {
    const page = await open("explorer");
    const point = (x: number) => panel(page, 0).hover({ position: { x, y: 100 } });
    await point(47);
    assert.equal(await slider(page).inputValue(), "0");
    await point(400);
    assert.equal(await slider(page).inputValue(), "12");
  });
});

describe("Table 5.1", () => {
  it("has the figures of the book beside those of today", async () => {
    const page = await open("explorer");
    const full = await row(page, ".table-of-options", "full");
    assert.deepEqual([full[0], full[3], full[6]], ["7,600", "315", "8,500"]);
    const [then, now, ratio] = full.map((text) => Number(text.replace(/[,×]/g, "")));
    assert.ok(then && now && ratio);
    assert.equal(ratio, Number((then / now).toPrecision(2)));
    await page.getByLabel("192 bits").check();
    assert.equal((await row(page, ".table-of-options", "full"))[0], "10,400");
    assert.equal((await row(page, ".table-of-options", "avx2"))[0], "–");
  });
});

describe("the measurement of the browser", () => {
  it("becomes one more panel, and columns of the tables", async () => {
    const page = await open("explorer");
    const button = page.getByRole("button", { name: "Measure this browser" });
    await button.click();
    assert.ok(await button.isDisabled());
    await page.getByRole("button", { name: "Measure again" }).waitFor({ timeout: 90_000 });
    const names = inOrder(kernels().map(({ name }) => name));
    assert.deepEqual(await lines(panel(page, 2)), names);
    const [, , , live] = await row(page, ".table-of-options", "full");
    assert.match(live ?? "", /^[\d,]+$/);
    assert.equal((await row(page, ".at-blocks", "simd128")).length, 3);
    await page.getByText("All figures of the chart").click();
    assert.equal(await page.locator(".all-points table").count(), 3);
    await assertAccessible(page, "measured");
  });

  it("says so when it cannot start", async () => {
    const page = await open("explorer", { serviceWorkers: "block" });
    await page.route("**/measure-worker.js", (route) => route.fulfill({ status: 404 }));
    const button = page.getByRole("button", { name: "Measure this browser" });
    await button.click();
    const status = page.locator(".live [role=status]");
    await status.getByText("The measurement failed").waitFor();
    assert.match(
      (await status.textContent()) ?? "",
      /the worker did not start\. Try again, or load the page anew\.$/,
    );
    assert.ok(await button.isEnabled());
  });
});
