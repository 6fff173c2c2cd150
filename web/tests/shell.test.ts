// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Common to every view: navigation, the policy, use without a network, small windows, and the findings
// of axe.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { serve, site } from "../serve.mjs";
import { views } from "../src/views";
import { assertAccessible } from "./axe";
import { folder } from "./command";
import { address, expectFaults, open, settled, withBrowser } from "./rig";

withBrowser();

const title = (page: Page) => page.locator("main > section:not([hidden]) > h1");

describe("navigation", () => {
  it("shows one view, named in the title and in the navigation", async () => {
    const page = await open("");
    for (const view of views) {
      await page
        .getByRole("navigation")
        .getByRole("link", { name: view.name, exact: true })
        .click();
      await settled(page);
      assert.equal(await page.locator("main > section:visible").count(), 1);
      assert.equal(await title(page).textContent(), view.title);
      assert.equal(await page.title(), `${view.name} · Manyfish`);
      assert.equal(await page.locator("nav [aria-current=page]").textContent(), view.name);
    }
  });

  it("goes back, and keeps an address", async () => {
    for (const view of views) {
      const page = await open(view.id);
      assert.equal(await title(page).textContent(), view.title);
    }
    const page = await open("no-such-view");
    assert.equal(await title(page).textContent(), views[0]?.title);
  });

  it("has a link past the navigation as the first stop of the keyboard", async () => {
    const page = await open("files");
    await page.keyboard.press("Tab");
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      "Skip to the content",
    );
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
  });
});

describe("policy", () => {
  it("is in the page and in the headers, and allows nothing of others", async () => {
    const response = await fetch(address());
    const header = response.headers.get("content-security-policy") ?? "";
    const meta = /Content-Security-Policy" content="([^"]*)"/.exec(await response.text())?.[1];
    assert.match(header, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; /);
    assert.equal(header, `${meta}; frame-ancestors 'none'`);
    assert.doesNotMatch(header, /'unsafe-(inline|eval)'|https?:|data:|\*/);
  });

  it("stops a request to another host and an inline script", async () => {
    const page = await open("files");
    const refused = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      const request = fetch("https://example.org/").then(
        () => "answered",
        () => "refused",
      );
      return [await request, "ran" in window];
    });
    assert.deepEqual(refused, ["refused", false]);
    expectFaults(page, /Content Security Policy|Refused|https:\/\/example\.org/);
  });

  it("has no file of another place in the page", async () => {
    const page = await (await fetch(address())).text();
    assert.doesNotMatch(page, /<(?!a\s)[^>]*(?:src|href)="(?:https?:)?\/\//);
    assert.doesNotMatch(page, /\sstyle="|\son[a-z]+="|<script(?![^>]*\ssrc=)|<style/);
  });
});

/** The status of a path that goes out as it is: `fetch` and `URL` would take the dots away. */
function statusOf(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address());
    get({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on("error", reject);
  });
}

it("serves nothing from outside its folder", async () => {
  assert.equal(await statusOf("/index.html"), 200);
  // From build/web to a file that is there.
  for (const dots of ["../..", "%2e%2e/%2e%2e", "..%2f..", "x/../../.."]) {
    assert.equal(await statusOf(`/${dots}/web/package.json`), 404, dots);
    assert.equal(await statusOf(`/${dots}%2fweb%2fpackage.json`), 404, dots);
  }
});

it("says what is wrong with a port", async () => {
  const script = fileURLToPath(new URL("../serve.mjs", import.meta.url));
  const check = (port: string) => {
    const { status, stderr } = spawnSync(process.execPath, [script, "--check", port]);
    return `${status} ${stderr}`;
  };
  assert.equal(check("0"), "0 ");
  assert.match(check("abc"), /^1 .*must be a number from 0 to 65535, found "abc"\n.*hint/s);
  assert.match(check("65536"), /^1 .*found "65536"/);
  assert.match(check(new URL(address()).port), /^1 .*another program uses it\n.*hint/s);
});

it("works without a network once it was loaded", async () => {
  const page = await open("files");
  await page.getByText("works without a network").waitFor();
  await page.context().setOffline(true);
  await page.reload();
  for (const view of views) {
    await page.goto(`${address()}#${view.id}`);
    await settled(page);
    assert.equal(await title(page).textContent(), view.title);
  }
  assert.equal(await page.locator(".notice-bad").count(), 0);
});

it("keeps the files of other copies on the same server", async () => {
  const server = await serve(copies(), 0);
  try {
    const page = await open("files", { at: `${server.url}a/` });
    await page.getByText("works without a network").waitFor();
    await page.evaluate(async () => {
      // As version 0.2 called them.
      await (await caches.open("manyfish-a")).add("index.html");
      await (await caches.open("manyfish-b")).add("../b/index.html");
    });
    await page.goto(`${server.url}b/#files`);
    // The worker takes the page over when it has removed what it removes.
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    const left = await page.evaluate(() => caches.keys());
    assert.ok(left.includes("manyfish-a") && !left.includes("manyfish-b"), left.join(", "));
    await page.context().setOffline(true);
    await page.goto(`${server.url}a/#files`);
    await settled(page);
  } finally {
    server.close();
  }
});

/** A folder with two copies of the page, of different builds. */
function copies(): string {
  for (const name of ["a", "b"]) cpSync(site, join(folder, name), { recursive: true });
  const worker = join(folder, "b/offline.js");
  const stamp = /[0-9a-f]{16}/;
  assert.match(readFileSync(worker, "utf8"), stamp);
  writeFileSync(worker, readFileSync(worker, "utf8").replace(stamp, "0123456789abcdef"));
  return folder;
}

it("starts a view at the next visit if it could not start before", async () => {
  const page = await open("files", { serviceWorkers: "block" });
  const visit = (name: string) => page.getByRole("link", { name, exact: true }).click();
  await page.route("**/view-*.js", (route) => route.abort());
  await visit("Step by step");
  await page.getByText("This part of the page could not be started").waitFor();
  await page.unroute("**/view-*.js");
  await visit("Files");
  await visit("Step by step");
  await page.getByRole("button", { name: "Next" }).waitFor();
  assert.equal(await page.locator(".notice-bad").count(), 0);
  expectFaults(page, /Failed to (load|fetch)/);
});

for (const view of views) {
  describe(`view ${view.id}`, () => {
    for (const colorScheme of ["light", "dark"] as const) {
      it(`has no serious fault that axe knows, ${colorScheme}`, async () => {
        const page = await open(view.id, { colorScheme, reducedMotion: "reduce" });
        await assertAccessible(page, `${view.id}, ${colorScheme}`);
      });
    }

    it("fits windows of 320 pixels, and letters of double size", async () => {
      const overflow = () => document.documentElement.scrollWidth - window.innerWidth;
      const small = await open(view.id, { viewport: { width: 320, height: 640 } });
      assert.equal(await small.evaluate(overflow), 0);
      const large = await open(view.id, { viewport: { width: 720, height: 800 } });
      await large.evaluate(() => document.documentElement.style.setProperty("font-size", "34px"));
      assert.equal(await large.evaluate(overflow), 0);
    });
  });
}
