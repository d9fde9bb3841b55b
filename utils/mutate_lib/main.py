#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""utils/mutate: faults in the signatures of real kernels, and what opsig makes of them.

The kernels are all declarations of the installed PyTorch in at::native, all its structured kernels, those
of the example backend, and kernels that are registered for PyTorch's operators. A mutant has one fault: a type, const, reference, order, count, return type, optional or width
that is another (mutations.py). Many mutants share a file, with as many functions that are right, and
are written in several forms (worlds.py), so that a few runs of `opsig check` see them all.

    mutant has another type (the compiler says so, judge.py)
      => found:    findings about it, all at a place where the fault is
      => mended:   fixed: after `opsig check --fix` its text is the original's, but for white space and the
                   namespaces of types, and the compiler accepts the file; a body that returned nothing
                   returns the parameters whose type the original's is
    mutant has the same type, or is no mutant
      => silent:   no finding but about what the body does with arguments that changed places, and its text is
                   untouched
"""
import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from functions import split_params
from judge import CannotJudge, changed_types, compile_errors, precompiled
from worlds import all_worlds, marked, normal

PROJECT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = PROJECT / "docs" / "example-backend"


class OpsigFailed(Exception):
    pass


def read_options():
    parser = argparse.ArgumentParser(
        prog="utils/mutate",
        description="Plants faults in the signatures of real kernels and sees whether opsig check finds "
        "and fixes each.",
        epilog="Exit status: 0 all found and fixed, 1 not all, 2 nothing could be tried.",
    )
    add = parser.add_argument
    add("--seed", type=int, default=1, metavar="N", help="of the random numbers (default: 1)")
    add("--count", type=int, default=5000, metavar="N", help="mutants (default: 5000)")
    add("--minutes", type=float, metavar="N", help="begin no file after that time; what is left out is said")
    add("--opsig", metavar="PATH", default=PROJECT / "build" / "bin" / "opsig")
    add("--keep", metavar="DIR", help="keep the sources below DIR, and as they were in *.orig")
    add("--jobs", "-j", type=int, default=2, metavar="N", help="opsig runs at a time (default: 2)")
    add("--show", type=int, default=20, metavar="N", help="complaints to print (default: 20)")
    add("--no-install", action="store_true", help="install no packages")
    options = parser.parse_args()
    # Each kind of kernel gets some.
    if options.count < 16:
        parser.error("--count: at least 16")
    return options


def run_opsig(opsig, world, folder, flags):
    """Checks the files, then fixes them: what --fix reports is about the files as they are afterwards. Returns the
    findings about the files as they were."""
    found = []
    for fix in [], ["--fix"]:
        command = [str(opsig), "check", *fix, "--format", "json", "-j", "1"]
        command += [*world.options, *world.sources, "--", *flags]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        # A file that was not read completely is not compared completely either. A fault in a signature
        # may bring errors into bodies; these leave signatures as they are.
        said = done.stderr.replace("effects of these functions are not compared", "")
        if done.returncode not in (0, 1) or ("not compared" in said and not world.unfit):
            raise OpsigFailed(f"{' '.join(command)}\n{done.stderr}")
        found.append([json.loads(line) for line in done.stdout.splitlines()])
    return found[0]


def by_offset(findings, world):
    """File => offsets of findings, with the finding."""
    starts = {}
    for name, text in world.files.items():
        starts[name] = [0]
        for line in text.splitlines(keepends=True):
            starts[name].append(starts[name][-1] + len(line.encode()))
    found = collections.defaultdict(list)
    for finding in findings:
        name = Path(finding["file"]).name
        found[name].append((starts[name][finding["line"] - 1] + finding["column"] - 1, finding))
    return found


def is_right(site, writing, finding, offset):
    """Whether a finding about a mutant says what is wrong, where it is wrong."""
    mutant = site.mutant
    if finding["id"] != "opsig-kernel-signature":
        return False
    if mutant.returns:
        return writing.returns[0] <= offset < writing.returns[1]
    starts = [begin for begin, _ in writing.params] + [writing.close]
    if mutant.before and "missing parameter" in finding["message"]:
        return any(offset == starts[at] for at in mutant.before)
    return any(begin <= offset < end for begin, end in (writing.params[at] for at in mutant.params))


def without_namespaces(text):
    """Which of its names for a type a file uses is a matter of style; that they are names of the right
    types there, the compiler sees (judge.py)."""
    return re.sub(r"(?<!\w)(::)?\b(at|c10|std)::", "", text)


def without_added_return(site, text):
    """A body that returned nothing returns what the original's type says it is: parameters of that type."""
    if site.function.returns != "void" or site.original.returns == "void":
        return text
    statement = re.search(r" return (?:std::forward_as_tuple\(([\w,]+)\)|(\w+)); \}$", text)
    if not statement:
        return text
    names = (statement[1] or statement[2]).split(",")
    types = {p.name: p.type for p in site.original.params}
    wanted = re.sub(r"^(::)?std::tuple<(.*)>$", r"\2", site.original.returns)
    got = [normal(types.get(name, "")) for name in names]
    if ",".join(got) != normal(wanted):
        return text
    return text[: statement.start()] + " }"


