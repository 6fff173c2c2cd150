// SPDX-License-Identifier: Apache-2.0 OR MIT

declare const words: readonly string[];
export default words;
