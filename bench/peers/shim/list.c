/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* build.rs defines a name for each library that it found. */
#include "peer.h"

extern const struct peer peer_botan, peer_gcrypt, peer_openssl, peer_nettle, peer_nettle_des,
    peer_cryptopp, peer_tomcrypt;

const struct peer *const peers[] = {
#ifdef HAVE_BOTAN
    &peer_botan,
#endif
#ifdef HAVE_GCRYPT
    &peer_gcrypt,
#endif
#ifdef HAVE_OPENSSL
    &peer_openssl,
#endif
#ifdef HAVE_NETTLE
    &peer_nettle,   &peer_nettle_des,
#endif
#ifdef HAVE_CRYPTOPP
    &peer_cryptopp,
#endif
#ifdef HAVE_TOMCRYPT
    &peer_tomcrypt,
#endif
    NULL,
};
