// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// All vectors of all modes, through all kernels of both builds.

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
  ManyfishError,
  Ocb,
  Ofb,
  type Padding,
  Siv,
  Twofish,
  Xts,
} from "manyfish";
import { type Case, hex, read, type Variant, variants } from "./vectors.js";

/** A mode under the key of a case. */
interface Cipher {
  encrypt(text: Uint8Array): Uint8Array;
  decrypt(text: Uint8Array): Uint8Array;
}

type Maker = (found: Case, key: (field: string) => Twofish) => Cipher;

/** A mode without authentication, whose vectors have PT and CT. */
const plain: Record<string, Maker> = {
  ecb_tbl: (_, key) => new Ecb(key("KEY")),
  ecb_vk: (_, key) => new Ecb(key("KEY")),
  ecb_vt: (_, key) => new Ecb(key("KEY")),
  ecb_ival: (_, key) => new Ecb(key("KEY")),
  cbc: (found, key) =>
    withIv(found, new Cbc(key("KEY"), { padding: found.text("PADDING") as Padding })),
  cbc_cts: (found, key) =>
    withIv(found, new Cbc(key("KEY"), { padding: found.text("VARIANT") as Padding })),
  cfb: (found, key) =>
    withIv(
      found,
      new Cfb(key("KEY"), { segmentBits: found.number("SEGMENT_BITS") as 1 | 8 | 128 }),
    ),
  ctr: (found, key) =>
    withIv(found, new Ctr(key("KEY"), { counterBits: found.number("COUNTER_BITS") as 32 | 128 })),
  ofb: (found, key) => withIv(found, new Ofb(key("KEY"))),
  xts: (found, key) => sectors(found, new Xts(key("KEY"), key("KEY_2"))),
};

function withIv(found: Case, mode: Cbc | Cfb | Ctr | Ofb): Cipher {
  const iv = found.bytes("IV");
  return {
    encrypt: (text) => mode.encrypt(iv, text),
    decrypt: (text) => mode.decrypt(iv, text),
  };
}

/** One or more sectors, whose tweaks count up from the given one. */
function sectors(found: Case, xts: Xts): Cipher {
  const n_bytes = found.number("SECTOR_BYTES");
  const each = (text: Uint8Array, crypt: (tweak: Uint8Array, sector: Uint8Array) => Uint8Array) => {
    const tweak = found.bytes("TWEAK");
    const out: Uint8Array[] = [];
    for (let at = 0; at < text.length; at += n_bytes) {
      out.push(crypt(tweak, text.subarray(at, at + n_bytes)));
      countUp(tweak);
    }
    return Buffer.concat(out);
  };
  return {
    encrypt: (text) => each(text, (tweak, sector) => xts.encrypt(tweak, sector)),
    decrypt: (text) => each(text, (tweak, sector) => xts.decrypt(tweak, sector)),
  };
}

/** Adds 1 to a little-endian number. */
function countUp(number: Uint8Array): void {
  const view = new DataView(number.buffer, number.byteOffset);
  const low = view.getBigUint64(0, true) + 1n;
  view.setBigUint64(0, low, true);
  view.setBigUint64(8, view.getBigUint64(8, true) + (low >> 64n), true);
}

/** An authenticated mode; the message is the ciphertext with its tag where the mode has it. */
const sealed: Record<string, Maker> = {
  ocb: (found, key) => withNonce(found, "NONCE", new Ocb(key("KEY"))),
  eax: (found, key) => withNonce(found, "NONCE", new Eax(key("KEY"), tagOf(found))),
  gcm: (found, key) => withNonce(found, "IV", new Gcm(key("KEY"), tagOf(found))),
  ccm: (found, key) => withNonce(found, "NONCE", new Ccm(key("KEY"), tagOf(found))),
  siv: (found, key) => {
    const siv = new Siv(key("KEY"), key("KEY_2"));
    const nothing = new Uint8Array(0);
    const aad = Array.from({ length: found.number("N_AAD") }, (_, i) =>
      found.bytes(`AAD_${i + 1}`),
    );
    return {
      encrypt: (text) => siv.encrypt(nothing, text, aad),
      decrypt: (text) => siv.decrypt(nothing, text, aad),
    };
  },
};

