// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Serves the built page on this machine alone, with the headers that a real server should send.
//
// Usage: node serve.mjs [--check] [PORT]      without PORT 8417; 0 takes any that is free
//   --check   serves nothing, but fails if it could not

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { headers } from "./policy.mjs";

export const site = fileURLToPath(new URL("../build/web/", import.meta.url));

/** @type {Record<string, string>} */
const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/**
 * Starts a server of the files in `folder`, on 127.0.0.1.
 * @param {string} folder
 * @param {number} port 0 takes any that is free
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export function serve(folder, port) {
  const server = createServer((request, response) => {
    answer(folder, request.url ?? "/").then(([status, type, body]) => {
      response.writeHead(status, { ...headers, "Content-Type": type, "Cache-Control": "no-cache" });
      response.end(request.method === "HEAD" ? undefined : body);
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = /** @type {import("node:net").AddressInfo} */ (server.address());
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: `http://127.0.0.1:${address.port}/`, close });
    });
  });
}

/**
 * @param {string} folder
 * @param {string} url
 * @returns {Promise<[number, string, string | Buffer]>}
 */
async function answer(folder, url) {
  try {
    // Normalized from the root, a path cannot climb out of the folder.
    const path = normalize(decodeURIComponent(new URL(url, "http://127.0.0.1").pathname));
    const file = path.endsWith("/") ? `${path}index.html` : path;
    const body = await readFile(join(folder, file));
    return [200, types[extname(file)] ?? "application/octet-stream", body];
  } catch {
    return [404, "text/plain; charset=utf-8", "There is no such file here.\n"];
  }
}

/** @param {string} text */
function portOf(text) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65536) return port;
  throw new Error(`PORT must be a number from 0 to 65535, found "${text}"`);
}

/**
 * Serves the page, or with `--check` only tells whether that can be done.
 * @param {string[]} args
 */
async function main(args) {
  const isCheck = args[0] === "--check";
  const port = portOf((isCheck ? args[1] : args[0]) ?? "8417");
  const { url, close } = await serve(site, port).catch(({ code, message }) => {
    const reason = code === "EADDRINUSE" ? "another program uses it" : message;
    throw new Error(`cannot listen on port ${port}: ${reason}`);
  });
  if (isCheck) return close();
  console.log(`The page is at ${url} (Ctrl-C ends it)`);
  process.on("SIGINT", close);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).catch(({ message }) => {
    console.error(`serve: error: ${message}`);
    console.error("serve: hint: take another one, as in: make web PORT=8500");
    process.exitCode = 1;
  });
}
