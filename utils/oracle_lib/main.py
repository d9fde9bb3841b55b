#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""utils/oracle: judges opsig by PyTorch's own Python generators.

For each torch root its torchgen and opsig answer the same questions, and every difference counts:
  signatures   judge_show.py      all signatures of all functions
  translate    judge_show.py      argument expressions between the conventions
  backend      judge_backend.py   the files of gen_backend_stubs for the YAML files of test/Oracle,
                                  the example backend and the operator lists of sweeps.py
  aten         judge_aten.py      the files of gen; run only where --only asks for it
  python       judge_python.py    the files of gen_autograd_python; likewise
  facts        judge_facts.py     the lists that are read from torchgen's sources
The heads of these judges say exactly what is compared.
"""
import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

from judge_aten import judge_aten
from judge_backend import BackendYaml, judge_backend
from judge_facts import judge_facts
from judge_python import judge_python
from judge_show import (
    OpsigFailed,
    judge_signatures,
    judge_translate,
    torchgen_functions,
    torchgen_keys,
)
from sweeps import key_texts, sweep_texts, write_sweeps
from tally import Tally
from torchroot import DEBIAN_ROOT, TorchRoot, UnusableRoot

PROJECT = Path(__file__).resolve().parent.parent.parent
PARTS = ("signatures", "translate", "backend", "aten", "python", "facts")
USUAL_PARTS = ("signatures", "translate", "backend", "facts")


def read_options():
    parser = argparse.ArgumentParser(
        prog="utils/oracle",
        description="Compares opsig with PyTorch's own Python generators.",
        epilog="Exit status: 0 no difference, 1 differences, 2 torchgen or opsig cannot be run.",
    )
    add = parser.add_argument
    add(
        "--torch-root",
        action="append",
        metavar="DIR",
        help="site-packages folder or PyTorch source tree; repeatable (default: Debian's package)",
    )
    add("--only", choices=PARTS, action="append", help="only this part; repeatable")
    add("--opsig", metavar="PATH", default=PROJECT / "build" / "bin" / "opsig")
    add(
        "--backend-yaml",
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE",
        help="more backend YAML files",
    )
    add("--keep", metavar="DIR", help="keep the generated files of both programs below DIR")
    add("--every-option", action="store_true", help="part aten: a case more for each option")
    add("--autograd-dir", metavar="DIR", help="part python: tools/autograd of a root without it")
    add("--all-keys", action="store_true", help="a backend YAML file more for each dispatch key")
    add(
        "--coverage",
        action="store_true",
        help="print the lines of torchgen's backend generator that no YAML file reaches",
    )
    add("--no-install", action="store_true", help="install no packages")
    return parser.parse_args()


def corpus(more):
    """All backend YAML files to judge: the project's own, the example backend, and the user's."""
    folders = (("backends", "accepted"), ("backends-bad", "refused"))
    yamls = []
    for folder, expected in folders:
        found = sorted((PROJECT / "test" / "Oracle" / folder).glob("*.yaml"))
        if not found:
            raise UnusableRoot(f"no YAML file in test/Oracle/{folder}")
        yamls += [BackendYaml(file, expected) for file in found]
    example = PROJECT / "docs" / "example-backend" / "demo.yaml"
    if example.is_file():
        yamls.append(BackendYaml(example, "accepted"))
    return yamls + [BackendYaml(file, None) for file in more]


def sweeps(functions, root, scratch, all_keys):
    """The backend YAML files made from this root's operators, and if asked its dispatch keys."""
    yamls = write_sweeps(sweep_texts(functions), scratch / "sweeps", "accepted")
    if all_keys:
        yamls += write_sweeps(key_texts(torchgen_keys(root, scratch)), scratch / "sweeps", None)
    return yamls


@contextlib.contextmanager
def scratch_folder(keep, root):
    """An empty folder for one root; removed afterwards unless --keep names one."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="opsig-oracle-") as folder:
            yield Path(folder)
        return
    folder = Path(keep).resolve() / str(root.path.resolve()).strip("/").replace("/", "-")
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    yield folder


def print_never_run(never_run):
    for file, lines in never_run.items():
        print(f"  never run in {Path(file).name}: {' '.join(map(str, lines)) or 'no line'}")


def judge_root(path, options, parts):
    """Prints the report of one root and returns its tally."""
    root = TorchRoot(path)
    tally = Tally()
    print(f"{root.path} (torch {root.release[0]}.{root.release[1]})")
    with scratch_folder(options.keep, root) as scratch:
        want = torchgen_functions(root, scratch) if set(parts) & {"signatures", "translate", "backend"} else None
        for part in parts:
            part_tally = Tally()
            print(f" {part}", flush=True)
            try:
                if part == "signatures":
                    judge_signatures(part_tally, want, options.opsig, root)
                elif part == "translate":
                    judge_translate(part_tally, want, options.opsig, root)
                elif part == "aten":
                    judge_aten(part_tally, options.opsig, root, scratch, options.every_option)
                elif part == "facts":
                    judge_facts(part_tally, options.opsig, root, scratch)
                elif part == "python":
                    bad = sorted((PROJECT / "test" / "Oracle" / "python-bad").glob("*.yaml"))
                    autograd = options.autograd_dir
                    judge_python(part_tally, options.opsig, root, scratch, autograd, bad)
                else:
                    yamls = corpus(options.backend_yaml)
                    yamls += sweeps(want, root, scratch, options.all_keys)
                    print_never_run(
                        judge_backend(
                            part_tally, yamls, options.opsig, root, scratch, options.coverage
                        )
                    )
            except OpsigFailed as failure:
                part_tally.differ(f"{part}: opsig runs", str(failure))
            part_tally.report(sys.stdout)
            tally.add(part_tally)
    return tally


def main():
    options = read_options()
    options.opsig = Path(options.opsig).resolve()
    if not os.access(options.opsig, os.X_OK):
        print(f"utils/oracle: no program {options.opsig}; build it or use --opsig", file=sys.stderr)
        sys.exit(2)
    parts = [part for part in PARTS if part in (options.only or USUAL_PARTS)]
    total = Tally()
    try:
        for path in options.torch_root or [DEBIAN_ROOT]:
            total.add(judge_root(path, options, parts))
    except UnusableRoot as error:
        print(f"utils/oracle: {error}", file=sys.stderr)
        sys.exit(2)
    compared, differ = total.totals()
    print(f"{compared} compared, {differ} differ")
    sys.exit(1 if differ or not compared else 0)


main()
