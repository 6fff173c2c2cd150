// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A program of a user, compiled and run with the package as npm installs it.

import { implementation, kernels, type MessageStream, Ocb, Twofish, toTransform } from "manyfish";
import { decrypt, encrypt } from "manyfish/openpgp";

const key = new Twofish(Uint8Array.from({ length: 32 }, (_, i) => i));
const ocb = new Ocb(key);
const nonce = new Uint8Array(12);
const text = new TextEncoder().encode("Hello, fish");

const sealed: Uint8Array = ocb.encrypt(nonce, text, new Uint8Array(3));
const blob = new Blob([ocb.decrypt(nonce, sealed, new Uint8Array(3))]);
const stream: MessageStream = ocb.encryptor(nonce);
const transform: TransformStream = toTransform(stream);
await transform.writable.abort();
stream.close();

const message = await new Response(
  encrypt("phrase", text, { argon2: { memoryKib: 8, passes: 1, lanes: 1 } }),
).arrayBuffer();
const back = await new Response(decrypt("phrase", new Uint8Array(message))).text();
if ((await blob.text()) !== "Hello, fish" || back !== "Hello, fish") {
  throw new Error(`got ${await blob.text()} and ${back}`);
}
key.close();
console.log(`${implementation}, ${kernels()[0]?.name}: Hello, fish`);
