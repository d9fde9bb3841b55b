#!/usr/bin/python3
"""Lets the installed torchgen judge the YAML files of the unit tests.

usage: judge_cases.py CASES

CASES has one JSON object a line, as OperatorsTests writes them where OPSIG_DUMP_CASES names a file. Of the
cases of the installed release: what opsig refuses torchgen has to refuse, but for marks that are called
stricter; what opsig accepts torchgen has to accept.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import sys
import tempfile
from pathlib import Path

import torchgen
from torchgen.gen import (
    get_grouped_by_view_native_functions,
    get_grouped_native_functions,
    parse_native_yaml,
)
from torchgen.gen_backend_stubs import parse_backend_yaml


def release():
    version = {}
    path = Path(torchgen.__file__).parent.parent / "torch" / "version.py"
    exec(path.read_text(encoding="utf-8"), version)
    return ".".join(version["__version__"].split(".")[:2])


def refusal(case, folder):
    """What torchgen says against the files of a case, or None."""
    paths = {}
    for name in ("native", "tags", "backend"):
        paths[name] = folder / f"{name}.yaml"
        paths[name].write_text(case.get(name, ""), encoding="utf-8")
    try:
        parsed = parse_native_yaml(str(paths["native"]), str(paths["tags"]))
        groups = get_grouped_native_functions(parsed.native_functions)
        get_grouped_by_view_native_functions(parsed.native_functions)
        if "backend" in case:
            parse_backend_yaml(str(paths["backend"]), groups, parsed.backend_indices)
    except Exception as error:  # any exception is a refusal, be it an assertion or a KeyError
        return f"{type(error).__name__}: {error}"
    return None


def main():
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    here = release()
    cases = [case for case in map(json.loads, lines) if case["dialect"] == here]
    wrong = refused = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number, case in enumerate(cases):
            folder = Path(scratch) / str(number)
            folder.mkdir()
            found = refusal(case, folder)
            refused += found is not None
            if (found is not None) != (case["marks"] > case["stricter"]):
                wrong += 1
                print(f"{case['name']}: torchgen {'says ' + found if found else 'accepts it'}")
    print(f"{len(cases)} cases of {here}, {refused} refused by torchgen, {wrong} judged otherwise")
    return 1 if wrong or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