def is_about_moved_names(site, finding):
    """Arguments of one type that change places leave the type, and change what the body does with each."""
    about_body = finding["id"].startswith(("opsig-alias-", "opsig-mutation-"))
    return about_body and site.mutant is not None and site.mutant.kind == "order"


def is_restored(site, text):
    text = without_namespaces(without_added_return(site, text))
    if text == without_namespaces(normal(site.form.write(site.original).text)):
        return True
    if site.form.names:
        return False
    # What was added to a list without names has one.
    params = text[text.index("(") + 1 : text.rindex(")")]
    wanted = [without_namespaces(normal(p.type)) for p in site.original.params]
    got = split_params(params)
    return len(got) == len(wanted) and all(
        text == want or text.startswith(want) and text[len(want) :].strip().isidentifier()
        for text, want in zip(got, wanted)
    )


class Score:
    def __init__(self):
        self.kinds = collections.defaultdict(collections.Counter)
        self.complaints = []

    def complain(self, what, site, text):
        self.complaints.append(f"{what}: {site.file}: {normal(site.form.write(site.function).text)}\n  {text}")

    def count(self, kind, *what):
        for key in what:
            self.kinds[kind][key] += 1


def judge_world(world, found, after, changed, score):
    """`changed` tells of each mutant, by its identity, whether it has another type."""
    about = collections.defaultdict(list)
    for name, items in found.items():
        own = sorted((s.offset, s) for s in world.sites if s.file == name)
        for offset, finding in items:
            site = next((s for at, s in reversed(own) if at <= offset), None)
            about[site.mark if site else None].append((offset, finding))
    for offset, finding in about[None]:
        score.complaints.append(f"elsewhere: {finding['file']}:{finding['line']}: {finding['message']}")

    of_mutant, same = collections.defaultdict(list), set()
    for site in world.sites:
        if site.mutant and changed[id(site.mutant)]:
            of_mutant[id(site.mutant)].append(site)
            continue
        for _, finding in about[site.mark]:
            if not is_about_moved_names(site, finding):
                score.complain("false", site, finding["message"])
        if after[site.mark] != normal(site.form.write(site.function).text):
            score.complain("edited", site, after[site.mark])
        if site.mutant and id(site.mutant) not in same:
            same.add(id(site.mutant))
            score.count(site.mutant.kind, "same type")

    for sites in of_mutant.values():
        kind = sites[0].mutant.kind
        score.count(kind, "faults")
        mine = [(s, offset, f) for s in sites for offset, f in about[s.mark]]
        wrong = [
            (s, f) for s, offset, f in mine if not is_right(s, s.form.write(s.function).shifted(s.offset), f, offset)
        ]
        if not mine:
            score.complain("missed", sites[0], sites[0].original.type())
        for site, finding in wrong:
            score.complain("misplaced", site, f"{finding['column']}: {finding['message']}")
        if mine and not wrong:
            score.count(kind, "found")
        bad = [s for s in sites if not is_restored(s, after[s.mark])]
        for site in bad:
            score.complain("not fixed", site, after[site.mark])
        if not bad:
            score.count(kind, "mended")


