# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `opsig show --all --format json [--translate]` with torchgen, value by value.

Signatures. Per function, in torchgen's order:
  op, schema, kind     torchgen's own print of the parsed function
  dispatch             dispatch key => "namespace::kernel", every key that has a kernel
  signatures           declarations, as texts:
                       cpp, cpp_faithful, cpp_symint, cpp_symint_faithful, those that exist
                       dispatcher
                       native: dispatch key => declaration, for keys with an unstructured kernel
                       structured_meta, structured_impl, on the out member of a structured group
  python               null where torchgen cannot bind the function to Python, else
                       function, method   the argument parser's signature, of those that exist
                       fields, returns    the result: names of its fields, its C++ type
                       call               the C++ call
                       lambda, arguments  parameters of the lambda around it, and what fills them

Translate. Per function, the argument expressions of a call from one convention into another, each
worked out by torchgen's translate() with the arguments its own callers give, under the function's
own flags and without expensive conversions:
  dispatcher_to_native       dispatch key => as the wrappers in Register<Key>.cpp call a kernel
  native_to_dispatcher       dispatch key => the way back
  cpp_to_dispatcher          form => as Functions.h and RedispatchFunctions.h call the dispatcher
  cpp_method_to_dispatcher   form => as TensorBody.h does (self is *this); only with a method
The dispatch keys are those of `native` above. Expressions are a list of texts, or null where
torchgen finds none.

The order of the functions counts; the order of keys inside an object does not. An absent object
equals an empty one.
"""
import json
import subprocess
from pathlib import Path

from torchroot import UnusableRoot, run_torchgen

HERE = Path(__file__).resolve().parent


class OpsigFailed(Exception):
    pass


def torchgen_functions(root, scratch):
    text = run_torchgen(
        [HERE / "reference_show.py", root.native_yaml, root.tags_yaml],
        env=root.environment(scratch),
    )
    functions = [json.loads(line) for line in text.splitlines()]
    if not functions:
        raise UnusableRoot(f"{root.path}: torchgen knows no function at all")
    return functions


def torchgen_keys(root, scratch):
    """The names of all dispatch keys, aliases too."""
    names = "from torchgen.model import DispatchKey; print(*DispatchKey.__members__)"
    return run_torchgen(["-c", names], env=root.environment(scratch)).split()


def opsig_functions(opsig, root, translate):
    command = [str(opsig), "show", "--torch-root", str(root.path), "--all", "--format", "json"]
    command += ["--translate"] if translate else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        status = f"exit status {done.returncode}"
        raise OpsigFailed(f"{' '.join(command)}: {status}\n{done.stderr[-2000:]}")
    try:
        return [json.loads(line) for line in done.stdout.splitlines()]
    except json.JSONDecodeError as error:
        raise OpsigFailed(f"{' '.join(command)}: not one JSON object a line: {error}")


def compare_order(tally, want, got):
    """The list of functions: how many, which, and the first place where the order differs."""
    tally.same("number of functions", "show --all", len(want), len(got))
    wanted = [f["op"] for f in want]
    gotten = [f.get("op") for f in got]
    missing = sorted(set(wanted) - set(gotten))
    extra = sorted(set(map(str, gotten)) - set(wanted))
    tally.same("functions present", "missing from opsig", [], missing)
    tally.same("functions present", "unknown to torchgen", [], extra)
    both = set(wanted) & set(gotten)
    pairs = list(zip((op for op in wanted if op in both), (op for op in gotten if op in both)))
    first = next((i for i, (w, g) in enumerate(pairs) if w != g), 0)
    if pairs:
        tally.same("order of functions", f"place {first + 1} of those both have", *pairs[first])


def by_name(functions):
    return {function.get("op"): function for function in functions}


def compare_mapping(tally, group, op, want, got):
    """Each key of the two mappings is one comparison; a key only one of them has, a difference."""
    for key in [*want, *(k for k in got if k not in want)]:
        tally.same(group, f"{op} [{key}]", want.get(key, "absent"), got.get(key, "absent"))


def compare_signatures(tally, want, got):
    op = want["op"]
    tally.same("schema", op, want["schema"], got.get("schema"))
    tally.same("kind", op, want["kind"], got.get("kind"))
    tally.same("dispatch map", op, want["dispatch"], got.get("dispatch", {}))
    wanted, gotten = dict(want["signatures"]), dict(got.get("signatures", {}))
    compare_mapping(tally, "native", op, wanted.pop("native", {}), gotten.pop("native", {}))
    for key in [*wanted, *(k for k in gotten if k not in wanted)]:
        tally.same(key, op, wanted.get(key, "absent"), gotten.get(key, "absent"))
    compare_python(tally, op, want["python"], got.get("python", "absent"))


def compare_python(tally, op, want, got):
    tally.same("python: bound", op, want is not None, got is not None)
    if want is None or not isinstance(got, dict):
        return
    for key in [*want, *(k for k in got if k not in want)]:
        tally.same(f"python: {key}", op, want.get(key, "absent"), got.get(key, "absent"))


def compare_translate(tally, want, got):
    wanted, gotten = want["translate"], got.get("translate", {})
    for direction in [*wanted, *(k for k in gotten if k not in wanted)]:
        mappings = wanted.get(direction, {}), gotten.get(direction, {})
        compare_mapping(tally, direction, want["op"], *mappings)


def compare_functions(tally, want, got, compare_one):
    gotten = by_name(got)
    for function in want:
        if function["op"] in gotten:
            compare_one(tally, function, gotten[function["op"]])


def judge_signatures(tally, want, opsig, root):
    got = opsig_functions(opsig, root, translate=False)
    compare_order(tally, want, got)
    compare_functions(tally, want, got, compare_signatures)


def judge_translate(tally, want, opsig, root):
    got = opsig_functions(opsig, root, translate=True)
    if not any("translate" in function for function in got):
        raise OpsigFailed("show --translate: no object has the key 'translate'")
    having = sum("translate" in function for function in got)
    tally.same("functions with translate", "show --translate", len(want), having)
    compare_functions(tally, want, got, compare_translate)
