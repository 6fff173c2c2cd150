// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Each error: its code, and that its message names what was found.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type BytesLike,
  Cbc,
  Ccm,
  Cfb,
  Cmac,
  Ctr,
  Eax,
  Ecb,
  Gcm,
  type Implementation,
  kernels,
  ManyfishError,
  type ManyfishErrorCode,
  Ocb,
  type Padding,
  parts,
  Siv,
  Twofish,
  Xts,
} from "manyfish";
import { library } from "../dist/library.js";
import { noise } from "./vectors.js";

const key = new Twofish(noise(16, 1));
const closed = new Twofish(noise(16, 1));
closed.close();
const scalar = new Twofish(noise(16, 1), { implementation: "scalar" });
const simd = new Twofish(noise(16, 2), { implementation: "simd" });
const iv = new Uint8Array(16);
const nothing = new Uint8Array(0);
const wrong = <T>(value: unknown) => value as T;

/** The call, its code, and words of the message. */
const errors: Record<string, [() => unknown, ManyfishErrorCode, RegExp]> = {
  "a key of 15 bytes": [
    () => new Twofish(noise(15, 1)),
    "key-length",
    /16, 24 or 32.*has 15 bytes/,
  ],
  "a key of 33 bytes": [() => new Twofish(noise(33, 1)), "key-length", /has 33 bytes/],
  "no key": [() => new Twofish(wrong(undefined)), "argument", /the key must be.*undefined/],
  "a key as text": [() => new Twofish(wrong("secret")), "argument", /but is a string/],
  "a key as null": [() => new Twofish(wrong(null)), "argument", /but is null/],
  "a long short key": [() => Twofish.padKey(noise(33, 1)), "key-length", /at most 32.*33/],
  "another kernel": [
    () => new Twofish(noise(16, 1), { kernel: "fast" }),
    "kernel",
    /no kernel of this name; kernel "fast"; kernels\(\)/,
  ],
  "another build": [
    () => new Twofish(noise(16, 1), { implementation: wrong("gpu") }),
    "argument",
    /"simd" or "scalar", but is "gpu"/,
  ],
  "half a block": [() => key.encryptBlocks(noise(24, 1)), "length", /16 bytes each.*24 bytes/],
  "a mode without a key": [() => new Ocb(wrong({})), "argument", /must be a Twofish/],
  "a closed key": [() => closed.encryptBlocks(iv), "closed", /closed/],
  "a mode of a closed key": [() => new Ctr(closed), "closed", /closed/],
  "keys of two builds": [() => new Xts(simd, scalar), "argument", /same implementation/],
  "an iv of 12 bytes": [() => new Ctr(key).encrypt(noise(12, 1), iv), "nonce-length", /but has 12/],
  "17 counter bits": [
    () => new Ctr(key, { counterBits: wrong(17) }).encrypt(iv, iv),
    "block",
    /no block, counter or segment/,
  ],
  "7 bits of a segment": [
    () => new Cfb(key, { segmentBits: wrong(7) }).encrypt(iv, iv),
    "block",
    /segment/,
  ],
  "ecb of 17 bytes": [() => new Ecb(key).encrypt(noise(17, 1)), "length", /1 bytes are left over/],
  "cbc of 17 bytes": [
    () => new Cbc(key, { padding: "none" }).encrypt(iv, noise(17, 1)),
    "length",
    /1 bytes are left over/,
  ],
  "padded cbc of 17 bytes": [() => new Cbc(key).decrypt(iv, noise(17, 1)), "length", /1 bytes/],
  "padded cbc of nothing": [() => new Cbc(key).decrypt(iv, nothing), "length", /0 bytes/],
  "wrong padding": [() => new Cbc(key).decrypt(iv, noise(64, 1)), "padding", /valid padding/],
  "another padding": [
    () => new Cbc(key, { padding: wrong<Padding>("zeros") }),
    "argument",
    /pkcs7, none.*"zeros"/,
  ],
  "stealing from 15 bytes": [
    () => new Cbc(key, { padding: "cs1" }).encrypt(iv, noise(15, 1)),
    "length",
    /has 15 bytes/,
  ],
  "ocb, no nonce": [() => new Ocb(key).encrypt(nothing, iv), "nonce-length", /has 0 bytes/],
  "ocb, a nonce of 16 bytes": [() => new Ocb(key).encrypt(iv, iv), "nonce-length", /has 16 bytes/],
  "gcm, no nonce": [() => new Gcm(key).encrypt(nothing, iv), "nonce-length", /has 0 bytes/],
  "ccm, a nonce of 6 bytes": [
    () => new Ccm(key).encrypt(noise(6, 1), iv),
    "nonce-length",
    /nonce has 6 bytes/,
  ],
  "ccm, too long for its nonce": [
    () => new Ccm(key).encrypt(noise(13, 1), new Uint8Array(65536)),
    "too-long",
    /text 65536/,
  ],
  "eax, a tag of 3 bytes": [
    () => new Eax(key, { tagBytes: 3 }),
    "tag-length",
    /4, 5, .*but tagBytes is 3/,
  ],
  "eax, a tag of 17 bytes": [() => new Eax(key, { tagBytes: 17 }), "tag-length", /is 17/],
  "ccm, a tag of 5 bytes": [() => new Ccm(key, { tagBytes: 5 }), "tag-length", /4, 6, .*is 5/],
  "ccm, a tag of 17 bytes": [() => new Ccm(key, { tagBytes: 17 }), "tag-length", /is 17/],
  "gcm, a tag of 5 bytes": [() => new Gcm(key, { tagBytes: 5 }), "tag-length", /4, 8, 12.*is 5/],
  "cmac, a tag of 0 bytes": [() => new Cmac(key, { tagBytes: 0 }), "tag-length", /is 0/],
  "ocb, no room for a tag": [
    () => new Ocb(key).decrypt(noise(12, 1), noise(15, 1)),
    "tag",
    /fewer than the 16 bytes/,
  ],
  "ccm, no room for a tag": [
    () => new Ccm(key).decrypt(noise(12, 1), noise(15, 1)),
    "tag",
    /fewer than the 16 bytes/,
  ],
  "siv, no room for a tag": [
    () => new Siv(key, scalar && key).decrypt(nothing, noise(15, 1)),
    "tag",
    /fewer than the 16 bytes/,
  ],
  "siv, 127 strings": [
    () => new Siv(key, key).encrypt(nothing, iv, new Array<BytesLike>(127).fill(iv)),
    "too-long",
    /127 strings/,
  ],
  "xts, equal keys": [
    () => new Xts(key, new Twofish(noise(16, 1), { kernel: "zero" })),
    "argument",
    /must differ/,
  ],
  "xts, 15 bytes": [() => new Xts(key, simd).encrypt(0, noise(15, 1)), "length", /has 15 bytes/],
  "xts, sector -1": [() => new Xts(key, simd).encrypt(-1, iv), "argument", /but is -1/],
  "xts, sector 2^64": [() => new Xts(key, simd).encrypt(1n << 64n, iv), "argument", /2\^64/],
  "xts, half a sector": [
    () => new Xts(key, simd).encryptSectors(0, 32, noise(48, 1)),
    "length",
    /sectors of 32 bytes, 48/,
  ],
  "xts, sectors of more than 2^32 bytes": [
    () => new Xts(key, simd).encryptSectors(0, 2 ** 32 + 16, noise(48, 1)),
    "length",
    /16 to 16777216 bytes, but sectorBytes is 4294967312/,
  ],
  "xts, sectors of 16.5 bytes": [
    () => new Xts(key, simd).decryptSectors(0, 16.5, noise(48, 1)),
    "length",
    /is 16\.5/,
  ],
  "xts, a tweak of 8 bytes": [
    () => new Xts(key, simd).encrypt(noise(8, 1), iv),
    "nonce-length",
    /has 8/,
  ],
  "parts: five words": [() => parts.boxes([1, 2, 3, 4, 5]), "key-length", /5 words/],
  "parts: too few words": [() => parts.h(0, [1], 2), "key-length", /must have 2 words, but has 1/],
  "parts: an odd subkey": [() => parts.subkeys(iv, 1, 2), "length", /even/],
  "parts: subkey 256": [() => parts.subkeys(iv, 256, 2), "length", /0 to 255/],
  "parts: a key of 17 bytes": [() => parts.sboxKey(noise(17, 1)), "key-length", /17 bytes/],
  "more memory than there is": [
    () => library().run([{ length: 2 ** 33 } as Uint8Array], () => 0),
    "memory",
    /needs \d{10} bytes more of memory/,
  ],
};

