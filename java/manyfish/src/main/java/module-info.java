// SPDX-License-Identifier: Apache-2.0 OR MIT

/** Twofish at every speed: the block cipher, its modes and a JCA provider. */
module org.manyfish {
}
