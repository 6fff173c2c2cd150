// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The page in Chromium, as a user has it. Whatever a test does, no request goes to another host,
// nothing breaks the policy and no error is left uncaught: every page is checked for that when its
// test is over.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before } from "node:test";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { serve, site } from "../serve.mjs";

/** Chromium speaks to the page alone: not to its maker, and not in the background. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Browser;
let server: { url: string; close: () => void };
let opened: { page: Page; faults: string[] }[] = [];
let folders: string[] = [];

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Where the page is served. */
export const address = () => server.url;

/**
 * Registers what every file of tests needs: the server and the browser, before, and the checks
 * after each test.
 */
export function withBrowser(): void {
  before(async () => {
    assert.ok(existsSync(site), "the page is not built; run scripts/build-web");
    server = await serve(site, 0);
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterEach(async () => {
    const faults = opened.flatMap((each) => each.faults);
    await Promise.all(opened.map(({ page }) => page.context().close()));
    opened = [];
    // A browser may still write while it ends.
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, maxRetries: 20 })));
    folders = [];
    assert.deepEqual(faults, [], "requests to others, breaches of the policy, uncaught errors");
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
}

interface Options extends BrowserContextOptions {
  /** Keep what the page stores on the disk, as a browser does outside of private windows. */
  onDisk?: boolean;
  /** Where the page is, if another server than that of the tests serves it. */
  at?: string;
}

/** A page in a browser of its own, with nothing kept from others, at the view `id`. */
export async function open(id: string, options: Options = {}): Promise<Page> {
  const { onDisk, at = server.url, ...others } = options;
  const { origin } = new URL(at);
  const context = onDisk ? await browserOnDisk(others) : await browser.newContext(others);
  const page = await context.newPage();
  const faults: string[] = [];
  opened.push({ page, faults });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("blob:")) faults.push(`request: ${url}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.stack ?? error}`));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.setDefaultTimeout(60_000);
  await page.goto(`${at}#${id}`);
  await settled(page);
  return page;
}

async function browserOnDisk(options: BrowserContextOptions): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), "manyfish-browser-"));
  folders.push(folder);
  return chromium.launchPersistentContext(folder, { ...options, executablePath, args: flags });
}

/** Waits until the view that is shown has been filled. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main > section:not([hidden]) > .view:not([aria-busy])").waitFor();
}

/** A fault that a test expects, so that it does not count. */
export function expectFaults(page: Page, pattern: RegExp): void {
  const entry = opened.find((each) => each.page === page);
  const faults = entry?.faults ?? [];
  const others = faults.filter((fault) => !pattern.test(fault));
  assert.notEqual(others.length, faults.length, `no fault like ${pattern}`);
  if (entry) entry.faults = others;
}