def try_world(opsig, world, folder, flags):
    """The findings, what stands between the marks afterwards, and what the compiler says of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in world.files.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / f"{name}.orig").write_text(text, encoding="utf-8")
    found = run_opsig(opsig, world, folder, flags)
    after = collections.defaultdict(str)
    for name in {s.file for s in world.sites}:
        after.update(marked((folder / name).read_text(encoding="utf-8")))
    return found, after, compile_errors(world.compiled, folder, flags)


class Clock:
    """Tells how far a run is, and when it begins nothing more."""

    def __init__(self, worlds, minutes):
        self.count, self.done = len(worlds), 0
        self.begin = time.monotonic()
        self.end = self.begin + 60 * minutes if minutes is not None else None

    def is_over(self):
        return self.end is not None and time.monotonic() > self.end

    def tell(self, world):
        self.done += 1
        seconds = time.monotonic() - self.begin
        print(f"utils/mutate: {self.done} of {self.count}: {world.name} after {seconds:.0f} s", file=sys.stderr)


def try_in_time(opsig, world, folder, flags, clock):
    if clock.is_over():
        return None
    tried = try_world(opsig, world, folder, flags)
    clock.tell(world)
    return tried


def report(score, rejected, show):
    columns = ("faults", "found", "mended", "same type")
    print(f"{'':10}" + "".join(f"{c:>11}" for c in columns))
    total = collections.Counter()
    for kind, counts in sorted(score.kinds.items()):
        print(f"{kind:10}" + "".join(f"{counts[c]:>11}" for c in columns))
        total.update(counts)
    for complaint in score.complaints[:show]:
        print(complaint)
    if rejected:
        print(f"{rejected} mutations made another overload and were replaced")
    print(
        f"{total['faults'] + total['same type']} mutants: {total['faults']} have another type, of these "
        f"{total['found']} found, {total['mended']} mended; {len(score.complaints)} complaints"
    )
    return total["faults"] and total["faults"] == total["found"] == total["mended"] and not score.complaints


def main():
    options = read_options()
    opsig = Path(options.opsig).resolve()
    with contextlib.ExitStack() as stack:
        top = Path(options.keep or stack.enter_context(tempfile.TemporaryDirectory(prefix="opsig-mutate-")))
        top = top.resolve()
        top.mkdir(parents=True, exist_ok=True)
        worlds, rejected = all_worlds(options.count, options.seed, EXAMPLE)
        mutants = list({id(s.mutant): s.mutant for w in worlds for s in w.sites if s.mutant}.values())
        pairs = [(m.original.type(), m.function.type()) for m in mutants]
        flags = precompiled(top)
        changed = {id(m): c for m, c in zip(mutants, changed_types(pairs, top, flags))}
        score = Score()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            clock = Clock(worlds, options.minutes)
            results = pool.map(lambda w: try_in_time(opsig, w, top / w.name, flags, clock), worlds)
            for world, tried in zip(worlds, results):
                if not tried:
                    print(f"{world.name}: not tried, as the time was over")
                    continue
                found, after, errors = tried
                score.complaints += [f"does not compile: {world.name}: {error}" for error in errors]
                judge_world(world, by_offset(found, world), after, changed, score)
        return 0 if report(score, rejected, options.show) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CannotJudge, OpsigFailed, OSError, LookupError) as error:
        print(f"utils/mutate: {error}", file=sys.stderr)
        sys.exit(2)
