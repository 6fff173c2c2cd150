# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Exceptions that have no built-in class of their own."""


class InvalidTag(ValueError):  # noqa: N818 (the name that pyca/cryptography has for it)
    """The tag does not fit: the key, the nonce, the data or the associated data differ."""


class MessageTooLongError(ValueError, OverflowError):
    """The mode allows no more data under this key, nonce or counter."""


# Where users import them from, for tracebacks.
InvalidTag.__module__ = MessageTooLongError.__module__ = "manyfish"
