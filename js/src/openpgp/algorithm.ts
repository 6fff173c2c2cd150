// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The numbers of OpenPGP and their names: packet types, ciphers, AEAD modes, hashes [RFC9580, 5, 9].
// A number that the standard does not know stays a valid value: it can be named in an error.

/** Packet types [RFC9580, 5]; 20 is from an older draft and from LibrePGP. */
export const Packet = {
  PKESK: 1,
  SIGNATURE: 2,
  SKESK: 3,
  ONE_PASS_SIGNATURE: 4,
  COMPRESSED: 8,
  SED: 9,
  MARKER: 10,
  LITERAL: 11,
  SEIPD: 18,
  AEAD: 20,
  PADDING: 21,
} as const;

/** Twofish with keys of 256 bits, the one cipher here [RFC9580, 9.3]. */
export const TWOFISH_256 = 10;

/** Modes of authenticated encryption [RFC9580, 9.6]. */
export const Mode = { EAX: 1, OCB: 2, GCM: 3 } as const;

/** Hashes [RFC9580, 9.5]; here only passphrases pass through them. */
export const Hash = {
  SHA1: 2,
  RIPEMD160: 3,
  SHA256: 8,
  SHA384: 9,
  SHA512: 10,
  SHA224: 11,
} as const;

type Names = Readonly<Record<number, string>>;

const PACKETS: Names = {
  1: "public-key encrypted session key",
  2: "signature",
  3: "symmetric-key encrypted session key",
  4: "one-pass signature",
  5: "secret key",
  6: "public key",
  7: "secret subkey",
  8: "compressed data",
  9: "symmetrically encrypted data, without integrity protection",
  10: "marker",
  11: "literal data",
  12: "trust",
  13: "user id",
  14: "public subkey",
  17: "user attribute",
  18: "symmetrically encrypted and integrity protected data",
  19: "modification detection code",
  20: "AEAD encrypted data of LibrePGP",
  21: "padding",
};

const CIPHERS: Names = {
  0: "plaintext",
  1: "IDEA",
  2: "3DES",
  3: "CAST5",
  4: "Blowfish",
  7: "AES-128",
  8: "AES-192",
  9: "AES-256",
  10: "Twofish-256",
  11: "Camellia-128",
  12: "Camellia-192",
  13: "Camellia-256",
};

const MODES: Names = { 1: "EAX", 2: "OCB", 3: "GCM" };

const HASHES: Names = {
  1: "MD5",
  2: "SHA-1",
  3: "RIPEMD-160",
  8: "SHA-256",
  9: "SHA-384",
  10: "SHA-512",
  11: "SHA-224",
  12: "SHA3-256",
  14: "SHA3-512",
};

/** Octets of a full nonce [RFC9580, 9.6]. */
const NONCE_BYTES: Readonly<Record<number, number>> = { 1: 16, 2: 15, 3: 12 };

/** Names a number such as "OCB (2)". */
type Name = (number: number) => string;

const naming =
  (names: Names): Name =>
  (number) =>
    `${names[number] ?? "unknown"} (${number})`;

export const packetName = naming(PACKETS);
export const cipherName = naming(CIPHERS);
export const modeName = naming(MODES);
export const hashName = naming(HASHES);

/** Whether the standard has a name for it. */
export const isNamedCipher = (number: number): boolean => number in CIPHERS;
export const isNamedHash = (number: number): boolean => number in HASHES;

/** Unknown packets of types 40 to 63 may be ignored, the lower ones may not [RFC9580, 4.3]. */
export const isCritical = (packet: number): boolean => packet < 40;

/** Octets of a full nonce of a mode; undefined where the mode has no name. */
export const nonceBytes = (mode: number): number | undefined => NONCE_BYTES[mode];
