# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The workers: processes of this machine, one a core, or a Dask cluster that is there already.

Anybody who can reach a scheduler can run any code on its workers. That of a local cluster listens
on the loopback interface only, and so trusts all users of the machine; one that others can reach
needs TLS, which Dask's own configuration gives (tls:// addresses).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from manyfish_lab import fingerprint, machine, worker
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Experiment

if TYPE_CHECKING:
    from distributed import Client

_CONNECT_SECONDS = 10


class Cluster:
    """Started, or connected to, when the first experiment needs it; used by all that follow.

    scheduler  the address of a cluster that is there; None starts processes on this machine
    workers    how many processes; None is one a core
    """

    def __init__(self, scheduler: str | None = None, workers: int | None = None) -> None:
        self._scheduler = scheduler
        self._workers = workers or machine.cores()
        self._local: Any = None
        self._client: Client | None = None
        self._processors: set[str] = set()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def client(self) -> Client:
        """The connection; the first use starts the workers."""
        if self._client is None:
            logging.disable(logging.ERROR)  # what goes wrong is said by who notices it
            self._client = self._connect() if self._scheduler else self._start()
        return self._client

    def alive(self) -> bool:
        """Whether the scheduler can be reached."""
        return self._client is not None and self._client.status == "running"

    def is_local(self) -> bool:
        """Whether the workers are processes that were started here: no others will come."""
        return self._local is not None

    def threads(self) -> int:
        """How many tasks run at a time, now."""
        return sum(self.client.nthreads().values())

    def check(self, experiments: Sequence[Experiment]) -> None:
        """Stop if a worker has other code than we."""
        modules = [fingerprint.modules_of(experiment) for experiment in experiments]
        here = [fingerprint.of_modules(names) for names in modules]
        found: dict[str, Any] = self.client.run(machine.look, modules, on_error="return")
        others = [address for address, look in found.items() if not _same(look, here)]
        if others:
            raise LabError(_differ(others, found), HINT)
        self._processors |= {look["processor"] for look in found.values()}

    def processors(self) -> list[str]:
        """Of the workers that were checked, and of those that are there now: some join late."""
        found = self.client.run(machine.processor, on_error="return")
        self._processors |= {name for name in found.values() if isinstance(name, str)}
        return sorted(self._processors)

    def close(self) -> None:
        """Stop the processes that were started here; of another cluster only let go."""
        client, self._client = self._client, None
        if client is not None:
            client.close()
        if self._local is not None:
            self._local.close()

    def _connect(self) -> Client:
        from distributed import Client

        if not re.fullmatch(r"(tcp|tls)://([^:]+|\[[^]]+\]):[0-9]+", self._scheduler or ""):
            raise LabError(f"{self._scheduler} is no address of a scheduler", "tcp://HOST:PORT is")
        try:
            return Client(self._scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
        except OSError as error:
            raise LabError(
                f"no Dask scheduler answers at {self._scheduler}",
                "start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
            ) from error

    def _start(self) -> Client:
        from distributed import Client, LocalCluster

        self._local = LocalCluster(
            n_workers=self._workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,
            preload=[worker.__name__],
        )
        return Client(self._local, set_as_default=False)


HINT = (
    "install the same manyfish-lab, of the same build, and the same packages on all machines "
    "(docs/lab/running.md, On a cluster), then start the workers again"
)


def _same(look: Any, here: list[str]) -> bool:
    return isinstance(look, dict) and look["codes"] == here


def _differ(others: list[str], found: dict[str, Any]) -> str:
    look = found[others[0]]
    reason = "its code differs from ours" if isinstance(look, dict) else repr(look)
    return f"{len(others)} of {len(found)} workers cannot take part; {others[0]}: {reason}"
