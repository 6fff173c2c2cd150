# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command line, `manyfish-lab`.

Exit status: 0 done; 1 an error, which is said in a sentence; 2 wrong use; 3 a figure differs from
its source and the experiment has no explanation, or `compare` finds another; 130 and 143 stopped by
Ctrl-C and by SIGTERM. Figures go to standard output, all else to standard error.
"""

from __future__ import annotations

import argparse
import difflib
import io
import os
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import NoReturn

from manyfish_lab import experiments, machine, results, show
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import SCALES, Experiment, Scale, UnexplainedError
from manyfish_lab.progress import say

UNEXPLAINED = 3
RESULTS = Path("lab/results")
SMALL_RESULTS = Path("build/lab-small")  # so that a check does not replace what the pages have
PAGES = Path("docs")
DATA = Path("build/lab-data")
PICTURES = Path("build/lab-plots")
_STOPS = (signal.SIGINT, signal.SIGTERM)
_ONE_REQUEST_SECONDS = 0.5
_RUN_HELP = "compute figures beside those of the sources"
_RUN_EPILOG = """Results of tasks are kept in FOLDER/unfinished as they arrive. However a run was
stopped: it goes on from there when the same command is given again."""


class Stopped(BaseException):
    """A signal asked the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    for number in _STOPS:
        signal.signal(number, _stop)
    if isinstance(sys.stdout, io.TextIOWrapper):  # figures in a terminal that has no such signs
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        chosen = _parser().parse_args(arguments)
        status: int = chosen.command(chosen)
        sys.stdout.flush()
    except LabError as error:
        return _fail(error)
    except Stopped as stopped:
        say("manyfish-lab: stopped; the same command goes on from there")
        return 128 + stopped.number
    except BrokenPipeError:
        return _silent(128 + signal.SIGPIPE)
    except OSError as error:
        return _silent(_fail(LabError(f"cannot write to standard output: {error.strerror}")))
    return status


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    """The first signal ends the program in good order, which takes seconds; a later one at once.

    Some senders, `timeout` among them, send twice: to the process, and to its group.
    """
    first = time.monotonic()

    def stop_now(number: int, frame: FrameType | None) -> None:
        if time.monotonic() - first > _ONE_REQUEST_SECONDS:
            os._exit(128 + number)

    for each in _STOPS:
        signal.signal(each, stop_now)
    raise Stopped(number)


def _fail(error: LabError) -> int:
    say(f"manyfish-lab: error: {error}")
    if error.hint:
        say(f"hint: {error.hint}")
    return 1


