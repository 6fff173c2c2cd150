// SPDX-License-Identifier: Apache-2.0 OR MIT

// Answers requests with the Twofish of golang.org/x/crypto and the modes of Go's standard library: a line in, a
// line out, as interop/peer.py describes. The requests are "version" and "encrypt-MODE" or "decrypt-MODE" with a
// key, an initial block, associated data and a text.
package main

import (
	"bufio"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/crypto/twofish"
)

const (
	block    = 16
	maxBytes = 1 << 20
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxBytes)
	for lines.Scan() {
		out, err := answer(strings.Split(lines.Text(), " "))
		if err != nil {
			fmt.Println("refused", err)
		} else {
			fmt.Println("ok", hex.EncodeToString(out))
		}
	}
}

func answer(words []string) ([]byte, error) {
	if words[0] == "version" {
		return version()
	}
	var given [4][]byte
	for i := range given {
		data, err := hex.DecodeString(words[i+1])
		if err != nil {
			return nil, err
		}
		given[i] = data
	}
	verb, mode, _ := strings.Cut(words[0], "-")
	return crypt(verb == "encrypt", mode, given[0], given[1], given[2], given[3])
}

func version() ([]byte, error) {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "golang.org/x/crypto" {
			return []byte(strings.TrimPrefix(module.Version, "v")), nil
		}
	}
	return nil, fmt.Errorf("the program does not know its modules")
}

func crypt(encrypting bool, mode string, key, iv, aad, data []byte) ([]byte, error) {
	c, err := twofish.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(data))
	switch mode {
	case "ecb":
		for i := 0; i < len(data); i += block {
			if encrypting {
				c.Encrypt(out[i:], data[i:])
			} else {
				c.Decrypt(out[i:], data[i:])
			}
		}
	case "cbc":
		chain := cipher.NewCBCDecrypter
		if encrypting {
			chain = cipher.NewCBCEncrypter
		}
		chain(c, iv).CryptBlocks(out, data)
	case "gcm":
		return gcm(c, encrypting, iv, aad, data)
	default:
		stream(c, encrypting, mode, iv).XORKeyStream(out, data)
	}
	return out, nil
}

func stream(c cipher.Block, encrypting bool, mode string, iv []byte) cipher.Stream {
	switch {
	case mode == "ctr":
		return cipher.NewCTR(c, iv)
	case mode == "ofb":
		return cipher.NewOFB(c, iv)
	case encrypting:
		return cipher.NewCFBEncrypter(c, iv)
	default:
		return cipher.NewCFBDecrypter(c, iv)
	}
}

func gcm(c cipher.Block, encrypting bool, iv, aad, data []byte) ([]byte, error) {
	aead, err := cipher.NewGCMWithNonceSize(c, len(iv))
	if err != nil {
		return nil, err
	}
	if encrypting {
		return aead.Seal(nil, iv, data, aad), nil
	}
	return aead.Open(nil, iv, data, aad)
}
