// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.lang.ref.Cleaner;

/**
 * Wipes the secrets of objects that nobody uses any more: the JCA has no call for the end of a
 * cipher. Nothing is promised of when that is.
 */
final class Wiping {
    private static final Cleaner CLEANER = Cleaner.create();

    private Wiping() {}

    /** Runs wipe, which must not refer to owner, when owner is gone. */
    static Cleaner.Cleanable when(Object owner, Runnable wipe) {
        return CLEANER.register(owner, wipe);
    }
}