def _silent(status: int) -> int:
    """Output that is still in the buffer is lost, without a message."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manyfish-lab",
        description="The claims about Twofish, computed again.",
        epilog="`manyfish-lab COMMAND --help` says more. docs/lab/ has the results.",
    )
    version = machine.versions()["manyfish_lab"]
    parser.add_argument("--version", action="version", version=f"manyfish-lab {version}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _list_parser(commands.add_parser("list", help="the experiments, and what each scale covers"))
    _run_parser(commands.add_parser("run", help=_RUN_HELP, epilog=_RUN_EPILOG))
    _report_parser(commands.add_parser("report", help="write docs/lab/ from the results"))
    _data_parser(commands.add_parser("data", help="write all figures as CSV, with a schema"))
    _plot_parser(commands.add_parser("plot", help="write plots of an experiment for a paper"))
    _scaling_parser(commands.add_parser("scaling", help="measure with 1, 2, ... workers"))
    _cost_parser(commands.add_parser("cost", help="what a scale would take on many cores"))
    _compare_parser(commands.add_parser("compare", help="compare figures with those of a folder"))
    return parser


def _list_parser(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_list)


def _run_parser(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_run, usage=parser.error)
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="a name from `list`")
    parser.add_argument("--all", action="store_true", help="all experiments")
    _scale_option(parser, "small")
    parser.add_argument(
        "--again", action="store_true", help="compute again, though results of this code are there"
    )
    parser.add_argument(
        "--pieces",
        type=_range,
        metavar="FIRST-LAST",
        help="only these pieces of the scale, kept in FOLDER/pieces; the last one makes the result",
    )
    _cluster_options(parser)
    _scaled_results_option(parser)


def _report_parser(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_report)
    _out_option(parser, PAGES, "the pages, in lab/,")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if it would change a file"
    )
    _results_option(parser)


def _data_parser(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_data)
    _out_option(parser, DATA, "the files")
    _results_option(parser)


def _plot_parser(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_plot)
    parser.add_argument("experiment", metavar="EXPERIMENT", help="a name from `list`")
    parser.add_argument("plots", nargs="*", metavar="PLOT", help="some of its plots (all)")
    parser.add_argument("--format", choices=("pdf", "svg", "png"), default="pdf", help="(pdf)")
    _out_option(parser, PICTURES, "the pictures")
    _results_option(parser)


def _out_option(parser: argparse.ArgumentParser, usual: Path, what: str) -> None:
    parser.add_argument(
        "--out", type=Path, default=usual, metavar="FOLDER", help=f"where {what} go ({usual})"
    )


def _scaling_parser(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_scaling)
    parser.add_argument("experiments", nargs="+", metavar="EXPERIMENT", help="a name from `list`")
    _scale_option(parser, "small")
    parser.add_argument(
        "--workers",
        type=_count,
        nargs="+",
        default=(1, 2),
        metavar="N",
        help="numbers of processes to measure with (1 2)",
    )
    _results_option(parser)


def _cost_parser(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_cost)
    parser.add_argument("experiments", nargs="+", metavar="EXPERIMENT", help="a name from `list`")
    _scale_option(parser, "full")
    parser.add_argument(
        "--cores",
        type=_count,
        nargs="+",
        default=(2, 1000),
        metavar="N",
        help="numbers of cores to say the time for (2 1000)",
    )
    _cluster_options(parser)
    _results_option(parser)


def _compare_parser(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_compare)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="other results")
    _results_option(parser)


def _scale_option(parser: argparse.ArgumentParser, default: Scale) -> None:
    parser.add_argument(
        "--scale", choices=SCALES, default=default, help=f"how much is computed ({default})"
    )


def _cluster_options(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster: tcp://HOST:PORT")
    where.add_argument("--workers", type=_count, metavar="N", help="processes here (one a core)")


def _results_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--results",
        type=Path,
        default=RESULTS,
        metavar="FOLDER",
        help=f"where results and unfinished runs are kept ({RESULTS})",
    )


def _scaled_results_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FOLDER",
        help=f"where results and unfinished runs are kept ({RESULTS}; small: {SMALL_RESULTS})",
    )


def _folder(chosen: argparse.Namespace) -> Path:
    usual = SMALL_RESULTS if chosen.scale == "small" else RESULTS
    return chosen.results or usual


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError("a number from 1 is needed")
    return int(text)


def _range(text: str) -> range:
    first, _, last = text.partition("-")
    last = last or first
    if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise argparse.ArgumentTypeError("a number from 0, or FIRST-LAST, is needed")
    return range(int(first), int(last) + 1)


def _list(chosen: argparse.Namespace) -> int:
    for name in experiments.names():
        print("\n".join(show.description(experiments.find(name))))
    return 0


def _run(chosen: argparse.Namespace) -> int:
    if chosen.all == bool(chosen.experiments):
        chosen.usage("name experiments, or say --all")
    if chosen.pieces:
        return _run_pieces(chosen)
    from manyfish_lab import runner
    from manyfish_lab.cluster import Cluster

    status, folder = 0, _folder(chosen)
    names = dict.fromkeys(chosen.experiments or experiments.names())
    wanted = [_found(name) for name in names]
    with (
        Cluster(chosen.scheduler, chosen.workers) as cluster,
        closing(runner.run_all(wanted, chosen.scale, folder, cluster, chosen.again)) as outcomes,
    ):
        for experiment, outcome in outcomes:
            if isinstance(outcome, UnexplainedError):
                say(f"manyfish-lab: {experiment.name}: {outcome}")
                status = UNEXPLAINED
            else:
                file = folder / results.file_name(experiment.name, outcome.scale)
                print("\n".join(show.result(experiment, outcome, file)), end="\n\n", flush=True)
    return status


def _run_pieces(chosen: argparse.Namespace) -> int:
    from manyfish_lab import pieces
    from manyfish_lab.cluster import Cluster

    if chosen.all or chosen.again or len(chosen.experiments) != 1:
        chosen.usage("--pieces goes with one experiment, and not with --again")
    experiment, scale, folder = _found(chosen.experiments[0]), chosen.scale, _folder(chosen)
    if scale not in experiment.pieces:
        chosen.usage(f"{experiment.name} has no pieces at the scale {scale}")
    every = experiment.pieces[scale]
    if chosen.pieces.stop > every.count:
        chosen.usage(f"the pieces are 0-{every.count - 1}")
    with Cluster(chosen.scheduler, chosen.workers) as cluster:
        pieces.run(experiment, scale, chosen.pieces, folder, cluster)
    there = pieces.found(experiment, scale, folder)
    print(f"{experiment.name}, scale {scale}: {pieces.how_far(every, len(there))}")
    if pieces.enough(every, len(there)):
        made = pieces.result(experiment, scale, list(there.values()))
        print("\n".join(show.result(experiment, made, results.write(folder, made))))
    return 0


def _found(name: str) -> Experiment:
    return experiments.find(
        _member(name, experiments.names(), "experiment", "`manyfish-lab list` names all")
    )


def _member(name: str, known: Iterable[str], what: str, all_of_them: str = "") -> str:
    """This name, which must be a known one."""
    names = list(known)
    if name in names:
        return name
    near = difflib.get_close_matches(name, names)
    hint = f"did you mean {' or '.join(near)}?" if near else all_of_them or ", ".join(names)
    raise LabError(f"there is no {what} {name!r}", hint)


def _report(chosen: argparse.Namespace) -> int:
    from manyfish_lab import report

    if not chosen.check:
        for path in report.render(chosen.results, chosen.out):
            print(path)
        return 0
    stale = report.stale(chosen.results, chosen.out)
    for name in stale:
        say(f"{name} is not what `manyfish-lab report` writes")
    return 1 if stale else 0


def _data(chosen: argparse.Namespace) -> int:
    from manyfish_lab import export

    print(*export.write(chosen.results, chosen.out), sep="\n")
    return 0


def _plot(chosen: argparse.Namespace) -> int:
    from manyfish_lab import report

    experiment = _found(chosen.experiment)
    found = [one for one in results.read_all(chosen.results) if one.experiment == experiment.name]
    if not found:
        raise LabError(f"{chosen.results} has no result of {experiment.name}", "run it first")
    plots = {plot.name: plot for plot in found[-1].findings.plots}
    if not plots:
        raise LabError(f"{experiment.name} has no plots", "`manyfish-lab data` has its figures")
    wanted = [_member(name, plots, "plot") for name in chosen.plots] or list(plots)
    for name in wanted:
        print(report.picture(experiment.name, plots[name], chosen.format, chosen.out))
    return 0


def _scaling(chosen: argparse.Namespace) -> int:
    from manyfish_lab import scaling

    wanted = [_found(name) for name in chosen.experiments]
    measured = scaling.measure(wanted, chosen.scale, chosen.workers)
    scaling.write(chosen.results, measured)
    print("\n".join(scaling.lines(measured)))
    return 0


def _compare(chosen: argparse.Namespace) -> int:
    differing, n_both = results.differing(chosen.results, chosen.folder)
    if n_both == 0:
        raise LabError(f"{chosen.results} and {chosen.folder} have no experiment of one scale both")
    for name in differing:
        say(f"manyfish-lab: {name}: other figures in {chosen.folder}")
    print(f"{n_both - len(differing)} of {n_both} results have the same figures in both folders")
    return UNEXPLAINED if differing else 0


def _cost(chosen: argparse.Namespace) -> int:
    from manyfish_lab import cost, scaling
    from manyfish_lab.cluster import Cluster

    measured = scaling.read(chosen.results)
    with Cluster(chosen.scheduler, chosen.workers) as cluster:
        for experiment in [_found(name) for name in chosen.experiments]:
            sample = cost.measure(experiment, chosen.scale, cluster)
            cost.write(chosen.results, sample)
            print("\n".join(cost.lines(cost.row(sample, measured, chosen.cores))), flush=True)
    return 0
