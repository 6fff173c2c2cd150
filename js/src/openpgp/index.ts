// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// OpenPGP messages by RFC 9580 under a passphrase, as `manyfish encrypt` writes them: Argon2id, and the
// data in chunks under Twofish-256 in OCB. docs/file-format.md in the repository shows the octets.
//
// From the outside in: `encryption` and `decryption` (a whole message), `input` and `reader` (streams),
// `armor`, `packet` and `body` (framing), `skesk` and `s2k` (the passphrase), `seipd`, `aead`,
// `chunks` and `mdc` (the encrypted data), `literal` and `compressed` (what it holds).

export type { AeadData } from "./aead.js";
export { type DecryptOptions, decrypt } from "./decryption.js";
export { type EncryptOptions, encrypt } from "./encryption.js";
export { type ErrorCode, OpenPgpError } from "./error.js";
export type { Argon2Cost } from "./hash.js";
export type { BlobLike, Input, OnProgress } from "./input.js";
export { type Content, inspect, type PacketReport, type Report } from "./inspect.js";
export type { Limits } from "./limits.js";
export type { Opened } from "./literal.js";
export type { Length } from "./packet.js";
export type { S2k } from "./s2k.js";
export type { SeipdV2 } from "./seipd.js";
export type { Skesk, SkeskOther, SkeskV4, SkeskWithTag } from "./skesk.js";
