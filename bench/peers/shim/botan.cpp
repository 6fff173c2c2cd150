/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Botan. Its classes are called, not its C interface: that one needs modules that take minutes to
 * build. */
#include <botan/block_cipher.h>
#include <botan/cipher_mode.h>
#include <botan/mac.h>
#include <botan/stream_cipher.h>
#include <botan/version.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "peer.h"

namespace
{

const char *version()
{
    static const std::string text = Botan::short_version_string();
    return text.c_str();
}

/* One of the four. */
struct State {
    bool decrypts = false;
    std::unique_ptr<Botan::BlockCipher> blocks;
    std::unique_ptr<Botan::StreamCipher> stream;
    std::unique_ptr<Botan::Cipher_Mode> mode;
    std::unique_ptr<Botan::MessageAuthenticationCode> mac;
    std::string cipher;
    size_t block_bytes = BLOCK_BYTES;
    size_t nonce_bytes = BLOCK_BYTES;
    size_t kept_bytes = 0; /* of the message, for the last call */
    Botan::secure_vector<uint8_t> last;
};

std::string mode_of(operation operation)
{
    switch (operation) {
    case OP_CBC_ENCRYPT:
    case OP_CBC_DECRYPT:
        return "/CBC/NoPadding";
    case OP_XTS_ENCRYPT:
        return "/XTS";
    case OP_OCB_ENCRYPT:
        return "/OCB";
    case OP_GCM_ENCRYPT:
        return "/GCM";
    case OP_CCM_ENCRYPT:
        return "/CCM(16,3)"; /* the length in 3 bytes leaves NONCE_BYTES */
    default:
        return "/EAX";
    }
}

void make_mode(State &state, operation operation, const std::vector<uint8_t> &key)
{
    const auto way = state.decrypts ? Botan::Cipher_Dir::Decryption : Botan::Cipher_Dir::Encryption;
    state.mode = Botan::Cipher_Mode::create_or_throw(state.cipher + mode_of(operation), way);
    state.mode->set_key(key);
    state.kept_bytes = state.mode->minimum_final_size();
    if (operation != OP_EAX_ENCRYPT && operation >= OP_OCB_ENCRYPT)
        state.nonce_bytes = NONCE_BYTES;
}

void *open_state(operation operation, const keys *keys)
{
    auto state = std::make_unique<State>();
    std::vector<uint8_t> key(keys->data, keys->data + keys->n_bytes);
    if (operation == OP_XTS_ENCRYPT)
        key.insert(key.end(), keys->tweak, keys->tweak + keys->n_bytes);
    if (keys->cipher == CIPHER_DES) {
        state->cipher = keys->n_bytes == 8 ? "DES" : "TripleDES";
        state->nonce_bytes = state->block_bytes = DES_BLOCK_BYTES;
    } else {
        state->cipher = "Twofish";
    }
    state->decrypts = operation == OP_ECB_DECRYPT || operation == OP_CBC_DECRYPT;
    if (operation == OP_ECB_ENCRYPT || operation == OP_ECB_DECRYPT) {
        state->blocks = Botan::BlockCipher::create_or_throw(state->cipher);
        state->blocks->set_key(key);
    } else if (operation == OP_CTR_ENCRYPT) {
        state->stream = Botan::StreamCipher::create_or_throw("CTR-BE(" + state->cipher + ")");
        state->stream->set_key(key);
    } else if (operation == OP_CMAC) {
        state->mac =
            Botan::MessageAuthenticationCode::create_or_throw("CMAC(" + state->cipher + ")");
        state->mac->set_key(key);
    } else {
        make_mode(*state, operation, key);
    }
    return state.release();
}

int set_key(void *p, const unsigned char *key, size_t n_bytes)
{
    static_cast<State *>(p)->blocks->set_key(key, n_bytes);
    return 0;
}

void run_mode(State &state, const unsigned char *iv, unsigned char *data, size_t n_bytes,
              unsigned char *tag)
{
    const size_t last_bytes = state.mode->requires_entire_message() ? n_bytes : state.kept_bytes;
    const size_t now_bytes = n_bytes - last_bytes;
    state.mode->start(iv, state.nonce_bytes);
    state.mode->process(data, now_bytes);
    state.last.assign(data + now_bytes, data + n_bytes);
    state.mode->finish(state.last);
    const auto end_of_data = state.last.begin() + static_cast<std::ptrdiff_t>(last_bytes);
    std::copy(state.last.begin(), end_of_data, data + now_bytes);
    std::copy(end_of_data, state.last.end(), tag);
}

int run(void *p, const unsigned char *iv, unsigned char *data, size_t n_bytes, unsigned char *tag)
{
    State &state = *static_cast<State *>(p);
    if (state.blocks) {
        const size_t n_blocks = n_bytes / state.block_bytes;
        if (state.decrypts) {
            state.blocks->decrypt_n(data, data, n_blocks);
        } else {
            state.blocks->encrypt_n(data, data, n_blocks);
        }
    } else if (state.stream) {
        state.stream->set_iv(iv, state.block_bytes);
        state.stream->cipher1(data, n_bytes);
    } else if (state.mac) {
        state.mac->update(data, n_bytes);
        state.mac->final(tag);
    } else {
        run_mode(state, iv, data, n_bytes, tag);
    }
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

extern "C" const peer peer_botan;
const peer peer_botan = {
    "Botan",
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
