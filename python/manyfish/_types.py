# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The class that `new` of each cipher returns for a mode, for type checkers.

They know nothing about a mode that the program chooses as it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Buffer

    from ._authenticated import CcmMode, EaxMode, GcmMode, OcbMode, SivMode
    from ._classic import CbcMode, CfbMode, CtrMode, EcbMode, OfbMode, OpenPgpMode, XtsMode


class New8(Protocol):
    """Of DES and DES3, whose blocks have 8 bytes."""

    @overload
    def __call__(self, key: Buffer, mode: Literal[1], *, kernel: str | None = ...) -> EcbMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[2],
        iv: Buffer | None = ...,
        *,
        IV: Buffer | None = ...,
        kernel: str | None = ...,
    ) -> CbcMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[3],
        iv: Buffer | None = ...,
        *,
        IV: Buffer | None = ...,
        segment_size: int = ...,
        kernel: str | None = ...,
    ) -> CfbMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[5],
        iv: Buffer | None = ...,
        *,
        IV: Buffer | None = ...,
        kernel: str | None = ...,
    ) -> OfbMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[6],
        *,
        nonce: Buffer | None = ...,
        initial_value: int | Buffer | None = ...,
        counter: Mapping[str, int | bytes | bool] | None = ...,
        kernel: str | None = ...,
    ) -> CtrMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[7],
        iv: Buffer | None = ...,
        *,
        IV: Buffer | None = ...,
        kernel: str | None = ...,
    ) -> OpenPgpMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[9],
        nonce: Buffer | None = ...,
        *,
        mac_len: int = ...,
        kernel: str | None = ...,
    ) -> EaxMode: ...
    @overload
    def __call__(self, key: Buffer, mode: int, *args: Any, **kwargs: Any) -> Any: ...


class New16(Protocol):
    """Of Twofish, whose blocks have 16 bytes."""

    @overload
    def __call__(self, key: Buffer, mode: Literal[1], *, kernel: str | None = ...) -> EcbMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[2],
        iv: Buffer | None = ...,
        *,
        IV: Buffer | None = ...,
        kernel: str | None = ...,
    ) -> CbcMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[3],
        iv: Buffer | None = ...,
        *,
        IV: Buffer | None = ...,
        segment_size: int = ...,
        kernel: str | None = ...,
    ) -> CfbMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[5],
        iv: Buffer | None = ...,
        *,
        IV: Buffer | None = ...,
        kernel: str | None = ...,
    ) -> OfbMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[6],
        *,
        nonce: Buffer | None = ...,
        initial_value: int | Buffer | None = ...,
        counter: Mapping[str, int | bytes | bool] | None = ...,
        kernel: str | None = ...,
    ) -> CtrMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[7],
        iv: Buffer | None = ...,
        *,
        IV: Buffer | None = ...,
        kernel: str | None = ...,
    ) -> OpenPgpMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[9],
        nonce: Buffer | None = ...,
        *,
        mac_len: int = ...,
        kernel: str | None = ...,
    ) -> EaxMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[8],
        nonce: Buffer | None = ...,
        *,
        mac_len: int = ...,
        msg_len: int | None = ...,
        assoc_len: int | None = ...,
        kernel: str | None = ...,
    ) -> CcmMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[10],
        nonce: Buffer | None = ...,
        *,
        kernel: str | None = ...,
    ) -> SivMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[11],
        nonce: Buffer | None = ...,
        *,
        mac_len: int = ...,
        kernel: str | None = ...,
    ) -> GcmMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[12],
        nonce: Buffer | None = ...,
        *,
        mac_len: int = ...,
        kernel: str | None = ...,
    ) -> OcbMode: ...
    @overload
    def __call__(
        self,
        key: Buffer,
        mode: Literal[1001],
        *,
        kernel: str | None = ...,
    ) -> XtsMode: ...
    @overload
    def __call__(self, key: Buffer, mode: int, *args: Any, **kwargs: Any) -> Any: ...
