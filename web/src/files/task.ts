// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The messages between the page and the worker of a run.

export type Verb = "encrypt" | "decrypt";

/**
 * Where the result goes: into the browser's own storage under this name, or into a file that the
 * user chose. To choose a file makes an empty one or empties the one that was there: it has to go
 * if the run fails.
 */
export type Target =
  | { readonly kind: "stored"; readonly name: string }
  | { readonly kind: "picked"; readonly handle: PickedFile; readonly isEmpty: boolean };

/** With what the types of TypeScript do not have yet. */
export interface PickedFile extends FileSystemFileHandle {
  remove?(): Promise<void>;
}

/** One run, from the page to its worker. */
export interface Task {
  readonly verb: Verb;
  readonly file: File;
  readonly passphrase: string;
  /** Write text that survives e-mail; for encryption only. */
  readonly armor: boolean;
  /** Write the older form, for GnuPG; for encryption only. */
  readonly older: boolean;
  readonly target: Target;
}

/** The error, by the codes of manyfish/openpgp, and "storage". */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** How far a run is in the file. A message in the older form is read twice, first to verify it. */
export interface Reading {
  readonly doneBytes: number;
  readonly isSecond: boolean;
}

/** A finished result. `isSigned`: there is a signature in the message, which nobody has checked. */
export interface Result {
  readonly file: Blob;
  readonly isSigned: boolean;
}

/** From the worker to the page. The last one is "done" or "failed". */
export type Report =
  | ({ readonly kind: "progress" } & Reading)
  | ({ readonly kind: "done" } & Result)
  | { readonly kind: "failed"; readonly failure: Failure };
