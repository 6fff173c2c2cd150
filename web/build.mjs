// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Builds the page into build/web: scripts and styles by esbuild, index.html with the policy in it,
// and last the service worker, which has to know all other files. Any server of plain files can
// serve that folder.
//
// Usage: node build.mjs

import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { policy } from "./policy.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const site = resolve(here, "../build/web");

/**
 * What a file of one line in the root of the repository says.
 * @param {string} name
 */
async function line(name) {
  return (await readFile(resolve(here, "..", name), "utf8")).trim();
}

/**
 * Name of the built file, and its source. Workers are files of their own: the page starts them by
 * name.
 */
const entries = {
  main: "src/main.ts",
  "files-worker": "src/files/worker.ts",
  style: "src/styles/main.css",
  "measure-worker": "src/explorer/measure-worker.ts",
};

/**
 * Modules NAME.data.mjs run here, when the page is built; the page gets what their default function
 * returns.
 * @type {esbuild.Plugin}
 */
const dataModules = {
  name: "data",
  setup(build) {
    build.onLoad({ filter: /\.data\.mjs$/ }, async ({ path }) => {
      const data = await (await import(path)).default();
      return { contents: JSON.stringify(data), loader: "json" };
    });
  },
};

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: here,
  bundle: true,
  charset: "utf8",
  define: { VERSION: JSON.stringify(await line("VERSION")) },
  format: "esm",
  logLevel: "warning",
  minify: true,
  outdir: site,
  plugins: [dataModules],
  target: ["es2022", "chrome110", "firefox121", "safari16.4"],
};

async function buildFiles() {
  await esbuild.build({
    ...common,
    chunkNames: "[name]-[hash]",
    entryPoints: entries,
    sourcemap: true,
    splitting: true,
  });
  const page = await readFile(join(here, "index.html"), "utf8");
  const filled = page
    .replace("{{policy}}", policy)
    .replace("{{repository}}", await line("REPOSITORY"));
  await writeFile(join(site, "index.html"), filled);
  await cp(join(here, "static"), site, { recursive: true });
}

/** The worker keeps `files` for use without a network; `stamp` changes with any of them. */
async function buildServiceWorker() {
  const files = (await readdir(site)).filter((name) => !name.endsWith(".map")).sort();
  const hash = createHash("sha256");
  for (const name of files) hash.update(name).update(await readFile(join(site, name)));
  const stamp = hash.digest("hex").slice(0, 16);
  await esbuild.build({
    ...common,
    define: { FILES: JSON.stringify(files), STAMP: JSON.stringify(stamp) },
    entryPoints: { offline: "src/offline.ts" },
  });
}

await rm(site, { recursive: true, force: true });
await mkdir(site, { recursive: true });
await buildFiles();
await buildServiceWorker();
