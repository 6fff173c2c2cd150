// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Answers requests with OpenPGP.js: a line in, a line out, as interop/peer.py describes. The argument is
// the folder that holds node_modules.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = process.argv[2];
const openpgp = createRequire(join(folder, 'here.js'))('openpgp');
const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/openpgp/package.json')));

async function read(phrase, message) {
    const armored = message.toString('latin1').startsWith('-----BEGIN');
    const parsed = await openpgp.readMessage(
        armored ? { armoredMessage: message.toString() } : { binaryMessage: message });
    const { data } = await openpgp.decrypt(
        { message: parsed, passwords: [phrase.toString()], format: 'binary' });
    return Buffer.from(data);
}

// OpenPGP.js has Twofish for reading old messages, and does not offer it for writing.
async function write(phrase, text) {
    const config = { preferredSymmetricAlgorithm: openpgp.enums.symmetric.twofish };
    const message = await openpgp.createMessage({ binary: text });
    return Buffer.from(await openpgp.encrypt(
        { message, passwords: [phrase.toString()], format: 'binary', config }));
}

async function answer([request, ...words]) {
    const given = words.map((word) => Buffer.from(word, 'hex'));
    try {
        const requests = { version: () => Buffer.from(version), read, write };
        return `ok ${(await requests[request](...given)).toString('hex')}`;
    } catch (error) {
        return `refused ${error.message.replaceAll('\n', ' ')}`;
    }
}

for await (const line of createInterface({ input: process.stdin })) {
    console.log(await answer(line.split(' ')));
}
