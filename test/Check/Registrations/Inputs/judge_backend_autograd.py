#!/usr/bin/python3
"""Compares for which operators opsig says that a backend's kernel takes the derivative away with PyTorch's dispatch tables.

usage: judge_backend_autograd.py DIR NATIVE_FUNCTIONS OPSIG-COMMAND...

Every operator of PyTorch gets a kernel for PrivateUse1, one after the other. It loses its derivative if its table had a
composite kernel for AutogradPrivateUse1 before and has not then. opsig checks a backend that lists all of them. YAML in the
command stands for its file.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import subprocess
import sys
import warnings

KEY = "AutogradPrivateUse1"


def has_composite(op):
    rows = torch._C._dispatch_dump_table(op).splitlines()
    return any(row.startswith(KEY + ":") and row.endswith("[math kernel]") for row in rows)


def differentiable(schema):
    """Takes and returns tensors, and is no out variant."""
    arguments, returns = str(schema).rsplit(" -> ", 1)
    positional, _, keywords = arguments.partition("*, ")
    return "Tensor" in arguments and "Tensor" in returns and "!" not in keywords


def main():
    folder, native, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(native) as text:
        names = re.findall(r"^- func: ([\w.]+)", text.read(), re.M)
    schemas = {
        s.name + ("." + s.overload_name if s.overload_name else ""): s for s in torch._C._jit_get_all_schemas()
    }
    names = [name for name in names if "aten::" + name in schemas]
    path = os.path.join(folder, "all.yaml")
    with open(path, "w") as out:
        out.write("backend: PrivateUse1\ncpp_namespace: demo\nsupported:\n")
        out.writelines("  - %s\n" % name for name in names)
    run = subprocess.run([path if word == "YAML" else word for word in command], capture_output=True, text=True)
    found = set(re.findall(r"warning: the \w+ kernel of '([\w.]+)' replaces .*\[opsig-backend-lost-autograd\]", run.stdout))
    if run.returncode not in (0, 1):
        sys.exit("opsig failed: " + run.stderr[-500:])

    library = torch.library.Library("aten", "IMPL")
    lost, kept = set(), 0
    for name in names:
        if not has_composite("aten::" + name):
            continue
        library.impl(name, lambda *arguments: None, "PrivateUse1")
        if has_composite("aten::" + name):
            kept += 1
        elif differentiable(schemas["aten::" + name]):
            lost.add(name)
    for name in sorted(lost ^ found):
        print("%s: the dispatcher's table %s, opsig does not" % (name, "loses it" if name in lost else "keeps it"))
    print("%d operators, %d lose their derivative, %d keep it; %d disagreements" % (len(names), len(lost), kept, len(lost ^ found)))
    return bool(lost ^ found)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    import torch

    sys.exit(main())
