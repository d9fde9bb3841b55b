#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the example backend and judges it by the CPU:  run.py LIBRARY

Each case runs once on the device and once on the CPU. It passes when the values agree, when
PyTorch's dispatcher names the expected kind of kernel for the operator, and when exactly the
expected operators fell back to the CPU. Prints a line for each case; exits with 1 when one of them
failed.
"""

import math
import pathlib
import re
import sys
import types

import torch
import torch.nn.functional as F
import yaml

DEVICE = "privateuseone"

# What can serve an operator, and how the dispatcher's table shows it: key, file of the
# registration, label.
KERNEL = "kernel"
WRAPPER = "generated wrapper"
STRUCTURED = "structured default"
EXPLICIT = "composite, explicit"
IMPLICIT = "composite, implicit"
AUTOGRAD = "autograd kernel"
DERIVATIVE = "PyTorch's derivative"
FALLBACK = "CPU fallback"
SHOWN_AS = {
    KERNEL: ("PrivateUse1", r"RegisterPrivateUse1\.cpp", "kernel"),
    WRAPPER: ("PrivateUse1", r"RegisterPrivateUse1\.cpp", "kernel"),
    STRUCTURED: (
        "PrivateUse1",
        r"RegisterCompositeExplicitAutogradNonFunctional\w*\.cpp",
        "default backend kernel",
    ),
    EXPLICIT: (
        "PrivateUse1",
        r"RegisterCompositeExplicitAutograd\w*\.cpp",
        "default backend kernel",
    ),
    IMPLICIT: ("PrivateUse1", r"RegisterCompositeImplicitAutograd\w*\.cpp", "math kernel"),
    AUTOGRAD: ("AutogradPrivateUse1", r"RegisterAutogradPrivateUse1\.cpp", "kernel"),
    DERIVATIVE: ("AutogradPrivateUse1", r"VariableType\w*\.cpp", "autograd kernel"),
    FALLBACK: ("PrivateUse1", r"Device\.cpp", "backend fallback"),
}


class Inputs:
    """The same numbers for every run, on the device that is asked for."""

    def __init__(self, device):
        random = torch.Generator().manual_seed(1)
        self.device = device
        self.a = torch.randn(3, 4, generator=random).to(device)
        self.b = torch.randn(4, generator=random).to(device)
        self.c = torch.randn(4, 5, generator=random).to(device)
        self.ints = torch.arange(12).reshape(3, 4).to(device)

    def new(self, values):
        return torch.tensor(values).to(self.device)

    def empty(self, *sizes, **options):
        return torch.empty(*sizes, device=self.device, **options)


def in_place(tensor, change):
    """A copy of 'tensor' after 'change', and whether 'change' returned the very tensor it got."""
    target = tensor.clone()
    return target, change(target) is target


def resize(t):
    grown = t.b.clone().resize_(6)[:4]  # what was there stays
    return grown, t.a.clone().resize_(2, 2), t.empty(0).resize_(2, 3).fill_(5)


def copy(t):
    wider = t.empty(3, 4, dtype=torch.float64).copy_(t.b)  # another dtype, broadcast
    return t.a.t().contiguous(), t.a.to(torch.float64), wider, t.empty(0).clone()


def view(t):
    base = t.a.clone()
    base.view(12)[5].fill_(7)  # seen through 'base' only if the view shares its memory
    return base, base.view(2, 6)


def fill(t):
    columns = t.a.clone()
    columns.t()[1:3].fill_(9)  # elements that do not lie side by side
    return in_place(t.b, lambda b: b.fill_(4)) + (columns,)


def add(t):
    return t.a + t.b, torch.add(t.a, t.b, alpha=-2), t.ints + t.a, t.ints + 3, 1.5 + t.ints


def threshold_backward(t, **out):
    return torch.ops.aten.threshold_backward(t.a, t.a * t.b, 0.25, **out)


def maximum(t):
    nan = t.new([[1.0, math.nan, 3.0], [2.0, 5.0, 5.0]])
    return (
        *t.a.max(0),
        *t.a.max(-1, keepdim=True),
        *t.ints.max(1),
        *nan.max(1),
        *t.new(4.0).max(0),
    )


def maximum_out(t):
    return torch.max(t.a, 1, out=(t.empty(0), t.empty(0, dtype=torch.long)))


def relu_gradient(t):
    """By PyTorch's own formulas, which call threshold_backward and mm."""
    weight = t.c.clone().requires_grad_()
    torch.relu(t.a @ weight).backward(t.a @ t.c)
    return weight.grad


