// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The service worker: keeps the files of one build, all or none, and answers from them. A new build
// is taken when no page of the old one is open any more, so that a page never gets parts of two
// builds.

declare const FILES: readonly string[];
declare const STAMP: string;

const worker = self as unknown as ServiceWorkerGlobalScope;

// All pages of an origin share their caches, so also copies of this one below other paths. No address
// contains a space.
const prefix = `manyfish ${worker.registration.scope} `;
const cacheName = prefix + STAMP;

async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

async function dropOlder(): Promise<void> {
  await Promise.all((await caches.keys()).map(dropIfOlder));
  await worker.clients.claim();
}

async function dropIfOlder(name: string): Promise<void> {
  const isOlder = name.startsWith(prefix) ? name !== cacheName : await isOfVersion02(name);
  if (isOlder) await caches.delete(name);
}

/** True for a cache of this copy in version 0.2, whose names had no scope: its files tell. */
async function isOfVersion02(name: string): Promise<boolean> {
  if (!name.startsWith("manyfish-")) return false;
  return (await caches.match("index.html", { cacheName: name })) !== undefined;
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const isPage = request.url.replace(/[?#].*/, "") === worker.registration.scope;
  const kept = await cache.match(isPage ? "index.html" : request);
  return kept ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(keepFiles()));
worker.addEventListener("activate", (event) => event.waitUntil(dropOlder()));
worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
