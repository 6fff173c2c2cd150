// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;

/** A batch in Java: one message after the other. */
final class OneByOne implements Batch {
    private final Form form;
    private final Mode encryption;
    private final Mode decryption;

    OneByOne(Form form, Mode encryption, Mode decryption) {
        this.form = form;
        this.encryption = encryption;
        this.decryption = decryption;
    }

    @Override
    public synchronized void crypt(
            boolean encrypting, Strings ivs, Strings aads, Strings messages, Results results) {
        final Mode mode = encrypting ? encryption : decryption;
        for (int i = 0; i < messages.size(); i++) {
            if (!encrypting && !form.canBeSealed(ivs.nBytes(i), messages.nBytes(i))) {
                results.reject();
                continue;
            }
            start(mode, ivs, aads, i);
            if (encrypting) {
                encrypt(messages, i, results);
            } else {
                decrypt(messages, i, results);
            }
        }
    }

    private void start(Mode mode, Strings ivs, Strings aads, int i) {
        mode.start(ivs.copy(i, form.ivBytes(ivs.nBytes(i))));
        if (aads.nBytes(i) > 0) {
            mode.aad(aads.array(i), aads.offset(i), aads.nBytes(i));
        }
    }

    private void encrypt(Strings texts, int i, Results results) {
        final int nBytes = texts.nBytes(i);
        final byte[] out = results.room(form.sealedBytes(nBytes));
        final int at = results.offset();
        try {
            if (form.isPadded()) {
                encryptPadded(out, at, texts, i);
            } else {
                final int tagAt = at + form.tagAt(nBytes);
                encryption.finish(
                        out,
                        at + form.textAt(),
                        texts.array(i),
                        texts.offset(i),
                        nBytes,
                        out,
                        tagAt,
                        form.tagBytes());
            }
        } catch (AEADBadTagException e) {
            throw new AssertionError("a tag cannot be wrong where it is made", e);
        }
        results.keep();
    }

    private void encryptPadded(byte[] out, int at, Strings texts, int i)
            throws AEADBadTagException {
        final int block = form.blockBytes();
        final int rest = texts.nBytes(i) % block;
        final int whole = texts.nBytes(i) - rest;
        final byte[] last = new byte[block];
        System.arraycopy(texts.array(i), texts.offset(i) + whole, last, 0, rest);
        Padding.pad(last, rest);
        if (whole > 0) {
            encryption.update(out, at, texts.array(i), texts.offset(i), whole);
        }
        encryption.finish(out, at + whole, last, 0, block, null, 0, 0);
        Bytes.wipe(last);
    }

    private void decrypt(Strings sealed, int i, Results results) {
        try {
            if (form.isPadded()) {
                decryptPadded(sealed, i, results);
            } else {
                decryptWhole(sealed, i, results);
            }
            results.keep();
        } catch (BadPaddingException e) { // AEADBadTagException is one
            results.reject();
        }
    }

    private void decryptWhole(Strings sealed, int i, Results results) throws AEADBadTagException {
        final int nBytes = form.textBytes(sealed.nBytes(i));
        final byte[] out = results.room(nBytes);
        final int from = sealed.offset(i);
        decryption.finish(
                out,
                results.offset(),
                sealed.array(i),
                from + form.textAt(),
                nBytes,
                sealed.array(i),
                from + form.tagAt(nBytes),
                form.tagBytes());
    }

    private void decryptPadded(Strings sealed, int i, Results results) throws BadPaddingException {
        final int nBytes = sealed.nBytes(i);
        final byte[] text = new byte[nBytes];
        try {
            decryption.finish(text, 0, sealed.array(i), sealed.offset(i), nBytes, null, 0, 0);
            final int before = nBytes - form.blockBytes();
            final byte[] last = Arrays.copyOfRange(text, before, nBytes);
            final int textBytes;
            try {
                textBytes = before + Padding.textBytes(last);
            } finally {
                Bytes.wipe(last);
            }
            System.arraycopy(text, 0, results.room(textBytes), results.offset(), textBytes);
        } finally {
            Bytes.wipe(text);
        }
    }

    @Override
    public synchronized void close() {
        encryption.close();
        decryption.close();
    }
}
