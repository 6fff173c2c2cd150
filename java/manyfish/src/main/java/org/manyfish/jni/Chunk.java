// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.manyfish.mode.Form;
import org.manyfish.mode.Results;
import org.manyfish.mode.Strings;

/**
 * Messages for one call of the library, in a buffer outside the heap. Each is there as IV,
 * associated data, and what the form makes of its text. The buffer lives on from call to call.
 */
final class Chunk {
    /** Many times as many messages as a kernel has lanes, so that few of these run empty. */
    private static final int MAX_MESSAGES = 2048;

    /** Enough for 256 KiB in each of 64 lanes. A longer message has a chunk for itself. */
    private static final int MAX_BYTES = 1 << 24;

    private static final int PLACE_INTS = Native.PLACE_INTS;

    private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

    private final Form form;
    private int[] places = new int[0];
    private int nMessages;
    private ByteBuffer data = NONE;

    /** How much of the buffer was written since it was wiped. */
    private int usedBytes;

    Chunk(Form form) {
        this.form = form;
    }

    /** Takes messages from number first on; returns the number of the first one left. */
    int fill(boolean encrypting, Strings ivs, Strings aads, Strings messages, int first) {
        final int end = reserve(encrypting, ivs, aads, messages, first);
        nMessages = 0;
        data.clear();
        for (int i = first; i < end; i++) {
            if (encrypting || form.canBeSealed(ivs.nBytes(i), messages.nBytes(i))) {
                add(encrypting, ivs, aads, messages, i);
            }
        }
        usedBytes = Math.max(usedBytes, data.position());
        return end;
    }

    /** Makes the buffer large enough, for one message at least. */
    private int reserve(
            boolean encrypting, Strings ivs, Strings aads, Strings messages, int first) {
        int nBytes = 0;
        int i = first;
        while (i < messages.size() && i - first < MAX_MESSAGES) {
            final int more = roomBytes(encrypting, ivs, aads, messages, i);
            if (i > first && more > MAX_BYTES - nBytes) {
                break;
            }
            nBytes += more;
            i++;
        }
        if (nBytes > data.capacity()) {
            wipe();
            data = ByteBuffer.allocateDirect(capacity(nBytes));
        }
        if (PLACE_INTS * (i - first) > places.length) {
            places = new int[PLACE_INTS * (i - first)];
        }
        return i;
    }

    private int roomBytes(boolean encrypting, Strings ivs, Strings aads, Strings messages, int i) {
        final int nBytes = messages.nBytes(i);
        return form.ivBytes(ivs.nBytes(i))
                + aads.nBytes(i)
                + (encrypting ? form.sealedBytes(nBytes) : nBytes);
    }

    /** A power of two, so that growing batches do not need a new buffer each time. */
    private static int capacity(int nBytes) {
        return nBytes > MAX_BYTES ? nBytes : Math.max(4096, Integer.highestOneBit(nBytes - 1) << 1);
    }

    private void add(boolean encrypting, Strings ivs, Strings aads, Strings messages, int i) {
        final int place = PLACE_INTS * nMessages++;
        places[place + Native.IV_AT] = data.position();
        putIv(ivs, i);
        final int aadAt = data.position();
        places[place + Native.IV_BYTES] = aadAt - places[place + Native.IV_AT];
        places[place + Native.AAD_AT] = aadAt;
        places[place + Native.AAD_BYTES] = aads.nBytes(i);
        put(aads, i);
        final int at = data.position();
        final int nBytes = messages.nBytes(i);
        final int textBytes = encrypting ? nBytes : form.textBytes(nBytes);
        places[place + Native.TEXT_AT] = at + form.textAt();
        places[place + Native.TEXT_BYTES] = textBytes;
        places[place + Native.TAG_AT] = at + form.tagAt(textBytes);
        data.position(encrypting ? at + form.textAt() : at);
        put(messages, i);
        data.position(at + (encrypting ? form.sealedBytes(nBytes) : nBytes));
    }

    private void putIv(Strings ivs, int i) {
        put(ivs, i);
        for (int n = ivs.nBytes(i); n < form.ivBytes(ivs.nBytes(i)); n++) {
            data.put((byte) 0);
        }
    }

    private void put(Strings strings, int i) {
        if (strings.array(i) != null) {
            data.put(strings.array(i), strings.offset(i), strings.nBytes(i));
        }
    }

    void crypt(long handle, boolean encrypting) {
        Statuses.check(Native.many(handle, encrypting, places, nMessages, data, form.tagBytes()));
        Reference.reachabilityFence(data);
    }

    /** Gives the results of the messages that fill took. */
    void drain(
            boolean encrypting,
            Strings ivs,
            Strings messages,
            int first,
            int end,
            Results results) {
        int place = 0;
        for (int i = first; i < end; i++) {
            if (!encrypting && !form.canBeSealed(ivs.nBytes(i), messages.nBytes(i))) {
                results.reject();
                continue;
            }
            final int result = places[place + Native.RESULT];
            if (result == -Native.TAG || result == -Native.PADDING) {
                results.reject();
            } else {
                Statuses.check(Math.max(-result, Native.OK), "message " + i);
                give(encrypting, place, results);
            }
            place += PLACE_INTS;
        }
    }

    private void give(boolean encrypting, int place, Results results) {
        final int textBytes = places[place + Native.TEXT_BYTES];
        final int textAt = places[place + Native.TEXT_AT];
        if (form.isCmac()) {
            give(places[place + Native.TAG_AT], form.tagBytes(), results);
        } else if (encrypting) {
            give(textAt - form.textAt(), form.sealedBytes(textBytes), results);
        } else {
            give(textAt, form.isPadded() ? places[place + Native.RESULT] : textBytes, results);
        }
    }

    private void give(int at, int nBytes, Results results) {
        data.position(at);
        final byte[] out = results.room(nBytes);
        data.get(out, results.offset(), nBytes);
        results.keep();
    }

    /** Wipes the texts, and gives back a buffer that one message was too long for. */
    void wipe() {
        if (usedBytes > 0) {
            Native.wipe(data, usedBytes);
            Reference.reachabilityFence(data);
            usedBytes = 0;
        }
        if (data.capacity() > MAX_BYTES) {
            data = NONE;
        }
    }
}
