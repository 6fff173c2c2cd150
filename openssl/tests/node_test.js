// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Node's crypto with the provider from a configuration file: all vectors of the modes that Node takes, in both
// directions, and its own errors. Node has no SIV.
//
// Usage: node --openssl-config=FILE node_test.js VECTORS
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { pipeline, Readable } = require('node:stream');

const vectors = process.argv[2];
let passed = 0;
let failed = 0;

function check(name, body) {
  try {
    body();
    passed++;
  } catch (error) {
    failed++;
    console.log(`failed: ${name}: ${error.stack}`);
  }
}

function* cases(name) {
  const text = fs.readFileSync(path.join(vectors, name), 'ascii');
  for (const block of text.split(/\n\n+/)) {
    const lines = block.split('\n').filter((line) => line.includes('=') && !line.startsWith('#'));
    if (lines.length > 0) {
      yield Object.fromEntries(lines.map((line) => line.split('=', 2).map((part) => part.trim())));
    }
  }
}

const bytes = (digits) => Buffer.from(digits, 'hex');
const algorithm = (key, mode) => `twofish-${8 * key.length}-${mode}`;

function checkPlain(mode, v) {
  const key = bytes(v.KEY);
  const iv = 'IV' in v ? bytes(v.IV) : null;
  const pad = v.PADDING === 'pkcs7';
  for (const [make, from, to] of [
    [crypto.createCipheriv, v.PT, v.CT],
    [crypto.createDecipheriv, v.CT, v.PT],
  ]) {
    const cipher = make(algorithm(key, mode), key, iv).setAutoPadding(pad);
    const text = bytes(from);
    const cut = text.length >> 1;
    const found = Buffer.concat([
      cipher.update(text.subarray(0, cut)), cipher.update(text.subarray(cut)), cipher.final(),
    ]);
    assert.strictEqual(found.toString('hex').toUpperCase(), to);
  }
}

function checkSectors(v) {
  const key = bytes(v.KEY + v.KEY_2);
  if (Number(v.SECTOR_BYTES) !== bytes(v.PT).length) return; // one data unit for each IV
  for (const [make, from, to] of [
    [crypto.createCipheriv, v.PT, v.CT],
    [crypto.createDecipheriv, v.CT, v.PT],
  ]) {
    const cipher = make(`twofish-${4 * key.length}-xts`, key, bytes(v.TWEAK));
    const found = Buffer.concat([cipher.update(bytes(from)), cipher.final()]);
    assert.strictEqual(found.toString('hex').toUpperCase(), to);
  }
}

function checkLrw(v) {
  const key = bytes(v.KEY + v.KEY_2);
  for (const [make, from, to] of [
    [crypto.createCipheriv, v.PT, v.CT],
    [crypto.createDecipheriv, v.CT, v.PT],
  ]) {
    const cipher = make(algorithm(key, 'lrw'), key, bytes(v.IV));
    const found = Buffer.concat([cipher.update(bytes(from)), cipher.final()]);
    assert.strictEqual(found.toString('hex').toUpperCase(), to);
  }
}

function checkAead(mode, v) {
  const key = bytes(v.KEY);
  const iv = bytes(v.NONCE ?? v.IV);
  const [text, tag] = [bytes(v.PT), bytes(v.TAG)];
  const options = { authTagLength: tag.length };
  const more = { plaintextLength: text.length };
  const name = algorithm(key, mode);
  const cipher = crypto.createCipheriv(name, key, iv, options).setAAD(bytes(v.AAD), more);
  const found = Buffer.concat([cipher.update(text), cipher.final()]);
  assert.strictEqual(found.toString('hex').toUpperCase(), v.CT);
  assert.strictEqual(cipher.getAuthTag().toString('hex').toUpperCase(), v.TAG);
  const decrypt = (withTag) => {
    const decipher = crypto.createDecipheriv(name, key, iv, options);
    decipher.setAuthTag(withTag).setAAD(bytes(v.AAD), more);
    return Buffer.concat([decipher.update(found), decipher.final()]);
  };
  assert.deepStrictEqual(decrypt(tag), text);
  tag[0] ^= 1;
  if (mode !== 'ccm' || text.length !== 0) assert.throws(() => decrypt(tag));
}

function checkFile(name, body) {
  let n = 0;
  for (const v of cases(`twofish_${name}.rsp`)) {
    n++;
    check(`${name} ${v.COUNT} ${v.KEY}`, () => body(v));
  }
  check(`${name} has cases`, () => assert(n > 20));
}

