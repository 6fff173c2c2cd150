// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type BytesLike, bytesOf } from "./bytes.js";
import { ManyfishError } from "./errors.js";
import { type Library, library } from "./library.js";

/** Room for what a function fills in, in bytes. */
const room = (n_bytes: number) => new Uint8Array(n_bytes);

const bytesOfWords = (words: readonly number[] | Uint32Array) =>
  new Uint8Array(Uint32Array.from(words).buffer);

/** Calls `work` with the addresses of a result of n_bytes and of the inputs; returns the result's. */
function fill<T>(
  n_bytes: number,
  inputs: Uint8Array[],
  work: (c: Library["c"], out: number, ...inputs: number[]) => number,
  found: string,
  result: (from: Library, out: number) => T,
): T {
  const from = library();
  return from.run([room(n_bytes), ...inputs], (out, ...addresses) => {
    from.check(work(from.c, out, ...addresses), found);
    return result(from, out);
  });
}

const wordsAt = (n: number) => (from: Library, out: number) => from.words(out, n).slice();
const tablesAt = (n: number) => (from: Library, out: number) =>
  Array.from({ length: n }, (_, i) => from.copy(out + 256 * i, 256));

/** The permutations q0 and q1, 256 bytes each [Twofish98, 4.3.5]. */
function q(): Uint8Array[] {
  return fill(512, [], (c, out) => c.mf_twofish_parts_q(out), "", tablesAt(2));
}

/** The product of the matrix MDS and the four bytes of a word [Twofish98, 4.2]. */
function mds(y: number): number {
  return library().c.mf_twofish_parts_mds(y) >>> 0;
}

/**
 * The four S-boxes that the list L selects, 256 bytes each, up to the last q and without MDS [Twofish98, 4.3.2].
 * L has k = 2, 3 or 4 words; L[0] is the one that h applies last.
 */
function boxes(L: readonly number[] | Uint32Array, k: number = L.length): Uint8Array[] {
  return fill(
    1024,
    [listOf(L, k)],
    (c, out, at) => c.mf_twofish_parts_boxes(out, at, k),
    `the list has ${k} words`,
    tablesAt(4),
  );
}

/** h of the word X with the list L [Twofish98, 4.3.2]. With L = `sboxKey(key)` it is g. */
function h(X: number, L: readonly number[] | Uint32Array, k: number = L.length): number {
  const [result] = fill(
    4,
    [bytesOfWords([X]), listOf(L, k)],
    (c, out, x, at) => c.mf_twofish_parts_h(out, x, 1, at, k),
    `the list has ${k} words`,
    wordsAt(1),
  );
  return result as number;
}

/** The list S of a key of 16, 24 or 32 bytes, S[0] being the word that h applies last [Twofish98, 4.3]. */
function sboxKey(key: BytesLike): Uint32Array {
  const bytes = bytesOf(key, "the key");
  return fill(
    16,
    [bytes],
    (c, out, at) => c.mf_twofish_parts_sbox_key(out, at, bytes.length),
    `the key has ${bytes.length} bytes`,
    wordsAt(bytes.length / 8),
  );
}

/** n subkeys of a key, from K_first on; both even, and first + n at most 256 [Twofish98, 4.3.4]. */
function subkeys(key: BytesLike, first = 0, n = 40): Uint32Array {
  const bytes = bytesOf(key, "the key");
  if (!(first >= 0 && n >= 0 && first + n <= 256)) {
    throw new ManyfishError(
      "length",
      `there are the subkeys 0 to 255, but ${n} were asked for from ${first} on`,
    );
  }
  return fill(
    4 * n,
    [bytes],
    (c, out, at) => c.mf_twofish_parts_subkeys(out, first, n, at, bytes.length),
    `the key has ${bytes.length} bytes; ${n} subkeys from ${first} on, which must be even numbers`,
    wordsAt(n),
  );
}

function listOf(L: readonly number[] | Uint32Array, k: number): Uint8Array {
  if (L.length < k) {
    throw new ManyfishError("key-length", `the list must have ${k} words, but has ${L.length}`);
  }
  return bytesOfWords(L);
}

/**
 * The parts of Twofish, for study: not for protecting anything. All of them except `sboxKey` look up tables at addresses
 * that depend on their arguments. Words are numbers from 0 to 2^32 - 1; byte i has the weight 2^8i.
 */
export const parts = { q, mds, boxes, h, sboxKey, subkeys };
