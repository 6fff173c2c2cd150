// SPDX-License-Identifier: Apache-2.0 OR MIT

/** Starts the service worker, and tells in `state` when the page works without a network. */
export async function keepOffline(state: HTMLElement): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("offline.js");
    await navigator.serviceWorker.ready;
    state.textContent = "It is kept here, and works without a network.";
  } catch (error) {
    // Refused by a setting or in a private window: the page works anyway, with a network.
    console.warn("the page is not kept for use without a network:", error);
  }
}
