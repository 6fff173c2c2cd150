/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Crypto++. It has no OCB. */
#include <cryptopp/ccm.h>
#include <cryptopp/cmac.h>
#include <cryptopp/config_ver.h>
#include <cryptopp/eax.h>
#include <cryptopp/gcm.h>
#include <cryptopp/modes.h>
#include <cryptopp/twofish.h>
#include <cryptopp/xts.h>

#include <memory>
#include <vector>

#include "peer.h"

namespace
{

using CryptoPP::Twofish;

const char *version()
{
    static const std::string text = std::to_string(CRYPTOPP_MAJOR) + "." +
                                    std::to_string(CRYPTOPP_MINOR) + "." +
                                    std::to_string(CRYPTOPP_REVISION);
    return text.c_str();
}

/* One of the three. */
struct State {
    std::unique_ptr<CryptoPP::SymmetricCipher> cipher;
    std::unique_ptr<CryptoPP::AuthenticatedSymmetricCipher> authenticated;
    std::unique_ptr<CryptoPP::CMAC<Twofish>> mac;
    bool takes_iv = true;
    int nonce_bytes = BLOCK_BYTES;
};

std::unique_ptr<State> made_for(operation operation)
{
    auto state = std::make_unique<State>();
    switch (operation) {
    case OP_ECB_ENCRYPT:
        state->cipher = std::make_unique<CryptoPP::ECB_Mode<Twofish>::Encryption>();
        break;
    case OP_ECB_DECRYPT:
        state->cipher = std::make_unique<CryptoPP::ECB_Mode<Twofish>::Decryption>();
        break;
    case OP_CBC_ENCRYPT:
        state->cipher = std::make_unique<CryptoPP::CBC_Mode<Twofish>::Encryption>();
        break;
    case OP_CBC_DECRYPT:
        state->cipher = std::make_unique<CryptoPP::CBC_Mode<Twofish>::Decryption>();
        break;
    case OP_CTR_ENCRYPT:
        state->cipher = std::make_unique<CryptoPP::CTR_Mode<Twofish>::Encryption>();
        break;
    case OP_XTS_ENCRYPT:
        state->cipher = std::make_unique<CryptoPP::XTS<Twofish>::Encryption>();
        break;
    case OP_GCM_ENCRYPT:
        state->authenticated = std::make_unique<CryptoPP::GCM<Twofish>::Encryption>();
        break;
    case OP_EAX_ENCRYPT:
        state->authenticated = std::make_unique<CryptoPP::EAX<Twofish>::Encryption>();
        break;
    case OP_CCM_ENCRYPT:
        state->authenticated = std::make_unique<CryptoPP::CCM<Twofish, TAG_BYTES>::Encryption>();
        break;
    case OP_CMAC:
        state->mac = std::make_unique<CryptoPP::CMAC<Twofish>>();
        break;
    default:
        return nullptr;
    }
    state->takes_iv = operation != OP_ECB_ENCRYPT && operation != OP_ECB_DECRYPT;
    return state;
}

void *open_state(operation operation, const keys *keys)
{
    const unsigned char no_iv[BLOCK_BYTES] = {};
    auto state = keys->cipher == CIPHER_TWOFISH ? made_for(operation) : nullptr;
    if (state == nullptr)
        return nullptr;
    std::vector<unsigned char> key(keys->data, keys->data + keys->n_bytes);
    if (operation == OP_XTS_ENCRYPT)
        key.insert(key.end(), keys->tweak, keys->tweak + keys->n_bytes);
    if (state->mac) {
        state->mac->SetKey(key.data(), key.size());
    } else if (state->authenticated) {
        state->nonce_bytes = operation == OP_EAX_ENCRYPT ? BLOCK_BYTES : NONCE_BYTES;
        state->authenticated->SetKeyWithIV(key.data(), key.size(), no_iv,
                                           static_cast<size_t>(state->nonce_bytes));
    } else if (state->takes_iv) {
        state->cipher->SetKeyWithIV(key.data(), key.size(), no_iv, BLOCK_BYTES);
    } else {
        state->cipher->SetKey(key.data(), key.size());
    }
    return state.release();
}

int set_key(void *p, const unsigned char *key, size_t n_bytes)
{
    static_cast<State *>(p)->cipher->SetKey(key, n_bytes);
    return 0;
}

int run(void *p, const unsigned char *iv, unsigned char *data, size_t n_bytes, unsigned char *tag)
{
    State &state = *static_cast<State *>(p);
    if (state.mac) {
        state.mac->CalculateDigest(tag, data, n_bytes);
        return 0;
    }
    if (state.authenticated) {
        state.authenticated->EncryptAndAuthenticate(data, tag, TAG_BYTES, iv, state.nonce_bytes,
                                                    nullptr, 0, data, n_bytes);
        return 0;
    }
    if (state.takes_iv)
        state.cipher->Resynchronize(iv, BLOCK_BYTES);
    state.cipher->ProcessData(data, data, n_bytes);
    return 0;
}

void close_state(void *p)
{
    delete static_cast<State *>(p);
}

/* No exception may cross into the caller, who is not C++. */
template <typename Result, typename Function> Result guarded(Result on_error, Function function)
{
    try {
        return function();
    } catch (...) {
        return on_error;
    }
}

} // namespace

extern "C" const peer peer_cryptopp;
const peer peer_cryptopp = {
    "Crypto++",
    version,
    [](operation operation, const keys *keys) {
        return guarded<void *>(nullptr, [&] { return open_state(operation, keys); });
    },
    [](void *p, const unsigned char *key, size_t n_bytes) {
        return guarded(1, [&] { return set_key(p, key, n_bytes); });
    },
    [](void *p, const unsigned char *iv, unsigned char *data, size_t n_bytes, unsigned char *tag) {
        return guarded(1, [&] { return run(p, iv, data, n_bytes, tag); });
    },
    close_state,
};
