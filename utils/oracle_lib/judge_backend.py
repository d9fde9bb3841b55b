# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `opsig gen backend` with torchgen.gen_backend_stubs over a list of backend YAML files.

Both run in an empty folder of their own with the same --source_yaml and the same relative
--output_dir (its spelling is printed into the files). Compared are the set of files and the bytes
of each. Where torchgen refuses a YAML file, opsig must end with status 2 and write nothing; where
torchgen writes nothing, neither may opsig.

Comments in a YAML file steer its comparison:
  # releases: >=2.4           the torch releases it is meant for (>=, <; several with commas)
  # output_dir: ./a//b/       the spelling of the output folder, else "out"
  # arguments: --dry_run x    more arguments for both programs
"""
import difflib
import itertools
import json
import re
import subprocess
from pathlib import Path

from torchroot import UnusableRoot, run_torchgen

HERE = Path(__file__).resolve().parent


class BackendYaml:
    """A YAML file and what its comments say about comparing it.

    expected   "accepted", "refused", or None for whatever torchgen says
    """

    def __init__(self, path, expected):
        self.path = Path(path).resolve()
        self.expected = expected
        self.name = f"{self.path.parent.name}/{self.path.name}"
        head = {}
        for line in self.path.read_text().splitlines():
            found = re.match(r"# (releases|output_dir|arguments): (.*)", line)
            if found:
                head[found[1]] = found[2].strip()
        self.releases = head.get("releases", "")
        self.output_dir = head.get("output_dir", "out")
        self.arguments = ["--source_yaml", str(self.path), "--output_dir", self.output_dir]
        self.arguments += head.get("arguments", "").split()

    def is_for(self, release):
        parts = [part.strip() for part in self.releases.split(",")]
        return all(self._holds(release, part) for part in parts if part)

    def _holds(self, release, part):
        found = re.fullmatch(r"(>=|<)\s*(\d+)\.(\d+)", part)
        if not found:
            raise UnusableRoot(f"{self.path}: cannot read 'releases: {self.releases}'")
        other = (int(found[2]), int(found[3]))
        return release >= other if found[1] == ">=" else release < other


class Run:
    """The folders one YAML file is generated in, by torchgen and by opsig."""

    def __init__(self, yaml, scratch, number):
        self.yaml = yaml
        self.torchgen = scratch / "torchgen" / f"{number:03}-{yaml.path.stem}"
        self.opsig = scratch / "opsig" / f"{number:03}-{yaml.path.stem}"
        for folder in (self.torchgen, self.opsig):
            (folder / yaml.output_dir).mkdir(parents=True)


def files_below(folder):
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def run_all_torchgen(runs, root, shadow, scratch, coverage):
    """Returns the error text (or None) of each run, and torchgen's lines that no run reached."""
    jobs = [
        {"name": str(i), "folder": str(run.torchgen), "arguments": run.yaml.arguments}
        for i, run in enumerate(runs)
    ]
    text = run_torchgen(
        [HERE / "reference_backend.py", *(["--coverage"] if coverage else [])],
        env=root.environment(scratch, front=[shadow]),
        stdin=json.dumps(jobs),
    )
    answers = [json.loads(line) for line in text.splitlines()]
    never_run = answers.pop()["never_run"] if coverage else {}
    if [a["name"] for a in answers] != [job["name"] for job in jobs]:
        raise UnusableRoot(f"{root.path}: torchgen answered {len(answers)} of {len(jobs)} runs")
    return [a["error"] for a in answers], never_run


def check_against_command_line(run, root, shadow, scratch):
    """Verifies on one file that the forked runs give what torchgen's own command gives."""
    folder = scratch / "command-line"
    (folder / run.yaml.output_dir).mkdir(parents=True)
    run_torchgen(
        ["-m", "torchgen.gen_backend_stubs", *run.yaml.arguments],
        env=root.environment(scratch, front=[shadow]),
        cwd=folder,
    )
    if files_below(folder) != files_below(run.torchgen):
        raise UnusableRoot(f"{run.yaml.path}: torchgen forked and torchgen as a command differ")


def text_difference(want, got):
    both = decoded(want), decoded(got)
    lines = difflib.unified_diff(*both, "torchgen", "opsig", lineterm="", n=2)
    return "\n".join(f"      {line}" for line in itertools.islice(lines, 24))


def decoded(data):
    return data.decode(errors="backslashreplace").split("\n")


def compare_run(tally, run, error, opsig, root):
    command = [str(opsig), "gen", "backend", "--torch-root", str(root.path), *run.yaml.arguments]
    done = subprocess.run(command, cwd=run.opsig, capture_output=True, text=True, check=False)
    got = files_below(run.opsig)
    name = run.yaml.name
    if error is not None:
        because = (error.strip().splitlines() or ["?"])[-1][:200]
        tally.same("refused YAML: exit status", f"{name} (torchgen: {because})", 2, done.returncode)
        tally.same("refused YAML: files written", name, [], sorted(got))
        return
    want = files_below(run.torchgen)
    tally.same("exit status", f"{name}: {done.stderr.strip()[:600]}", 0, done.returncode)
    tally.same("set of files", name, sorted(want), sorted(got))
    for file in sorted(set(want) & set(got)):
        tally.compared["files"] = tally.compared.get("files", 0) + 1
        if want[file] != got[file]:
            tally.differ("files", f"{name}: {file}\n{text_difference(want[file], got[file])}")


def check_corpus(tally, yaml, error):
    """A file that stopped being what its folder says would quietly test nothing."""
    if yaml.expected is None:
        return
    found = "accepted" if error is None else "refused"
    if not tally.same("corpus", yaml.name, yaml.expected, found) and error is not None:
        tally.explain("corpus", error.strip())


def judge_backend(tally, yamls, opsig, root, scratch, coverage=False):
    """Compares all `yamls` meant for this root; returns torchgen's lines that none of them reached.

    scratch   a folder; torchgen's files stay in torchgen/ there, opsig's in opsig/
    """
    shadow = root.make_shadow(scratch)
    yamls = [yaml for yaml in yamls if yaml.is_for(root.release)]
    runs = [Run(yaml, scratch, number) for number, yaml in enumerate(yamls)]
    errors, never_run = run_all_torchgen(runs, root, shadow, scratch, coverage)
    accepted = [run for run, error in zip(runs, errors) if error is None]
    written = [run for run in accepted if files_below(run.torchgen)]
    if not written:
        raise UnusableRoot(f"{root.path}: torchgen wrote nothing for any YAML file")
    check_against_command_line(written[0], root, shadow, scratch)
    for run, error in zip(runs, errors):
        check_corpus(tally, run.yaml, error)
        compare_run(tally, run, error, opsig, root)
    return never_run
