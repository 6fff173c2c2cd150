# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiments, in the order of the report. A new one is a module here and a row below."""

from __future__ import annotations

from importlib import import_module

from manyfish_lab.experiment import Experiment

MODULES: tuple[str, ...] = (
    "q",
    "sboxes_128",
    "sboxes_192",
    "sboxes_256",
    "sboxes_256_dp",
    "sboxes_random",
    "sboxes_degree",
    "sboxes_immunity",
    "mds",
    "rs",
    "bit_positions",
    "key_bits",
    "avalanche",
    "key_uniqueness",
    "subkey_entropy",
    "subkey_pairs",
    "weak_pairs",
    "truncated_differentials",
    "trail_bounds",
    "linear_trail_bounds",
    "distinguisher",
    "five_round_attack",
    "five_rounds",
    "five_round_models",
    "integral",
    "known_key",
    "family_key",
    "randomness",
)


def names() -> list[str]:
    """The names of all experiments, as on the command line."""
    return [module.replace("_", "-") for module in MODULES]


def find(name: str) -> Experiment:
    """The experiment of that name; KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    experiment: Experiment = module.EXPERIMENT
    return experiment
