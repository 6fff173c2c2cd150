// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The parts against the official intermediate values: the whole cipher of parts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parts } from "manyfish";
import { read } from "./vectors.js";

const rotl = (x: number, n: number) => ((x << n) | (x >>> (32 - n))) >>> 0;

for (const [i, found] of read("twofish_ecb_ival").entries()) {
  test(`intermediate values, case ${i}`, () => {
    const key = found.bytes("KEY");
    const S = parts.sboxKey(key);
    const K = [...parts.subkeys(key)];
    assert.deepEqual([...S], found.words("S"));
    assert.deepEqual(K.slice(0, 4), found.words("INPUT_WHITENING"));
    assert.deepEqual(K.slice(4, 8), found.words("OUTPUT_WHITENING"));
    const boxes = parts.boxes(S);
    for (let r = 0; r < 16; r++) {
      const [R0, R1] = found.words(`R_${r}`) as [number, number];
      assert.deepEqual(K.slice(2 * r + 8, 2 * r + 10), found.words(`KEYS_${r}`));
      assert.deepEqual([parts.h(R0, S), parts.h(rotl(R1, 8), S)], found.words(`T_${r}`));
      const looked = boxes.map((box, j) => (box[(R0 >>> (8 * j)) & 0xff] as number) << (8 * j));
      assert.equal(parts.mds(looked.reduce((a, b) => a | b)), found.words(`T_${r}`)[0]);
    }
    assert.deepEqual([...parts.subkeys(key, 8, 4)], K.slice(8, 12));
    assert.deepEqual(parts.subkeys(key, 6, 0).length, 0);
  });
}

test("q0 and q1 are permutations, and differ", () => {
  const [q0, q1] = parts.q() as [Uint8Array, Uint8Array];
  assert.equal(new Set(q0).size, 256);
  assert.equal(new Set(q1).size, 256);
  assert.deepEqual([q0[0], q1[0]], [0xa9, 0x75]);
});
