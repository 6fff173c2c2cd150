// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Written messages open again: all sizes around the borders, framings, inputs; and its length is the one
// that docs/file-format.md states.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decrypt, encrypt, inspect } from "manyfish/openpgp";
import { dearmor } from "../../dist/openpgp/armor.js";
import { pieces, Reader } from "../../dist/openpgp/reader.js";
import {
  collect,
  collectToError,
  inPieces,
  isError,
  PASSPHRASE,
  pattern,
  QUICK,
  startsWith,
} from "./support.js";

/** Octets that a length takes in a packet header. */
const lengthBytes = (length: number) => (length < 192 ? 1 : length < 8384 ? 2 : 5);

/** docs/file-format.md, "Size". */
function messageBytes(file: number, chunk: number): number {
  const literal = 1 + lengthBytes(file + 6) + 6 + file;
  const body = 36 + literal + 16 * (Math.ceil(literal / chunk) + 1);
  return 90 + 1 + lengthBytes(body) + body;
}

const CASES: [chunk: number, sizes: number[]][] = [
  [64, [0, 1, 55, 56, 57, 120, 184, 185, 186, 1000, 8377, 8378]],
  [4096, [4088, 4089, 8000, 65_536, 65_537, 300_000]],
  [1 << 20, [191, 65_530, (1 << 20) - 12, (1 << 20) - 11, 3 << 20]],
];

for (const [chunkBytes, sizes] of CASES) {
  for (const size of sizes) {
    test(`${size} octets in chunks of ${chunkBytes}`, async () => {
      const file = pattern(size);
      const options = { chunkBytes, argon2: QUICK };
      const known = await collect(encrypt(PASSPHRASE, file, options));
      assert.equal(known.length, messageBytes(size, chunkBytes));
      const stated = encrypt(PASSPHRASE, inPieces(file, 70_000), { ...options, length: size });
      assert.equal((await collect(stated)).length, known.length);
      const unknown = await collect(encrypt(PASSPHRASE, inPieces(file, 70_000), options));
      const armored = await collect(encrypt(PASSPHRASE, file, { ...options, armor: true }));
      for (const message of [known, unknown, armored]) {
        assert.deepEqual(await collect(decrypt(PASSPHRASE, message)), file);
      }
    });
  }
}

test("pieces of any size come to the same", async () => {
  const file = pattern(5000);
  for (const size of [1, 7, 64, 4999]) {
    const written = encrypt(PASSPHRASE, inPieces(file, size), {
      chunkBytes: 64,
      argon2: QUICK,
      armor: size === 7,
    });
    const message = await collect(written);
    assert.deepEqual(await collect(decrypt(PASSPHRASE, inPieces(message, size))), file);
  }
});

test("every kind of input is taken, and left as it was", async () => {
  const file = pattern(100_000);
  const inputs = () => [
    file,
    Buffer.from(file),
    new Blob([file]),
    new Blob([file]).stream(),
    inPieces(file, 999),
  ];
  for (const input of inputs()) {
    const message = await collect(encrypt(PASSPHRASE, input, { argon2: QUICK }));
    assert.deepEqual(await collect(decrypt(Buffer.from(PASSPHRASE), new Blob([message]))), file);
  }
  assert.deepEqual(file, pattern(100_000));
  const phrase = Buffer.from(PASSPHRASE);
  await collect(encrypt(phrase, file, { argon2: QUICK }));
  assert.equal(phrase.toString(), PASSPHRASE, "the caller's passphrase is the caller's to wipe");
});

test("two messages share nothing", async () => {
  const write = () => collect(encrypt(PASSPHRASE, new Uint8Array(64), { argon2: QUICK }));
  const [a, b] = [await write(), await write()];
  const same = a.filter((octet, i) => octet === b[i]).length;
  assert.ok(same < a.length / 3, `${same} octets are the same`);
});

test("the passphrase is UTF-8", async () => {
  const message = await collect(encrypt("Käse 🧀", pattern(9), { argon2: QUICK }));
  assert.deepEqual(
    await collect(decrypt(new TextEncoder().encode("Käse 🧀"), message)),
    pattern(9),
  );
  await assert.rejects(
    collect(decrypt("Kase 🧀", message)),
    isError("WrongPassphrase", "wrong passphrase"),
  );
});

