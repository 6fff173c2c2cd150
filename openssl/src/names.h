/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The old list of ciphers by name, which EVP_get_cipherbyname reads and providers are not asked
 * for.
 */
#ifndef MF_PROVIDER_NAMES_H
#define MF_PROVIDER_NAMES_H

#include "provider.h"

/* Puts the ciphers there, once a process, if p is in the default library context and libcrypto
 * shows the functions that this needs. Else nothing happens, and programs can still fetch the
 * ciphers. */
void names_register(const provider *p, OSSL_provider_init_fn *init);

#endif
