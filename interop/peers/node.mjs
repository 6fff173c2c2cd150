// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Answers requests with Node's crypto module: a line in, a line out, as interop/peer.py describes. The
// requests are "version" and "encrypt-MODE" or "decrypt-MODE" with a key, an initial block, associated data and
// a text.

import { createCipheriv, createDecipheriv } from 'node:crypto';
import { createInterface } from 'node:readline';

const TAG = 16;

function crypt(encrypting, mode, [key, iv, aad, data]) {
    const authenticated = ['ocb', 'gcm', 'ccm'].includes(mode);
    const text = authenticated && !encrypting ? data.subarray(0, -TAG) : data;
    const make = encrypting ? createCipheriv : createDecipheriv;
    const options = authenticated ? { authTagLength: TAG } : {};
    const cipher = make(`twofish-${8 * key.length}-${mode}`, key, iv.length ? iv : null, options);
    if (authenticated) {
        if (!encrypting) cipher.setAuthTag(data.subarray(-TAG));
        cipher.setAAD(aad, { plaintextLength: text.length });
    } else {
        cipher.setAutoPadding(false);
    }
    const parts = [cipher.update(text), cipher.final()];
    if (authenticated && encrypting) parts.push(cipher.getAuthTag());
    return Buffer.concat(parts);
}

function answer([request, ...words]) {
    const given = words.map((word) => Buffer.from(word, 'hex'));
    const [verb, mode] = request.split('-');
    try {
        const out = verb === 'version' ? Buffer.from(process.versions.node) : crypt(verb === 'encrypt', mode, given);
        return `ok ${out.toString('hex')}`;
    } catch (error) {
        return `refused ${error.message.replaceAll('\n', ' ')}`;
    }
}

for await (const line of createInterface({ input: process.stdin })) console.log(answer(line.split(' ')));
