// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Messages in chunks give what one call gives, wherever they are cut; and all kernels of both builds give the same.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Bytes,
  Cbc,
  Cfb,
  Cmac,
  Ctr,
  Eax,
  Ecb,
  Gcm,
  type MessageStream,
  Ocb,
  Ofb,
  type Padding,
  Twofish,
  toTransform,
} from "manyfish";
import { hex, noise, variants } from "./vectors.js";

interface Streaming {
  encrypt(text: Uint8Array): Bytes;
  encryptor(): MessageStream;
  decryptor(): MessageStream;
  /** Lengths that the mode takes are multiples of this. */
  unit: number;
  shortest: number;
}

const iv = noise(16, 1);
const nonce = noise(12, 2);
const aad = noise(5000, 3);

function ivMode(mode: Cbc | Cfb | Ctr | Ofb, unit = 1, shortest = 0): Streaming {
  return {
    encrypt: (text) => mode.encrypt(iv, text),
    encryptor: () => mode.encryptor(iv),
    decryptor: () => mode.decryptor(iv),
    unit,
    shortest,
  };
}

function aead(mode: Ocb | Eax | Gcm): Streaming {
  return {
    encrypt: (text) => mode.encrypt(nonce, text, aad),
    encryptor: () => mode.encryptor(nonce, aad),
    decryptor: () => mode.decryptor(nonce, aad),
    unit: 1,
    shortest: 0,
  };
}

function modesOf(key: Twofish): Record<string, Streaming> {
  const ecb = new Ecb(key);
  const stolen = (padding: Padding) => ivMode(new Cbc(key, { padding }), 1, 16);
  return {
    ecb: {
      encrypt: (text) => ecb.encrypt(text),
      encryptor: () => ecb.encryptor(),
      decryptor: () => ecb.decryptor(),
      unit: 16,
      shortest: 0,
    },
    "cbc pkcs7": ivMode(new Cbc(key)),
    "cbc none": ivMode(new Cbc(key, { padding: "none" }), 16),
    "cbc cs1": stolen("cs1"),
    "cbc cs2": stolen("cs2"),
    "cbc cs3": stolen("cs3"),
    cfb: ivMode(new Cfb(key)),
    cfb8: ivMode(new Cfb(key, { segmentBits: 8 })),
    ctr: ivMode(new Ctr(key)),
    ofb: ivMode(new Ofb(key)),
    ocb: aead(new Ocb(key)),
    eax: aead(new Eax(key)),
    "eax, short tag": aead(new Eax(key, { tagBytes: 5 })),
    gcm: aead(new Gcm(key)),
  };
}

/** The output of a stream for chunks of these sizes, over and over. */
function inChunks(stream: MessageStream, text: Uint8Array, sizes: readonly number[]): Bytes {
  const out: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] as number;
    out.push(stream.update(text.subarray(at, at + size)));
    at += size;
  }
  out.push(stream.finish());
  return Uint8Array.from(Buffer.concat(out));
}

const lengths = [0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 80, 255, 256, 257];

function checkMode(mode: Streaming, sizes: readonly number[]): void {
  for (const length of lengths) {
    if (length % mode.unit !== 0 || length < mode.shortest) {
      continue;
    }
    const text = noise(length, length);
    const message = mode.encrypt(text);
    assert.equal(hex(inChunks(mode.encryptor(), text, sizes)), hex(message), `${length} bytes`);
    assert.equal(hex(inChunks(mode.decryptor(), message, sizes)), hex(text), `${length} bytes`);
  }
}

