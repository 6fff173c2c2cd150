// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/** The modes, each by what its IV, its unit and its tag are. */
public enum ModeName {
    ECB,
    CBC,
    /** The whole block counts, big-endian. */
    CTR,
    /** Segments of a whole block. */
    CFB,
    /** Segments of one byte. */
    CFB8,
    OFB,
    /** One data unit a message; the IV is the tweak. */
    XTS,
    EAX,
    OCB,
    GCM,
    /** No IV: the tag is made of key, associated data and text [RFC5297]. */
    SIV
}