const tagOf = (found: Case) => ({ tagBytes: found.bytes("TAG").length });

function withNonce(found: Case, field: string, mode: Ocb | Eax | Gcm | Ccm): Cipher {
  const [nonce, aad] = [found.bytes(field), found.bytes("AAD")];
  return {
    encrypt: (text) => mode.encrypt(nonce, text, aad),
    decrypt: (text) => mode.decrypt(nonce, text, aad),
  };
}

/** Runs `body` for each case of a file with keys of this variant, which are closed then. */
function forCases(
  name: string,
  variant: Variant,
  body: (found: Case, key: (field: string) => Twofish) => void,
): void {
  for (const found of read(`twofish_${name}`)) {
    const keys: Twofish[] = [];
    body(found, (field) => {
      const key = variant.key(found.bytes(field));
      keys.push(key);
      return key;
    });
    for (const key of keys) {
      key.close();
    }
  }
}

function checkPlain(name: string, variant: Variant, make: Maker): void {
  forCases(name, variant, (found, key) => {
    const mode = make(found, key);
    assert.equal(hex(mode.encrypt(found.bytes("PT"))), found.text("CT"));
    assert.equal(hex(mode.decrypt(found.bytes("CT"))), found.text("PT"));
  });
}

function checkSealed(name: string, variant: Variant, make: Maker): void {
  forCases(name, variant, (found, key) => {
    const mode = make(found, key);
    const [text, tag] = [found.text("CT"), found.text("TAG")];
    const message = name === "siv" ? tag + text : text + tag;
    assert.equal(hex(mode.encrypt(found.bytes("PT"))), message);
    const given = Uint8Array.from(Buffer.from(message, "hex"));
    assert.equal(hex(mode.decrypt(given)), found.text("PT"));
    const at = found.number("COUNT") % given.length;
    given[at] = (given[at] as number) ^ 0x10;
    assert.throws(
      () => mode.decrypt(given),
      (error) => error instanceof ManyfishError && error.code === "tag",
    );
  });
}

/** 10,000 blocks in a chain: the first outer step of each official set. */
function checkMonteCarlo(variant: Variant): void {
  for (const found of read("twofish_mct")) {
    if (found.number("OUTER") === 0 && found.text("SET").startsWith("ecb")) {
      const key = variant.key(found.bytes("KEY"));
      const encrypts = found.text("SET") === "ecb_e";
      let block = found.bytes(encrypts ? "PT" : "CT");
      for (let i = 0; i < 10_000; i++) {
        block = encrypts ? key.encryptBlocks(block) : key.decryptBlocks(block);
      }
      assert.equal(hex(block), found.text(encrypts ? "CT" : "PT"));
      key.close();
    }
  }
}

for (const variant of variants) {
  describe(variant.name, () => {
    for (const [name, make] of Object.entries(plain)) {
      test(name, () => checkPlain(name, variant, make));
    }
    for (const [name, make] of Object.entries(sealed)) {
      test(name, () => checkSealed(name, variant, make));
    }
    test("cmac", () =>
      forCases("cmac", variant, (found, key) => {
        const tag = found.bytes("TAG");
        const cmac = new Cmac(key("KEY"), { tagBytes: tag.length });
        assert.equal(hex(cmac.compute(found.bytes("MSG"))), hex(tag));
        assert.equal(cmac.verify(found.bytes("MSG"), tag), true);
        tag[0] = (tag[0] as number) ^ 1;
        assert.equal(cmac.verify(found.bytes("MSG"), tag), false);
      }));
    test("short keys", () => {
      for (const found of read("twofish_ecb_short_keys")) {
        const key = variant.key(Twofish.padKey(found.bytes("KEY")));
        assert.equal(hex(key.encryptBlocks(found.bytes("PT"))), found.text("CT"));
        key.close();
      }
    });
    test("Monte Carlo", () => checkMonteCarlo(variant));
  });
}
