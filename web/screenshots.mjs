// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Makes the pictures of docs/web.md, of the page as it is built. The letters are those of the
// system. Look at each.
//
// Usage: node screenshots.mjs

import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve, site } from "./serve.mjs";

const folder = fileURLToPath(new URL("../docs/web/", import.meta.url));
const passphrase = "orbit-walnut-senate-drift-copper-lilac";

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page */
async function fill(page) {
  const buffer = Buffer.alloc(3_400_000);
  await page.setInputFiles("#file", { name: "holiday.tar", mimeType: "application/x-tar", buffer });
  await page.fill("#passphrase", passphrase);
  await page.fill("#again", passphrase);
}

/** @param {Page} page */
async function encrypt(page) {
  await fill(page);
  await page.click("button[type=submit]");
  await page.getByText("Save the file").waitFor();
}

/** @param {Page} page */
async function round1(page) {
  await page.getByLabel("What to encrypt").selectOption({ index: 2 });
  await page.getByRole("radio", { name: "Round 1", exact: true }).check();
}

/** @param {Page} page */
async function sboxes(page) {
  await page.getByLabel("What to encrypt").selectOption({ index: 2 });
  await page.getByRole("radio", { name: "The four S-boxes" }).check();
  await page.getByLabel("Byte that goes in").fill("78");
}

/**
 * Name of the picture, address, width, height, colours, and what is done before.
 * @type {[string, string, number, number, "light" | "dark", ((page: Page) => Promise<void>)?][]}
 */
const pictures = [
  ["files", "files", 1280, 800, "light", fill],
  ["files-result", "files", 1280, 800, "dark", encrypt],
  ["explorer", "explorer", 1280, 1400, "light"],
  ["steps", "steps", 1280, 1560, "light", round1],
  ["steps-s-boxes", "steps", 1280, 1560, "dark", sboxes],
];

const server = await serve(site, 0);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
for (const [name, id, width, height, colorScheme, prepare] of pictures) {
  const page = await browser.newPage({ colorScheme, viewport: { width, height } });
  await page.goto(`${server.url}#${id}`);
  await page.locator("main > section:not([hidden]) > .view:not([aria-busy])").waitFor();
  await page.getByText("works without a network").waitFor();
  await prepare?.(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: `${folder}${name}.png` });
  await page.close();
}
await browser.close();
server.close();