checkFile('ecb_tbl', (v) => checkPlain('ecb', v));
checkFile('cbc', (v) => checkPlain('cbc', v));
checkFile('ctr', (v) => v.COUNTER_BITS === '128' && checkPlain('ctr', v));
checkFile('cfb', (v) => checkPlain({ 1: 'cfb1', 8: 'cfb8', 128: 'cfb' }[v.SEGMENT_BITS], v));
checkFile('ofb', (v) => checkPlain('ofb', v));
checkFile('xts', checkSectors);
checkFile('lrw', checkLrw);
checkFile('ocb', (v) => checkAead('ocb', v));
checkFile('gcm', (v) => bytes(v.IV).length <= 128 && checkAead('gcm', v));
checkFile('ccm', (v) => checkAead('ccm', v));

check('names and numbers', () => {
  const names = crypto.getCiphers().filter((name) => /twofish/i.test(name));
  assert.strictEqual(names.length, 42);
  const info = crypto.getCipherInfo('twofish-192-ocb');
  assert.deepStrictEqual([info.name, info.mode, info.keyLength], ['twofish-192-ocb', 'ocb', 24]);
  assert.deepStrictEqual(crypto.getCipherInfo(info.nid).name, 'twofish-192-ocb');
});

check('AES, digests and random numbers as before', () => {
  assert.strictEqual(crypto.createCipheriv('aes-256-cbc', Buffer.alloc(32), Buffer.alloc(16))
    .update(Buffer.alloc(16), null, 'hex'), 'dc95c078a2408989ad48a21492842087');
  assert.strictEqual(crypto.createHash('sha256').update('').digest('hex').slice(0, 8), 'e3b0c442');
  assert.strictEqual(crypto.randomBytes(20).length, 20);
});

check('errors', () => {
  const key = Buffer.alloc(32, 1);
  const iv = Buffer.alloc(16, 2);
  const make = crypto.createDecipheriv;
  assert.throws(() => make('twofish-256-cbc', key.subarray(1), iv), /Invalid key length/);
  assert.throws(() => make('twofish-256-cbc', key, iv.subarray(1)), /Invalid initialization vector/);
  assert.throws(() => make('twofish-256-ocb', key, iv, { authTagLength: 16 }), /Invalid init/);
  assert.throws(() => make('twofish-512-cbc', key, iv), /Unknown cipher/);
  const cbc = make('twofish-256-cbc', key, iv);
  cbc.update(iv);
  assert.throws(() => cbc.final(), { code: 'ERR_OSSL_BAD_DECRYPT' });
  const short = make('twofish-256-cbc', key, iv);
  short.update(iv.subarray(1));
  assert.throws(() => short.final(), { code: 'ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH' });
  const gcm = make('twofish-256-gcm', key, iv).setAuthTag(iv);
  gcm.update(key);
  assert.throws(() => gcm.final(), { code: 'ERR_OSSL_INVALID_TAG' });
  assert.throws(() => make('twofish-256-gcm', key, iv).setAuthTag(iv.subarray(5)), /length/);
});

check('padding switched off just before the end', () => {
  for (const mode of ['ecb', 'cbc']) {
    const make = (f) => f(`twofish-256-${mode}`, Buffer.alloc(32, 1), mode === 'ecb' ? null : Buffer.alloc(16, 2));
    const text = Buffer.alloc(32, 3);
    const found = make(crypto.createCipheriv).setAutoPadding(false).update(text);
    const decipher = make(crypto.createDecipheriv);
    const first = decipher.update(found);
    decipher.setAutoPadding(false);
    assert.deepStrictEqual(Buffer.concat([first, decipher.final()]), text);
  }
});

function checkStreams(done) {
  const [key, iv, text] = [32, 16, 1 << 20].map((n) => crypto.randomBytes(n));
  const found = [];
  pipeline(
    Readable.from([text]), crypto.createCipheriv('twofish-256-ctr', key, iv),
    crypto.createDecipheriv('twofish-256-ctr', key, iv), (error) => {
      check('streams', () => {
        assert.ifError(error);
        assert(Buffer.concat(found).equals(text));
      });
      done();
    },
  ).on('data', (piece) => found.push(piece));
}

function workerThreads(done) {
  const { Worker } = require('node:worker_threads');
  const source = `
    const crypto = require('node:crypto');
    const k = Buffer.alloc(32), iv = Buffer.alloc(16);
    let sum = crypto.createHash('sha256');
    for (let i = 0; i < 500; i++) {
      sum.update(crypto.createCipheriv('twofish-256-cbc', k, iv).update(Buffer.alloc(1000, i)));
    }
    require('node:worker_threads').parentPort.postMessage(sum.digest('hex'));`;
  const sums = [];
  for (let i = 0; i < 3; i++) {
    new Worker(source, { eval: true }).on('message', (sum) => {
      if (sums.push(sum) === 3) {
        check('worker threads', () => assert(sums[0] === sums[1] && sums[1] === sums[2]));
        done();
      }
    });
  }
}

checkStreams(() => workerThreads(() => {
  console.log(`node ${process.version}, OpenSSL ${process.versions.openssl}`);
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  process.exitCode = failed === 0 ? 0 : 1;
}));
