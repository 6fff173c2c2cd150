// SPDX-License-Identifier: Apache-2.0 OR MIT

export type { Bytes, BytesLike } from "./bytes.js";
export { ManyfishError, type ManyfishErrorCode } from "./errors.js";
export { type Kernel, kernels } from "./kernels.js";
export { type Implementation, implementation, ready } from "./library.js";
export type { AeadOptions } from "./modes/aead.js";
export { Cbc, type CbcOptions, type Padding } from "./modes/cbc.js";
export { Ccm } from "./modes/ccm.js";
export { Cfb, type CfbOptions } from "./modes/cfb.js";
export { Cmac, type CmacMessage, type CmacOptions } from "./modes/cmac.js";
export { Ctr, type CtrOptions } from "./modes/ctr.js";
export { Eax } from "./modes/eax.js";
export { Ecb } from "./modes/ecb.js";
export { Gcm } from "./modes/gcm.js";
export { Ocb } from "./modes/ocb.js";
export { Ofb } from "./modes/ofb.js";
export { Siv } from "./modes/siv.js";
export { Xts } from "./modes/xts.js";
export { parts } from "./parts.js";
export { type MessageStream, toTransform } from "./stream.js";
export { Twofish, type TwofishOptions } from "./twofish.js";
