# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a host writes into cards that do not prepare it themselves, made with the model."""

from __future__ import annotations

from collections.abc import Mapping

from cards import Card


def prepared(card: Card, key: bytes) -> Mapping[str, bytes]:
    """For each symbol of the card's key memory but twofish_key, its bytes."""
    raise NotImplementedError(card.name)
