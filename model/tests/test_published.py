# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LibTomCrypt's chains of Twofish messages (notes/omac_tv.txt, eax_tv.txt and gcm_tv.txt there).

Every tag is the key of the next message, so the last tag can only be right if all of them are.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable

from cbc_mac import Eax, cmac
from gcm import Gcm
from twofish import Twofish


def last_tag(tag: Callable[[Twofish, bytes], bytes], first: int) -> str:
    """Messages of `first` to 32 bytes, which count up from 0."""
    key = bytes(range(16))
    for n in range(first, 33):
        key = tag(Twofish(key), bytes(range(n)))
    return key.hex()


class Chains(unittest.TestCase):
    """The message of EAX and GCM is the nonce and the associated data, too."""

    def test_cmac(self) -> None:
        self.assertEqual(last_tag(cmac, 0), "dc6738080478af9af7ca833295031e06")

    def test_eax(self) -> None:
        found = last_tag(lambda cipher, data: Eax(cipher).encrypt(data, data, data)[1], 0)
        self.assertEqual(found, "1a1b15bbc287372fb9af035fb124b6a1")

    def test_gcm(self) -> None:
        found = last_tag(lambda cipher, data: Gcm(cipher).encrypt(data, data, data)[1], 1)
        self.assertEqual(found, "947a02c9994da490bfc9e036305b26ea")