describe("errors", () => {
  for (const [name, [call, code, message]] of Object.entries(errors)) {
    test(name, () => {
      assert.throws(call, (error) => {
        assert.ok(error instanceof ManyfishError, String(error));
        assert.equal(error.code, code, error.message);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  test("a finished message", () => {
    const message = new Ocb(key).encryptor(noise(12, 1));
    message.finish();
    assert.throws(() => message.update(iv), { code: "closed" });
    assert.throws(() => message.finish(), { code: "closed" });
    message.close();
  });

  test("a key closed in the middle of a message", () => {
    const other = new Twofish(noise(16, 2));
    const message = new Ctr(other).encryptor(iv);
    message.update(iv);
    other.close();
    other.close();
    assert.throws(() => message.update(iv), { code: "closed" });
  });

  test("a closed mode; another one goes on", () => {
    const [one, two] = [new Gcm(key), new Gcm(key)];
    one.close();
    one.close();
    assert.throws(() => one.encrypt(iv, iv), { code: "closed" });
    two.encrypt(iv, iv);
    const siv = new Siv(key, key);
    siv.close();
    assert.throws(() => siv.encrypt(iv, iv), { code: "closed" });
    const xts = new Xts(key, simd);
    xts.close();
    assert.throws(() => xts.encrypt(0, iv), { code: "closed" });
  });

  test("cmac: a tag of another length is wrong, and a finished message is over", () => {
    const cmac = new Cmac(key, { tagBytes: 8 });
    assert.equal(cmac.verify(iv, new Uint8Array(16)), false);
    const work = cmac.begin();
    work.finish();
    assert.throws(() => work.update(iv), { code: "closed" });
  });
});

test("memory for whole messages grows with the largest, not with all of them", () => {
  const ccm = new Ccm(key);
  const used = () => library().view.length;
  const before = used();
  const most = 40 * 100_000;
  for (let n_bytes = 100_000; n_bytes <= most; n_bytes += 100_000) {
    ccm.encrypt(noise(11, 1), new Uint8Array(n_bytes));
    new Twofish(noise(16, n_bytes)); // takes memory in between
  }
  assert.ok(used() - before < 5 * most, `${used() - before} bytes`);
});

describe("arguments", () => {
  test("bytes of every kind", () => {
    const bytes = noise(16, 3);
    const expected = key.encryptBlocks(bytes);
    const around = new Uint8Array(40);
    around.set(bytes, 8);
    const kinds: BytesLike[] = [
      bytes.buffer,
      Buffer.from(bytes),
      new DataView(around.buffer, 8, 16),
      new Uint32Array(around.buffer, 8, 4),
      around.subarray(8, 24),
    ];
    for (const kind of kinds) {
      assert.deepEqual(key.encryptBlocks(kind), expected);
    }
  });

  test("what is given is not changed, and what is returned is the caller's", () => {
    const text = noise(64, 4);
    const copy = text.slice();
    const out = new Ocb(key).encrypt(noise(12, 1), text);
    assert.deepEqual(text, copy);
    out.fill(0);
    assert.deepEqual(text, copy);
  });

  test("the kernels", () => {
    for (const implementation of ["simd", "scalar"] as Implementation[]) {
      const [first, ...others] = kernels(implementation);
      assert.equal(first?.name, implementation === "simd" ? "simd128" : "bitslice");
      assert.equal(first?.constantTime, true);
      assert.equal(new Twofish(iv, { implementation }).kernel, first?.name);
      for (const kernel of others) {
        assert.equal(new Twofish(iv, { implementation, kernel: kernel.name }).kernel, kernel.name);
        assert.ok(kernel.keyBytes > 0 && kernel.lanes > 0 && kernel.summary.length > 10);
      }
    }
  });
});
