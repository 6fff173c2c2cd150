// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Nothing of a secret stays in the memory of the library: after the same work with other keys and texts, when all is
// closed, the memory is the same to the byte, stack and all, except copies of ciphertext.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  Cbc,
  Ccm,
  Cfb,
  Cmac,
  Ctr,
  Eax,
  Ecb,
  Gcm,
  Ocb,
  Ofb,
  Siv,
  type Twofish,
  Xts,
} from "manyfish";
import { library } from "../dist/library.js";
import { noise, type Variant, variants } from "./vectors.js";

/** Objects still to be closed, and ciphertext, which is public. */
interface Done {
  close?: () => void;
  sent?: Uint8Array;
}

type Work = (keys: [Twofish, Twofish], text: Uint8Array) => Done;

const iv = noise(16, 100);
const nonce = noise(12, 101);
const aad = noise(40, 102);

function bothWays(mode: Ocb | Eax | Gcm | Ccm, text: Uint8Array): Done {
  const message = mode.encrypt(nonce, text, aad);
  mode.decrypt(nonce, message, aad);
  message[3] = (message[3] as number) ^ 1;
  assert.throws(() => mode.decrypt(nonce, message, aad), { code: "tag" });
  return { close: () => "close" in mode && mode.close() };
}

function withIv(mode: Cbc | Cfb | Ctr | Ofb, text: Uint8Array): Done {
  const sent = mode.encrypt(iv, text);
  mode.decrypt(iv, sent);
  return { sent };
}

/** Without the blocks of the ciphertext, and what is left of the last one. */
function without(memory: Uint8Array, sent: Uint8Array): Uint8Array {
  for (let i = 0; i < sent.length; i += 16) {
    const block = sent.subarray(i, i + 16);
    let at = Buffer.from(memory.buffer).indexOf(block);
    while (block.length >= 4 && at >= 0) {
      memory.fill(0, at, at + block.length);
      at = Buffer.from(memory.buffer).indexOf(block, at + 1);
    }
  }
  return memory;
}

const works: Record<string, Work> = {
  blocks: ([key], text) => {
    const n = text.length - (text.length % 16);
    key.decryptBlocks(key.encryptBlocks(text.subarray(0, n)));
    return {};
  },
  ecb: ([key], text) => {
    new Ecb(key).encrypt(text.subarray(0, 32));
    return {};
  },
  cbc: ([key], text) => withIv(new Cbc(key), text),
  "cbc with stealing": ([key], text) => {
    withIv(new Cbc(key, { padding: "cs3" }), text);
    const padded = new Uint8Array(16 * Math.ceil(text.length / 16)); // the same blocks, none of them cut
    padded.set(text);
    return { sent: new Cbc(key, { padding: "none" }).encrypt(iv, padded) };
  },
  cfb: ([key], text) => withIv(new Cfb(key), text),
  ctr: ([key], text) => withIv(new Ctr(key), text),
  ofb: ([key], text) => withIv(new Ofb(key), text),
  ocb: ([key], text) => bothWays(new Ocb(key), text),
  eax: ([key], text) => bothWays(new Eax(key), text),
  gcm: ([key], text) => bothWays(new Gcm(key), text),
  ccm: ([key], text) => bothWays(new Ccm(key), text),
  siv: (keys, text) => {
    const siv = new Siv(...keys);
    siv.decrypt(nonce, siv.encrypt(nonce, text, aad), aad);
    return { close: () => siv.close() };
  },
  xts: (keys, text) => {
    const xts = new Xts(...keys);
    xts.decrypt(7, xts.encrypt(7, text));
    return { close: () => xts.close() };
  },
  cmac: ([key], text) => {
    const cmac = new Cmac(key);
    assert.equal(cmac.verify(text, cmac.compute(text)), true);
    return {};
  },
  "calls that fail": ([key], text) => {
    const gcm = new Gcm(key);
    const cmac = new Cmac(key);
    const noBytes = "text" as unknown as Uint8Array;
    assert.throws(() => gcm.encrypt(nonce, noBytes), { code: "argument" });
    assert.throws(() => cmac.compute(noBytes), { code: "argument" });
    assert.throws(() => cmac.verify(text, noBytes), { code: "argument" });
    const messages = [gcm.encryptor(nonce), cmac.begin()];
    for (const message of messages) message.update(text);
    key.close();
    for (const message of messages) assert.throws(() => message.finish(), { code: "closed" });
    return { close: () => gcm.close() };
  },
  "a message that is left": ([key], text) => {
    const ocb = new Ocb(key);
    const message = ocb.encryptor(nonce, aad);
    message.update(text);
    message.close();
    return { close: () => ocb.close() };
  },
};

/** The memory after this work with secrets made of a seed, and before the keys were closed. */
function memories(variant: Variant, work: Work, seed: number, n_bytes: number) {
  const keys: [Twofish, Twofish] = [variant.key(noise(32, seed)), variant.key(noise(32, seed + 1))];
  const { view } = library(variant.name.startsWith("simd") ? "simd" : "scalar");
  const done = work(keys, noise(n_bytes, seed + 2));
  const before = view.slice();
  done.close?.();
  for (const key of keys) {
    key.close();
  }
  return { before, after: without(view.slice(), done.sent ?? new Uint8Array(0)) };
}

/** Of the next secrets, which are like none before: else old ciphertext would be taken for new. */
let seed = 1000;

describe("what stays in the memory does not depend on secrets", () => {
  for (const variant of variants) {
    for (const [name, work] of Object.entries(works)) {
      test(`${variant.name}: ${name}`, () => {
        for (const n_bytes of [37, 300, 3000]) {
          seed += 30;
          memories(variant, work, seed, n_bytes); // the first run may take more memory
          const first = memories(variant, work, seed + 10, n_bytes);
          const second = memories(variant, work, seed + 20, n_bytes);
          assert.notDeepEqual(first.before, second.before); // the expanded keys
          const at = first.after.findIndex((byte, i) => byte !== second.after[i]);
          assert.equal(at, -1, `${n_bytes} bytes: byte ${at} of the memory`);
        }
      });
    }
  }

  test("a key that is refused", () => {
    const memory = library("simd").view;
    const [variant] = variants as [Variant];
    const refused = (seed: number) => {
      assert.throws(() => variant.key(noise(31, seed)), { code: "key-length" });
      return memory.slice();
    };
    assert.deepEqual(refused(1), refused(2));
  });
});
