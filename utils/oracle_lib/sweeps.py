# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Backend YAML files that list every operator of a torch root, made from torchgen's own list.

The files under test/Oracle/ choose operators for the branches they take; these bring all the types,
names and groups there are.
"""
from judge_backend import BackendYaml


def listed(key, names):
    return [f"{key}:"] + [f"  - {name}" for name in names]


def base_name(op):
    """What the members of a group share: the name without overload and inplace underscore."""
    base = op.split(".")[0]
    return base if base.endswith("__") else base.removesuffix("_")


def without_wrappers_torchgen_refuses(functions):
    """The functional operators whose missing partners can all be wrapped.

    torchgen cannot wrap a partner that returns nothing, nor one that is neither inplace nor out.
    """
    silent = {base_name(f["op"]) for f in functions if f["schema"].endswith("-> ()")}
    mutable = {base_name(f["op"]) + "_functional" for f in functions if f["kind"] == "mutable"}
    functional = [f["op"] for f in functions if f["kind"] == "functional"]
    return [op for op in functional if base_name(op) not in silent | mutable]


def sweep_texts(functions):
    """File name => lines. `functions` are those of reference_show.py."""
    every = [f["op"] for f in functions]
    takes_symint = [f["op"] for f in functions if "cpp_symint" in f["signatures"]]
    writing = [f["op"] for f in functions if f["kind"] != "functional"]
    wrapped = without_wrappers_torchgen_refuses(functions)
    wrapped_symint = sorted(set(wrapped) & set(takes_symint))
    # All members of a group stand under the same key.
    abs_group = [op for op in every if base_name(op) == "abs"]
    others = [op for op in every if op not in abs_group]
    autograd = listed("supported", abs_group) + listed("autograd", others)
    head = ["backend: PrivateUse1", "cpp_namespace: demo::native", "class_name: Kernels"]
    guard = ["device_guard: true"]
    return {
        "every": head + listed("supported", every),
        "every-guard": head + guard + listed("supported", every),
        "every-symint": head + listed("supported", every) + listed("symint", takes_symint),
        "every-autograd": head + autograd + listed("symint", takes_symint),
        "functional": head + guard + listed("supported", wrapped),
        "functional-symint": head + listed("supported", wrapped) + listed("symint", wrapped_symint),
        "out-primary": head + guard + ["use_out_as_primary: true"] + listed("supported", writing),
    }


def key_texts(keys):
    """One small file for each dispatch key; torchgen refuses those native_functions.yaml uses."""
    rest = ["cpp_namespace: demo", "device_guard: true"]
    rest += listed("supported", ["empty.memory_format", "add.Tensor"])
    return {f"key-{key}": [f"backend: {key}", *rest] for key in keys}


def write_sweeps(texts, folder, expected):
    folder.mkdir(parents=True, exist_ok=True)
    yamls = []
    for name, lines in texts.items():
        path = folder / f"{name}.yaml"
        path.write_text("\n".join(lines) + "\n")
        yamls.append(BackendYaml(path, expected))
    return yamls
