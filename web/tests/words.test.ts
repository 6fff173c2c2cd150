// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The texts of the view of files, and its treatment of names and beginnings of files.

import assert from "node:assert/strict";
import { it } from "node:test";
import { looksEncrypted, resultName } from "../src/files/names";
import { bytesInWords, detailsOf, headingOf, timeInWords } from "../src/files/text";

it("sizes have three digits", () => {
  const sizes = [0, 1, 999, 1000, 9994, 9996, 99_949, 99_960, 999_499, 999_500, 5e9, 3e15];
  assert.deepEqual(sizes.map(bytesInWords), [
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1.00 kB",
    "9.99 kB",
    "10.0 kB",
    "99.9 kB",
    "100 kB",
    "999 kB",
    "1.00 MB",
    "5.00 GB",
    "3000 TB",
  ]);
});

it("times are rounded", () => {
  const words = [0.2, 1.4, 40, 89.9, 91, 180].map(timeInWords);
  const wanted = ["1 second", "1 second", "40 seconds", "90 seconds", "2 minutes", "3 minutes"];
  assert.deepEqual(words, wanted);
});

it("results are named after their files", () => {
  assert.equal(resultName("encrypt", "a.tar", false), "a.tar.pgp");
  assert.equal(resultName("encrypt", "a.tar", true), "a.tar.asc");
  assert.equal(resultName("decrypt", "a.tar.pgp", false), "a.tar");
  assert.equal(resultName("decrypt", "a.GPG", true), "a");
  assert.equal(resultName("decrypt", ".pgp", false), ".pgp.decrypted");
  assert.equal(resultName("decrypt", "message", false), "message.decrypted");
});

it("a message is known by its first bytes", async () => {
  const starts: [boolean, ...(string | Uint8Array)[]][] = [
    [true, "-----BEGIN PGP MESSAGE-----\n\n", Uint8Array.of(0xc3), Uint8Array.of(0x8c, 13)],
    [true, Uint8Array.of(0xc1), Uint8Array.of(0x85), Uint8Array.of(0xca, 3), Uint8Array.of(0xd2)],
    [false, "", "text", "-----BEGIN PGP PUBLIC KEY BLOCK-----", Uint8Array.of(0xff, 0xd8, 0xff)],
    // Letters whose first bytes in UTF-8 are those of types 3, 10 and 18; a key of RSA-1024.
    [false, "Über", "Élan", "ÿ", "ʻokina", "Қазақша", "Ґрати"],
    [true, Uint8Array.of(0xc1, 0x8c, 3), Uint8Array.of(0xc3, 13, 4), Uint8Array.of(0xd2, 0xc0)],
    [false, Uint8Array.of(0x99), Uint8Array.of(0x43), "PK\x03\x04", "%PDF-1.7"],
  ];
  for (const [wanted, ...each] of starts) {
    for (const start of each) {
      assert.equal(await looksEncrypted(new Blob([start as BlobPart])), wanted, String(start));
    }
  }
});

it("failures have a heading, a cause and a way out", () => {
  const unknown = { code: "other", message: "out of luck" };
  assert.equal(headingOf(unknown, "encrypt"), "The file could not be encrypted.");
  assert.equal(headingOf(unknown, "decrypt"), "The file could not be opened.");
  assert.equal(detailsOf(unknown), "Out of luck.");
  const known = { code: "truncated", message: "it ends", hint: "get it again!" };
  assert.equal(headingOf(known, "decrypt"), "The end of the file is missing.");
  assert.equal(detailsOf(known), "It ends. Get it again!");
});