describe("messages in chunks", () => {
  const key = new Twofish(noise(32, 4));
  for (const [name, mode] of Object.entries(modesOf(key))) {
    test(`${name}: each byte by itself`, () => checkMode(mode, [1]));
    test(`${name}: chunks of many sizes`, () => {
      for (let size = 2; size < 70; size += 3) {
        checkMode(mode, [size, 0, 70 - size]);
      }
    });
    test(`${name}: cut everywhere`, () => {
      const text = noise(96, 5);
      const message = mode.encrypt(text);
      for (let cut = 0; cut <= text.length; cut++) {
        assert.equal(hex(inChunks(mode.encryptor(), text, [cut, 96])), hex(message), `at ${cut}`);
        assert.equal(hex(inChunks(mode.decryptor(), message, [cut, 999])), hex(text), `at ${cut}`);
      }
    });
    test(`${name}: more than fits into the memory at once`, () => {
      const text = noise(3 * 65536 + 48, 6);
      const message = mode.encrypt(text);
      assert.equal(hex(inChunks(mode.encryptor(), text, [65537, 100_000])), hex(message));
      assert.equal(hex(inChunks(mode.decryptor(), message, [70_001])), hex(text));
    });
  }

  test("two messages in turn do not disturb each other", () => {
    const ocb = new Ocb(key);
    const text = noise(64, 7);
    const [a, b] = [ocb.encryptor(nonce), ocb.encryptor(iv.subarray(1))];
    const parts: [Bytes[], Bytes[]] = [[], []];
    for (let at = 0; at < 64; at += 16) {
      parts[0].push(a.update(text.subarray(at, at + 16)));
      parts[1].push(b.update(text.subarray(at, at + 16)));
    }
    parts[0].push(a.finish());
    parts[1].push(b.finish());
    assert.equal(hex(Buffer.concat(parts[0])), hex(ocb.encrypt(nonce, text)));
    assert.equal(hex(Buffer.concat(parts[1])), hex(ocb.encrypt(iv.subarray(1), text)));
  });

  test("a stream of the web", async () => {
    const ocb = new Ocb(key);
    const text = noise(100_000, 8);
    const through = async (message: Uint8Array, stream: MessageStream) => {
      const source = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < message.length; at += 999) {
            controller.enqueue(message.subarray(at, at + 999));
          }
          controller.close();
        },
      });
      const out: Uint8Array[] = [];
      for await (const chunk of source.pipeThrough(toTransform(stream))) {
        out.push(chunk);
      }
      return Buffer.concat(out);
    };
    const message = await through(text, ocb.encryptor(nonce));
    assert.equal(hex(message), hex(ocb.encrypt(nonce, text)));
    assert.equal(hex(await through(message, ocb.decryptor(nonce))), hex(text));
    message[0] = (message[0] as number) ^ 1;
    await assert.rejects(through(message, ocb.decryptor(nonce)), { code: "tag" });
  });

  test("cmac", () => {
    const cmac = new Cmac(key);
    const text = noise(70_000, 9);
    const work = cmac.begin();
    for (let at = 0; at < text.length; at += 777) {
      work.update(text.subarray(at, at + 777));
    }
    assert.equal(hex(work.finish()), hex(cmac.compute(text)));
  });
});

describe("all kernels of both builds give the same", () => {
  for (const keyBytes of [16, 24, 32]) {
    test(`${8 * keyBytes} bits, calls of 1 to 140 blocks`, () => {
      const bytes = noise(keyBytes, keyBytes);
      const keys = variants.map((variant) => ({ name: variant.name, key: variant.key(bytes) }));
      for (let n = 0; n <= 140; n++) {
        const text = noise(16 * n, n);
        const [first, ...others] = keys.map(({ name, key }) => {
          const out = key.encryptBlocks(text);
          assert.equal(hex(key.decryptBlocks(out)), hex(text), name);
          return { name, out };
        });
        for (const other of others) {
          assert.equal(hex(other.out), hex(first?.out as Bytes), `${other.name}, ${n} blocks`);
        }
      }
    });
  }

  for (const mode of Object.keys(modesOf(new Twofish(noise(16, 0))))) {
    test(mode, () => {
      for (let round = 0; round < 20; round++) {
        const length = 16 * Math.ceil((round * 37) / 3) + 16;
        const results = variants.map((variant) => {
          const streaming = modesOf(variant.key(noise(16 + 8 * (round % 3), round)))[mode];
          return hex((streaming as Streaming).encrypt(noise(length, round)));
        });
        assert.deepEqual(new Set(results).size, 1, `${length} bytes`);
      }
    });
  }
});
