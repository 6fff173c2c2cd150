// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// One encryption with everything that is computed on the way, in the names of the paper
// [Twofish98, 4]. q, MDS, RS, h and the key schedule are those of the library; whitening and rounds
// are written out here, since they are what is shown.

/** A 32-bit word, never negative; byte i has the weight 2^8i. */
export type Word = number;

/** The parts of the cipher: `parts` of the package manyfish. */
export interface Parts {
  /** The tables of q0 and q1. */
  q(): readonly Uint8Array[];
  /** MDS times the four bytes of a word. */
  mds(y: Word): Word;
  /** Byte i of h(X) before MDS is `boxes(L)[i][byte i of X]`. */
  boxes(L: Uint32Array): readonly Uint8Array[];
  h(X: Word, L: Uint32Array): Word;
  /** S of a key, the word that h applies last in front. */
  sboxKey(key: Uint8Array): Uint32Array;
  /** K_first, .. of a key: n of them. */
  subkeys(key: Uint8Array, first: number, n: number): Uint32Array;
}

/** Which subkeys come out of which words [Twofish98, 4.3]. */
export interface SubkeyPair {
  i: number;
  /** h of 2i rho and the even words. */
  A: Word;
  /** h of (2i + 1) rho and the odd words, rotated by 8. */
  B: Word;
  /** K_2i and K_(2i+1). */
  K: [Word, Word];
}

/** A round [Twofish98, 4]: R goes in, `next` comes out. */
export interface Round {
  r: number;
  R: Word[];
  /** R_1 rotated, as the second g takes it. */
  rotated: Word;
  T: [Word, Word];
  /** K_(2r+8) and K_(2r+9). */
  K: [Word, Word];
  F: [Word, Word];
  next: Word[];
}

export interface Trace {
  key: Uint8Array;
  text: Uint8Array;
  /** All words of the key, then every second one from the first and from the second. */
  M: Word[];
  Me: Word[];
  Mo: Word[];
  /** S_(k-1) .. S_0: in the order in which h takes them, its last one in front. */
  S: Word[];
  boxes: readonly Uint8Array[];
  pairs: SubkeyPair[];
  K: Word[];
  P: Word[];
  rounds: Round[];
  /** After the last round, its swap included. */
  last: Word[];
  C: Word[];
  ciphertext: Uint8Array;
}

export const ROUNDS = 16;
const SUBKEYS = 8 + 2 * ROUNDS;
const RHO = 0x01010101; // [Twofish98, 4.3.4]

/** Which q stands at which level of byte j of h; level 0 is applied last [Twofish98, 4.3.2]. */
const Q_ORDER = [
  [1, 0, 1, 0],
  [0, 0, 1, 1],
  [0, 1, 0, 1],
  [1, 1, 0, 0],
  [1, 0, 0, 1],
] as const;

export function add(a: Word, b: Word): Word {
  return (a + b) >>> 0;
}

export function rol(x: Word, n: number): Word {
  return ((x << n) | (x >>> (32 - n))) >>> 0;
}

export function ror(x: Word, n: number): Word {
  return rol(x, 32 - n);
}

export function xor(a: Word, b: Word): Word {
  return (a ^ b) >>> 0;
}

/** The four bytes of a word, that of the lowest weight first. */
export function bytesOf(x: Word): [number, number, number, number] {
  return [x & 255, (x >>> 8) & 255, (x >>> 16) & 255, x >>> 24];
}

/** The words of a string of bytes; its length is a multiple of 4. */
export function wordsOf(bytes: Uint8Array): Word[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

/** 0 is for words that cannot be missing, to please the compiler. */
function at(words: ArrayLike<Word>, i: number): Word {
  return words[i] ?? 0;
}

function subkeyPair(parts: Parts, Me: Word[], Mo: Word[], i: number): SubkeyPair {
  const A = parts.h(Math.imul(2 * i, RHO) >>> 0, Uint32Array.from(Me));
  const B = rol(parts.h(Math.imul(2 * i + 1, RHO) >>> 0, Uint32Array.from(Mo)), 8);
  return { i, A, B, K: [add(A, B), rol(add(A, add(B, B)), 9)] };
}

function round(parts: Parts, S: Uint32Array, K: [Word, Word], R: Word[], r: number): Round {
  const rotated = rol(at(R, 1), 8);
  const T: [Word, Word] = [parts.h(at(R, 0), S), parts.h(rotated, S)];
  const sum = add(T[0], T[1]);
  const F: [Word, Word] = [add(sum, K[0]), add(add(sum, T[1]), K[1])];
  const next = [ror(xor(at(R, 2), F[0]), 1), xor(rol(at(R, 3), 1), F[1]), at(R, 0), at(R, 1)];
  return { r, R, rotated, T, K, F, next };
}

/**
 * Encrypts one block.
 *
 * @param key 16, 24 or 32 bytes
 * @param text 16 bytes
 */
export function trace(parts: Parts, key: Uint8Array, text: Uint8Array): Trace {
  const M = wordsOf(key);
  const Me = M.filter((_, i) => i % 2 === 0);
  const Mo = M.filter((_, i) => i % 2 === 1);
  const S = parts.sboxKey(key);
  const K = [...parts.subkeys(key, 0, SUBKEYS)];
  const P = wordsOf(text);

  const rounds: Round[] = [];
  let R = P.map((word, i) => xor(word, at(K, i)));
  for (let r = 0; r < ROUNDS; r++) {
    const done = round(parts, S, [at(K, 2 * r + 8), at(K, 2 * r + 9)], R, r);
    rounds.push(done);
    R = done.next;
  }
  const C = R.map((_, i) => xor(at(R, (i + 2) % 4), at(K, i + 4)));
  return {
    ...{ key, text, M, Me, Mo, S: [...S], boxes: parts.boxes(S) },
    pairs: Array.from({ length: SUBKEYS / 2 }, (_, i) => subkeyPair(parts, Me, Mo, i)),
    ...{ K, P, rounds, last: R, C, ciphertext: Uint8Array.from(C.flatMap(bytesOf)) },
  };
}

/** A q, and the byte of L that is then XORed; none after the last q. */
export interface Level {
  q: 0 | 1;
  input: number;
  output: number;
  /** Where it comes from: word `list` of L. */
  list?: number;
  keyByte?: number;
}

/** How byte x goes through S-box j of a list L of words, L_0 being applied last [Twofish98, 4.3.2]. */
export function path(parts: Parts, L: ArrayLike<Word>, j: number, x: number): Level[] {
  const q = parts.q();
  const levels: Level[] = [];
  let value = x;
  for (let level = L.length; level >= 0; level--) {
    const which = Q_ORDER[level]?.[j] ?? 0;
    const output = q[which]?.[value] ?? 0;
    if (level === 0) return [...levels, { q: which, input: value, output }];
    const keyByte = bytesOf(at(L, level - 1))[j] ?? 0;
    levels.push({ q: which, input: value, output, list: level - 1, keyByte });
    value = output ^ keyByte;
  }
  return levels;
}

/** Rows of a linear map whose column j is `column(j)`, a word of four bytes. */
export function matrix(columns: number, column: (j: number) => Word): number[][] {
  const all = Array.from({ length: columns }, (_, j) => bytesOf(column(j)));
  return [0, 1, 2, 3].map((row) => all.map((bytes) => bytes[row] ?? 0));
}