test("the packets are those of the format", async () => {
  const message = await collect(encrypt(PASSPHRASE, pattern(200), { chunkBytes: 64 }));
  const { armored, packets, bytes } = await inspect(message);
  assert.deepEqual(
    [armored, bytes, packets.map(({ packet }) => packet)],
    [false, message.length, [3, 18]],
  );
  const [skesk, seipd] = packets.map(({ content }) => content);
  assert.ok(
    skesk?.kind === "skesk" && skesk.skesk.version === 6 && skesk.skesk.s2k.kind === "argon2",
  );
  const { passes, lanes, memoryExponent } = skesk.skesk.s2k;
  assert.deepEqual([passes, lanes, memoryExponent], [3, 4, 16]);
  assert.ok(seipd?.kind === "seipd-v2" && seipd.header.chunkOctet === 0);
  assert.deepEqual(packets[1]?.plaintext, { chunks: 4, bytes: 209 });
});

/** 150 octets in three chunks. */
const small = () => collect(encrypt(PASSPHRASE, pattern(150), { chunkBytes: 64, argon2: QUICK }));

test("no octet of a message can change", async () => {
  const message = await small();
  for (let at = 0; at < message.length; at += 1) {
    for (const bit of [1, 0x80]) {
      const altered = message.slice();
      altered[at] = (altered[at] as number) ^ bit;
      const { output, failure } = await collectToError(decrypt(PASSPHRASE, altered));
      assert.ok(failure instanceof Error, `octet ${at}`);
      assert.ok(startsWith(pattern(150), output), `octet ${at}`);
    }
  }
});

test("no end of a message can be missing, and nothing can be appended", async () => {
  const message = await small();
  for (let end = 0; end < message.length; end += 1) {
    const { output, failure } = await collectToError(decrypt(PASSPHRASE, message.subarray(0, end)));
    isError(end === 0 ? "Empty" : "Truncated")(failure);
    assert.ok(startsWith(pattern(150), output), `cut at ${end}`);
  }
  for (const extra of [[0], [0xd2], [...Buffer.from("more")], [...message]]) {
    const { output, failure } = await collectToError(
      decrypt(PASSPHRASE, Uint8Array.of(...message, ...extra)),
    );
    isError("TrailingData", "there is other data after the end of the message")(failure);
    assert.deepEqual(output, pattern(150));
  }
  const padded = Uint8Array.of(...message, 0xd5, 1, 0);
  assert.deepEqual(await collect(decrypt(PASSPHRASE, padded)), pattern(150));
});

test("an armored message can be cut nowhere", async () => {
  const message = await collect(encrypt(PASSPHRASE, pattern(90), { argon2: QUICK, armor: true }));
  const text = Buffer.from(message).toString("latin1").trimEnd();
  for (let end = 1; end < text.length; end += 1) {
    const { failure } = await collectToError(decrypt(PASSPHRASE, Buffer.from(text.slice(0, end))));
    isError("Truncated")(failure);
  }
});

test("armor has one valid form of each group", async () => {
  const line = "AAAA";
  const armored = (last: string) =>
    Buffer.from(`-----BEGIN PGP MESSAGE-----\n\n${line}\n${last}\n-----END PGP MESSAGE-----\n`);
  const refused = isError("Armor", "line 4 of the armor is not valid: it is not base64");
  for (const last of ["AB==", "AAB=", "A===", "A=AA", "A*AA"]) {
    await assert.rejects(dearmored(armored(last)), refused, last);
  }
  for (const last of ["AA==", "AAA=", "AAAA"]) await dearmored(armored(last));
});

test("what is named of other texts cannot steer a terminal", async () => {
  const kind = Buffer.from("-----BEGIN PGP \x1b]0;X\x07\u202e-----\n");
  await assert.rejects(
    dearmored(kind),
    isError(
      "OtherArmor",
      'this is armored text of type "PGP \\u{1b}]0;X\\u{7}\\u{202e}", expected "PGP MESSAGE"',
    ),
  );
});

test("armor may have lines of any shape", async () => {
  const octets = pattern(60_000);
  const text = Buffer.from(octets).toString("base64");
  for (const length of [4, 61, 64, 76]) {
    const lines = text.match(new RegExp(`.{1,${length}}`, "g")) ?? [];
    for (const end of ["\n", "\r\n", " \n", "\n\n"]) {
      const armored = (last: string) =>
        Buffer.from(
          ["-----BEGIN PGP MESSAGE-----\n", ...lines, `${last}-----END PGP MESSAGE-----`].join(end),
        );
      assert.deepEqual(await dearmored(armored("")), octets, `${length} ${JSON.stringify(end)}`);
      const bad = end === "\n\n" ? 2 * lines.length + 4 : lines.length + 3;
      const refused = isError("Armor", `line ${bad} of the armor is not valid: it is not base64`);
      await assert.rejects(dearmored(armored(`A*AA${end}`)), refused);
    }
  }
});

const dearmored = async (text: Uint8Array) =>
  collect((await dearmor(new Reader(pieces(text)))).octets);
