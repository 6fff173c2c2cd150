// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Machine } from "./machine";

declare const machines: Machine[];
export default machines;
