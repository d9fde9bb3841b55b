#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Torchgen's half of the `gen backend` comparison: many runs of gen_backend_stubs after one load.

usage: PYTHONPATH=SHADOW:ROOT reference_backend.py [--coverage] < JOBS

JOBS is a JSON list of {"name", "folder", "arguments"}. Each job is gen_backend_stubs' own main()
with these arguments, run in `folder`. native_functions.yaml is parsed once, before the first job;
run() adds the backend's keys to that parsed state, so every job runs in a forked process of its own.
Prints one JSON object a job: {"name", "error"}, where error is null or the text of what torchgen
raised. With --coverage a last object {"never_run": {file: [line, ...]}} names the lines of the code
behind gen_backend_stubs that no job reached.
"""
import contextlib
import inspect
import io
import json
import os
import sys
import traceback
import types

import torchgen.gen as gen
import torchgen.gen_backend_stubs as stubs
from torchgen.dest import native_functions, register_dispatch_key

WATCHED = {module.__file__ for module in (stubs, native_functions, register_dispatch_key)}


class Lines:
    """Collects the lines of the watched files that run in this process."""

    def __init__(self):
        self.seen = set()

    def __call__(self, frame, event, _):
        if frame.f_code.co_filename not in WATCHED:
            return None
        if event in ("line", "call"):
            self.seen.add((frame.f_code.co_filename, frame.f_lineno))
        return self


def all_lines(file):
    """The lines of all function bodies in `file`: what could run after the import."""
    lines = set()

    def visit(code, inside):
        if inside:
            numbers = {line for _, _, line in code.co_lines()} - {None, code.co_firstlineno}
            lines.update((file, line) for line in numbers)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                # Only function bodies are optimized code; modules and class bodies run at import.
                visit(constant, inside or bool(constant.co_flags & inspect.CO_OPTIMIZED))

    with open(file) as source:
        visit(compile(source.read(), file, "exec"), False)
    return lines


def run_job(job, answer, lines):
    """In the forked process: runs torchgen; its error and its lines go into the pipe `answer`."""
    error = None
    said = io.StringIO()
    os.chdir(job["folder"])
    sys.argv = ["gen_backend_stubs.py", *job["arguments"]]
    # Newer releases print the main script's name into the files; it is this one under `python -m`.
    sys.modules["__main__"].__file__ = stubs.__file__
    sys.settrace(lines)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            stubs.main()
    except SystemExit as exit_:
        error = said.getvalue() if exit_.code else None
    except BaseException:
        error = traceback.format_exc(limit=-1)
    sys.settrace(None)
    with os.fdopen(answer, "w") as pipe:
        json.dump({"error": error, "seen": sorted(lines.seen) if lines else []}, pipe)


def run_forked(job, lines):
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        try:
            run_job(job, write_end, lines)
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"error": "the process died", "seen": []}


def main():
    coverage = sys.argv[1:] == ["--coverage"]
    jobs = json.load(sys.stdin)
    # The very strings run() will ask for, so that it finds the parsed state.
    native = os.path.join(os.path.dirname(os.path.dirname(stubs.__file__)), "aten/src/ATen/native")
    gen.parse_native_yaml(f"{native}/native_functions.yaml", f"{native}/tags.yaml")
    seen = set()
    for job in jobs:
        outcome = run_forked(job, Lines() if coverage else None)
        seen.update(map(tuple, outcome["seen"]))
        print(json.dumps({"name": job["name"], "error": outcome["error"]}), flush=True)
    if coverage:
        never = {}
        for file in sorted(WATCHED):
            never[file] = sorted(line for _, line in all_lines(file) - seen)
        print(json.dumps({"never_run": never}))


main()
