# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what torchgen says when it is imported, as JSON: list => names (see judge_facts.py).

Runs inside a torchgen process (torchroot.py). A list that this release does not have is left out.
"""
import enum
import importlib
import json
import sys


def names_of(value):
    """The names in whatever torchgen keeps them in."""
    return [item.name if isinstance(item, enum.Enum) else str(item) for item in value]


def variable(module, name):
    try:
        return getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError:
        return None


def shim_versions(operators):
    """What is particular to the shims of an operator: "add v2 (alpha) since X"."""
    texts = []
    for operator in operators if isinstance(operators, dict) else ():
        versions = dict(operators[operator])
        first = {"since": versions.pop("since")} if "since" in versions else None
        for number, what in [("v1", first), *versions.items()]:
            if what is None:
                continue
            what = what if isinstance(what, dict) else {"new_args": what}
            text = operator.removeprefix("aten.").removesuffix(".default") + " " + number
            text += f" ({', '.join(what['new_args'])})" if "new_args" in what else ""
            texts.append(text + (f" since {what['since']}" if "since" in what else ""))
    return texts


LISTS = (
    ("base-types", "torchgen.model", "BaseTy"),
    ("scalar-types", "torchgen.model", "ScalarType"),
    ("keys", "torchgen.model", "DispatchKey"),
    ("dispatch-keys", "torchgen.model", "dispatch_keys"),
    ("structured-keys", "torchgen.model", "STRUCTURED_DISPATCH_KEYS"),
    ("ufunc-keys", "torchgen.model", "UFUNC_DISPATCH_KEYS"),
    ("fragment-namespaces", "torchgen.model", "FRAGMENT_NAMESPACES"),
    (
        "no-generated-out",
        "torchgen.native_function_generation",
        "FUNCTIONAL_OPS_THAT_CANNOT_GET_AN_OUT_VARIANT",
    ),
    (
        "no-generated-out-mutable",
        "torchgen.native_function_generation",
        "MUTABLE_OPS_THAT_CANNOT_GET_AN_OUT_VARIANT",
    ),
    ("lone-out", "torchgen.native_function_generation", "OUT_OPS_THAT_DONT_GET_GROUPED_PROPERLY"),
    (
        "not-grouped-inplace",
        "torchgen.native_function_generation",
        "INPLACE_OPS_THAT_DONT_GET_GROUPED_PROPERLY",
    ),
    (
        "not-functionalized",
        "torchgen.gen_functionalization_type",
        "MUTABLE_OPS_NOT_USING_FUNCTIONALIZATION",
    ),
    (
        "keeps-out-dtype",
        "torchgen.gen_functionalization_type",
        "CUMULATIVE_OUT_OPS_PRESERVING_OUT_DTYPE",
    ),
    ("shim-ops", "torchgen.aoti.fallback_ops", "inductor_fallback_ops"),
    ("shim-ops-of-all-devices", "torchgen.aoti.fallback_ops", "aten_shimified_ops"),
    ("python-return-types", "torchgen.api.python", "SUPPORTED_RETURN_TYPES"),
)
AUTOGRAD = ("torchgen.packaged.autograd", "tools.autograd")
AUTOGRAD_LISTS = (
    ("unbound", "_SKIP_PYTHON_BINDINGS"),
    ("unbound-schemas", "SKIP_PYTHON_BINDINGS_SIGNATURES"),
)


def main():
    found = {name: variable(module, attribute) for name, module, attribute in LISTS}
    for package in reversed(AUTOGRAD):
        for name, attribute in AUTOGRAD_LISTS:
            names = variable(package + ".gen_python_functions", attribute)
            found[name] = found.get(name) if names is None else names
    if found["shim-ops"] is not None:
        found["shim-versions"] = shim_versions(found["shim-ops"])
        found["shim-versions"] += shim_versions(found["shim-ops-of-all-devices"] or ())
    json.dump({k: names_of(v) for k, v in found.items() if v is not None}, sys.stdout)


if __name__ == "__main__":
    main()