def l1_loss(t):
    results = []
    for reduction in ("none", "sum", "mean"):
        self, target = t.a.clone().requires_grad_(), t.b.clone().requires_grad_()
        loss = F.l1_loss(self, target.expand(3, 4), reduction=reduction)
        loss.backward(t.a if reduction == "none" else None)
        results += [loss.detach(), self.grad, target.grad]
    return tuple(results)


# Operator, what serves it, how it is run, which operators fall back to the CPU meanwhile.
CASES = [
    ("empty.memory_format", KERNEL, lambda t: t.empty(2, 3).fill_(1), {}),
    (
        "empty_strided",
        KERNEL,
        lambda t: torch.empty_strided((2, 3), (1, 2), device=t.device).fill_(2),
        {},
    ),
    ("resize_", KERNEL, resize, {}),
    ("_copy_from", KERNEL, copy, {}),
    # The CPU fallback brings the changed tensor back through it.
    (
        "_copy_from_and_resize",
        KERNEL,
        lambda t: in_place(t.a, lambda a: F.hardswish(a, inplace=True)),
        {"hardswish_"},
    ),
    ("as_strided", KERNEL, lambda t: t.a.as_strided((2, 3), (1, 4), 2), {}),
    ("view", KERNEL, view, {}),
    ("_reshape_alias", KERNEL, lambda t: torch.ops.aten._reshape_alias(t.a, (2, 6), (6, 1)), {}),
    ("fill_.Scalar", KERNEL, fill, {}),
    ("add.Tensor", KERNEL, add, {}),
    ("relu", KERNEL, lambda t: (torch.relu(t.a), torch.relu(t.ints), torch.relu(t.a.t())), {}),
    ("threshold_backward", KERNEL, threshold_backward, {}),
    ("mm", KERNEL, lambda t: (t.a @ t.c, t.ints @ t.ints.t()), {}),
    ("max.dim", KERNEL, maximum, {}),
    (
        "mul.out",
        KERNEL,
        lambda t: (torch.mul(t.a, t.b, out=t.empty(0)), torch.mul(t.a, 2, out=t.empty(4, 3).t())),
        {},
    ),
    ("add_.Tensor", WRAPPER, lambda t: in_place(t.a, lambda a: a.add_(t.b, alpha=3)), {}),
    ("add.out", WRAPPER, lambda t: torch.add(t.a, t.b, out=t.empty(0)), {}),
    ("relu_", WRAPPER, lambda t: in_place(t.a, torch.relu_), {}),
    (
        "threshold_backward.grad_input",
        WRAPPER,
        lambda t: threshold_backward(t, grad_input=t.empty(0)),
        {},
    ),
    ("mm.out", WRAPPER, lambda t: torch.mm(t.a, t.c, out=t.empty(0)), {}),
    ("max.dim_max", WRAPPER, maximum_out, {}),
    ("mul.Tensor", STRUCTURED, lambda t: (t.a * t.b, t.ints * t.a, 2 * t.a, t.ints * t.ints), {}),
    ("mul_.Tensor", STRUCTURED, lambda t: in_place(t.a, lambda a: a.mul_(t.b)), {}),
    # The default finds no kernel of the device behind it.
    ("sub.Tensor", STRUCTURED, lambda t: t.a - t.b, {"sub.out"}),
    ("transpose.int", EXPLICIT, lambda t: t.a.transpose(0, 1), {}),
    ("expand", EXPLICIT, lambda t: t.b.expand(2, 4), {}),
    ("reshape", IMPLICIT, lambda t: (t.a.reshape(2, 6), t.a.t().reshape(2, 6)), {}),
    ("linear", IMPLICIT, lambda t: F.linear(t.a, t.c.t()), {}),
    ("relu", DERIVATIVE, relu_gradient, {}),
    (
        "l1_loss",
        AUTOGRAD,
        l1_loss,
        {"sub.out", "abs.out", "sum.IntList_out", "mean.out", "sign.out", "div.out", "neg.out"},
    ),
    ("hardswish", FALLBACK, lambda t: F.hardswish(t.a), {"hardswish"}),
]


