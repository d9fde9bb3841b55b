# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lists that opsig reads from torchgen's sources against what Python says when it imports them.

Compared for each list of `opsig show --facts`:
  read    the names are those that the imported module has, in their order where that says anything
  kept    a list that the release does not have is the dialect's
  equal   where the release was measured (and only there), release and dialect say the same
"""
import itertools
import json
import re
import subprocess
from pathlib import Path

from judge_show import OpsigFailed
from torchroot import run_torchgen

EXCEPTIONS = ("lone-out", "no-generated-out-mutable", "not-grouped-inplace")


def opsig_lists(opsig, root):
    command = [str(opsig), "show", "--facts", "--format", "json", "--torch-root", str(root.path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OpsigFailed(done.stderr[-2000:])
    measured = "was not measured" not in done.stderr and "every release known" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], measured


def torchgen_lists(root, scratch):
    script = Path(__file__).parent / "reference_facts.py"
    return json.loads(run_torchgen([script], root.environment(scratch)))


def shim_names(names):
    """ "aten.add.out" => "add.out"; by name and overload, as the shims are."""
    own = [name.split(".", 1)[1] for name in names if name.startswith("aten.")]
    own.sort(key=lambda name: tuple(name.split(".")))
    return [name.removesuffix(".default") for name in own]


def matched(patterns, names):
    """Which names are matched by regular expressions, or by a dialect's patterns."""
    return [n for n in names if any(re.fullmatch(p, n) for p in patterns)]


def as_regex(pattern):
    return re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")


def spellings(regex):
    """Names that a pattern could be about: each of its alternatives, with and without more."""
    parts = re.sub(r"\.\*|\.|\?", "X", regex)
    pieces = [p.split("|") for p in re.split(r"[()]", parts)]
    for choice in itertools.islice(itertools.product(*pieces), 64):
        for text in ("".join(choice), "".join(choice).replace("X", "")):
            yield from (text, text + "_out", "_" + text, text[1:])


def judge_facts(tally, opsig, root, scratch):
    lists, measured = opsig_lists(opsig, root)
    want = torchgen_lists(root, scratch)
    excepted = set().union(*(want.get(name, []) for name in EXCEPTIONS))
    for entry in lists:
        name, got = entry["list"], entry["names"] + entry["foreign"]
        if name not in want:
            tally.same("lists", f"{name}: source", "dialect", entry["source"])
            continue
        tally.same("lists", f"{name}: source", "torchgen", entry["source"])
        names = want[name]
        if name.startswith("shim-ops"):
            names = shim_names(names)
        elif name == "not-functionalized":
            names = [n for n in names if n not in excepted]
        elif name == "unbound":
            probes = sorted({s for p in names for s in spellings(p)})
            names, got = matched(names, probes), matched([as_regex(p) for p in got], probes)
        if not entry["ordered"]:
            names, got = sorted(set(names)), sorted(got)
        tally.same("lists", f"{name}: names", names, got)
        if measured:
            tally.same("measured lists", f"{name}: the dialect differs", False, entry["differs"])
