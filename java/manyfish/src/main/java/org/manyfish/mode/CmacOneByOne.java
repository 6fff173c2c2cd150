// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/** CMAC of many messages in Java: one message after the other. */
final class CmacOneByOne implements Batch {
    private final Form form;
    private final Cmac cmac;

    CmacOneByOne(Form form, Cmac cmac) {
        this.form = form;
        this.cmac = cmac;
    }

    @Override
    public synchronized void crypt(
            boolean encrypting, Strings ivs, Strings aads, Strings messages, Results results) {
        for (int i = 0; i < messages.size(); i++) {
            cmac.update(messages.array(i), messages.offset(i), messages.nBytes(i));
            final byte[] tag = results.room(form.tagBytes());
            cmac.finish(tag, results.offset());
            results.keep();
        }
    }

    @Override
    public synchronized void close() {
        cmac.close();
    }
}