def listed_operators():
    """The operators that demo.yaml says have a kernel of their own."""
    backend = yaml.safe_load((pathlib.Path(__file__).parent / "demo.yaml").read_text())
    return set(backend["supported"] + backend["autograd"])


def dispatch_row(operator, key):
    """The dispatcher's own words: where the kernel for 'key' was registered, and of what sort it is."""
    table = torch._C._dispatch_dump_table("aten::" + operator)
    row = re.search(rf"^{key}: registered at (.*) \[(.*)\]$", table, re.MULTILINE)
    return row.groups() if row else ("nowhere", "no kernel")


def served_by(operator, where, label, listed):
    """Which of the kinds above a row of the dispatcher's table means."""
    file = pathlib.PurePath(where.rsplit(":", 1)[0]).name
    for kind, (_, pattern, shown) in SHOWN_AS.items():
        if re.fullmatch(pattern, file) and label == shown:
            # Generated wrappers stand in the same file; the YAML tells them apart.
            if kind == KERNEL and operator not in listed:
                return WRAPPER
            return kind
    return label


def flat(result):
    return result if isinstance(result, tuple) else (result,)


def difference(found, expected):
    """What is wrong with the device's results, or nothing."""
    if len(found) != len(expected):
        return f"{len(found)} results instead of {len(expected)}"
    for index, (one, other) in enumerate(zip(found, expected)):
        if not isinstance(other, torch.Tensor):
            if one != other:
                return f"result {index} is {one} instead of {other}"
        elif one.device.type != DEVICE:
            return f"result {index} is on {one.device}"
        else:
            try:
                torch.testing.assert_close(one.cpu(), other, equal_nan=True)
            except AssertionError as error:
                return f"result {index}: {error}"
    return None


def judge(operator, expected_kind, run, falling_back, listed):
    """Runs one case. Returns what served it, the key, where it was registered, and the faults."""
    key = SHOWN_AS[expected_kind][0]
    where, label = dispatch_row(operator, key)
    kind = served_by(operator, where, label, listed)
    faults = []
    if kind != expected_kind:
        faults.append(f"expected {expected_kind}")

    expected = flat(run(Inputs("cpu")))
    inputs = Inputs(DEVICE)
    torch.ops.demo.take_fallbacks()
    try:
        found = flat(run(inputs))
        wrong = difference(found, expected)
        if wrong:
            faults.append(wrong)
    except Exception as error:
        faults.append(f"{type(error).__name__}: {error}")
    fell_back = {name.removeprefix("aten::") for name in torch.ops.demo.take_fallbacks()}
    if fell_back != set(falling_back):
        faults.append(f"fell back: {sorted(fell_back)}, expected {sorted(falling_back)}")
    return kind, key, where, faults


def introduce_device():
    """PyTorch 2 wants to be told of the device, and asks the module torch.DEVICE about it."""
    if torch.__version__ >= "2":
        torch.utils.rename_privateuse1_backend(DEVICE)
        torch._register_device_module(DEVICE, types.ModuleType("torch." + DEVICE))


def main(library):
    torch.ops.load_library(library)
    introduce_device()
    listed = listed_operators()
    failures = 0

    print(f"{'operator':<29} {'served by':<21} {'key':<19} registered at")
    for operator, expected_kind, run, falling_back in CASES:
        kind, key, where, faults = judge(operator, expected_kind, run, falling_back, listed)
        print(f"{operator:<29} {kind:<21} {key:<19} {where}")
        for fault in faults:
            print(f"    FAILED: {fault}")
        failures += bool(faults)

    untested = listed - {operator for operator, *_ in CASES}
    if untested:
        print("FAILED: demo.yaml lists operators that no case runs:", ", ".join(sorted(untested)))
        failures += 1
    print(f"{len(CASES)} cases, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
