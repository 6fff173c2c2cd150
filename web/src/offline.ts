// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The service worker: keeps the files of one build, all or none, and answers from them. A new build
// is taken when no page of the old one is open any more, so that a page never gets parts of two
// builds.

declare const FILES: readonly string[];
declare const STAMP: string;

const worker = self as unknown as ServiceWorkerGlobalScope;
const cacheName = `manyfish-${STAMP}`;

async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

async function dropOlder(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((each) => each.startsWith("manyfish-") && each !== cacheName);
  await Promise.all(older.map((each) => caches.delete(each)));
  await worker.clients.claim();
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
