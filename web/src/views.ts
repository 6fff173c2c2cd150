// SPDX-License-Identifier: Apache-2.0 OR MIT

/** A part of the page. It has an address, `#ID`, and is loaded when it is first shown. */
export interface View {
  /** The address, and the id of its section with "view-" before it. */
  readonly id: string;
  /** In the navigation. */
  readonly name: string;
  /** Its heading. */
  readonly title: string;
  /** The first paragraph. */
  readonly lede: string;
  load(): Promise<ViewModule>;
}

/** The exports of a view's module. */
export interface ViewModule {
  /**
   * Fills `element`, which is empty and in the document. Called once; the view keeps its state when
   * hidden.
   */
  mount(element: HTMLElement): void | Promise<void>;
}

/** In the order of the navigation; the first one is shown where the address names none. */
export const views: readonly View[] = [
  {
    id: "files",
    name: "Files",
    title: "Lock files with a passphrase",
    lede: "All of it happens in this browser: files and passphrase never leave your device.",
    load: () => import("./files/view"),
  },
  {
    id: "explorer",
    name: "Trade-offs",
    title: "How much to compute beforehand",
    lede:
      "Twofish lets you choose how much work is done once for a key and how much for every " +
      "block. See what each choice cost on the machines of 1998, what it costs today, and in " +
      "your browser.",
    load: () => import("./explorer/view"),
  },
  {
    id: "steps",
    name: "Step by step",
    title: "One encryption, step by step",
    lede:
      "From a key and sixteen bytes to the ciphertext: every word that Twofish computes on the " +
      "way, with the names of the paper.",
    load: () => import("./steps/view"),
  },
];
