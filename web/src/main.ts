// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The shell of the page: navigation, one section for each view, and the service worker.

import { byId, element } from "./dom";
import { keepOffline } from "./keep-offline";
import { type View, views } from "./views";

declare const VERSION: string;

const links = new Map<View, HTMLAnchorElement>();
const sections = new Map<View, HTMLElement>();

function addView(view: View): void {
  const link = element("a", { href: `#${view.id}` }, view.name);
  const title = element("h1", { id: `title-${view.id}`, tabindex: -1 }, view.title);
  const section = element(
    "section",
    { id: `view-${view.id}`, "aria-labelledby": title.id, hidden: true },
    title,
    element("p", { class: "lede" }, view.lede),
  );
  links.set(view, link);
  sections.set(view, section);
  byId("views").append(link);
  byId("main").append(section);
}

/** The view of the address. The view reads the part after a slash. */
function addressed(): View {
  const id = location.hash.slice(1).split("/")[0];
  return views.find((view) => view.id === id) ?? (views[0] as View);
}

function show(view: View): void {
  for (const [each, link] of links) {
    if (each === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const [each, section] of sections) section.hidden = each !== view;
  document.title = `${view.name} · Manyfish`;
}

const mounted = new Set<View>();

async function mount(view: View): Promise<void> {
  if (mounted.has(view)) return;
  mounted.add(view);
  const body = element("div", { class: "view", "aria-busy": "true" });
  const section = sections.get(view);
  section?.querySelector(":scope > .view")?.remove(); // A notice, if it could not start before.
  section?.append(body);
  try {
    await (await view.load()).mount(body);
  } catch (error) {
    mounted.delete(view);
    body.replaceChildren(failure(error));
    console.error(error);
  }
  body.removeAttribute("aria-busy");
}

function failure(error: unknown): HTMLElement {
  const reason = error instanceof Error ? error.message : String(error);
  return element(
    "p",
    { class: "notice notice-bad", role: "alert" },
    `This part of the page could not be started (${reason}). Load the page again; ` +
      "if that does not help, the browser may be too old.",
  );
}

/**
 * A link of the navigation leads to the heading of the new view, also with a screen reader.
 */
function follow(): void {
  const view = addressed();
  const already = !sections.get(view)?.hidden;
  show(view);
  void mount(view);
  if (already) return;
  window.scrollTo(0, 0);
  focusTitle();
}

function focusTitle(): void {
  byId(`title-${addressed().id}`).focus({ preventScroll: true });
}

/**
 * The link to the content, for those without a mouse. Its address would be taken for that of a
 * view.
 */
function skip(event: Event): void {
  event.preventDefault();
  focusTitle();
}

function start(): void {
  views.forEach(addView);
  byId("version").textContent = VERSION;
  byId("skip").addEventListener("click", skip);
  window.addEventListener("hashchange", follow);
  show(addressed());
  void mount(addressed());
  void keepOffline(byId("offline-state"));
}

start();
