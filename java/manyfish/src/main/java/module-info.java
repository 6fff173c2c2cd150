// SPDX-License-Identifier: Apache-2.0 OR MIT

/** Twofish at every speed: the block cipher, its modes and a JCA provider. */
module org.manyfish {
    exports org.manyfish;

    provides java.security.Provider with
            org.manyfish.ManyfishProvider;
}
