#!/usr/bin/python3
"""Compares what opsig says of sizes in Meta kernels and fakes with what make_fx(tracing_mode="symbolic") makes of them.

usage: judge_shapes.py DIR COUNT SEED OPSIG-COMMAND...

Writes COUNT Meta kernels in C++ and COUNT fakes in Python, right and wrong ones, into DIR, and traces each operator with
symbolic sizes. Where the trace fails, has a guard, or has a number in the place of a size, opsig has to have a finding,
and nowhere else. Then `--fix` edits them: what it edited has to be traced without a guard, with symbolic sizes.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

FLAGS = [os.environ.get("OPSIG_TORCH_STD", "-std=c++17"), "-w", "-O0", "-fPIC", "-shared"]


class Kernel:
    """A body, and which sizes of the tensor that it returns come from the input."""

    def __init__(self, body, symbolic):
        self.body, self.symbolic = body, symbolic


class CppMaker:
    """Bodies in C++; `rank` of the input is 2."""

    READS = ["x.size(0)", "x.size(1)", "x.size(-1)", "x.sizes()[0]", "x.numel()", "x.stride(0)"]
    SYMBOLIC = ["x.sym_size(0)", "x.sym_size(-1)", "x.sym_sizes()[1]", "x.sym_numel()"]
    MAKERS = ["at::empty{0}({{{1}}}, x.options())", "at::zeros{0}({{{1}}}, x.options())", "x.new_empty{0}({{{1}}})",
              "at::full{0}({{{1}}}, 1.5, x.options())"]  # fmt: skip

    def __init__(self, rng):
        self.rng = rng

    def make(self):
        return self.rng.choice([self.sized] * 6 + [self.list, self.value, self.plain, self.checked])()

    def sized(self):
        """Of sizes that are read as numbers, as symbols, or not at all."""
        rng = self.rng
        is_right = rng.random() < 0.4
        lines, sizes, symbolic = [], [], []
        for number in range(rng.randint(1, 2)):
            if rng.random() < 0.2:
                sizes.append(str(rng.randint(2, 9)))
                symbolic.append(False)
                continue
            read = rng.choice(self.SYMBOLIC if is_right else self.READS)
            read = rng.choice(["{}", "{} * 2", "2 * {}", "{} + 1"]).format(read)
            if rng.random() < 0.4:
                kind = rng.choice(["c10::SymInt", "auto", "const auto"] if is_right else ["int64_t", "auto", "const int64_t"])
                lines.append(f"{kind} n{number} = {read};")
                read = f"n{number}"
            sizes.append(read)
            symbolic.append(True)
        is_symint = is_right and any(symbolic)
        maker = rng.choice(self.MAKERS).format("_symint" if is_symint else "", ", ".join(sizes))
        return Kernel([*lines, f"return {maker};"], symbolic)

    def list(self):
        name = self.rng.choice(["sizes", "sym_sizes"])
        word = "_symint" if name == "sym_sizes" else ""
        how = self.rng.choice(["auto s = x.{}();", "auto s = x.{}().vec();"]).format(name)
        return Kernel([how, f"return at::empty{word}(s, x.options());"], [True, True])

    def value(self):
        return Kernel([f"auto n = x.{self.rng.choice(['sum().', 'max().'])}item<double>();",
                       "return at::empty({n > 0 ? 2 : 3}, x.options());"], [False])  # fmt: skip

    def plain(self):
        return self.rng.choice([
            Kernel(["return at::empty_like(x);"], [True, True]),
            Kernel(["return at::empty({x.dim(), 3}, x.options());"], [False, False]),
            Kernel(["TORCH_CHECK(x.dim() == 2);", "return x.clone();"], [True, True]),
        ])  # fmt: skip

    def checked(self):
        read = self.rng.choice(["x.size(0)", "x.sym_size(0)"])
        return Kernel([f"TORCH_CHECK({read} > 0);", "return at::empty_like(x);"], [True, True])

    @staticmethod
    def text(kernels):
        out = ["#include <ATen/ATen.h>", "#include <torch/library.h>"]
        for number, kernel in enumerate(kernels):
            out += [f"at::Tensor k{number}_meta(const at::Tensor &x) {{", *("  " + line for line in kernel.body), "}"]
        names = range(len(kernels))
        out += ["TORCH_LIBRARY(judge, m) {", *(f'  m.def("k{n}(Tensor x) -> Tensor");' for n in names), "}"]
        return "\n".join([*out, "TORCH_LIBRARY_IMPL(judge, Meta, m) {", *(f'  m.impl("k{n}", &k{n}_meta);' for n in names), "}", ""])


class PythonMaker:
    READS = ["x.shape[0]", "x.size(1)", "x.numel()", "x.shape[-1]", "x.stride(0)"]
    MAKERS = ["x.new_empty({})", "torch.empty(({},), dtype=x.dtype, device=x.device)", "x.new_zeros(({},))",
              "torch.full([{}], 1.5, device=x.device)"]  # fmt: skip

    def __init__(self, rng):
        self.rng = rng

    def make(self):
        return self.rng.choice([self.sized] * 6 + [self.value, self.plain, self.branch])()

    def sized(self):
        rng = self.rng
        is_right = rng.random() < 0.4
        lines, sizes, symbolic = [], [], []
        for number in range(rng.randint(1, 2)):
            if rng.random() < 0.2:
                sizes.append(str(rng.randint(2, 9)))
                symbolic.append(False)
                continue
            read = rng.choice(self.READS)
            read = rng.choice(["{}", "{} * 2", "({} + 1)"]).format(read)
            read = read if is_right else rng.choice(["int({})", "int({}) * 3"]).format(read)
            if rng.random() < 0.4:
                lines.append(f"n{number} = {read}")
                read = f"n{number}"
            sizes.append(read)
            symbolic.append(True)
        return Kernel([*lines, "return " + rng.choice(self.MAKERS).format(", ".join(sizes))], symbolic)

    def value(self):
        read = self.rng.choice(["x.sum().item()", "x.max().item()", "float(x.sum())", "x.tolist()"])
        return Kernel([f"n = {read}", "return x.new_empty(2) if n else x.new_empty(3)"], [False])

    def branch(self):
        test = self.rng.choice(["x.any()", "(x > 0).all()", "x.sum() > 0", "torch.any(x)", "x.dim() == 2", "x.is_contiguous()", "x is not None"])
        return Kernel([f"if {test}:", "    return torch.empty_like(x)", "return x.new_empty(x.shape)"], [True, True])

    def plain(self):
        return self.rng.choice([
            Kernel(["return torch.empty_like(x)"], [True, True]),
            Kernel(["return x.new_empty(x.shape)"], [True, True]),
            Kernel(["b, *rest = x.shape", "return x.new_empty([b, *rest])"], [True, True]),
            Kernel(["n = int(x.dim())", "return x.new_empty(n)"], [False]),
        ])  # fmt: skip

    @staticmethod
    def text(kernels):
        out = ["import torch", 'lib = torch.library.Library("judge_python", "DEF")']
        for number, kernel in enumerate(kernels):
            out += [f'lib.define("k{number}(Tensor x) -> Tensor")', "", "", f'@torch.library.register_fake("judge_python::k{number}")',
                    f"def k{number}_fake(x):", *("    " + line for line in kernel.body), ""]  # fmt: skip
        return "\n".join(out) + "\n"


def findings(command, path):
    """operator => ids of its findings"""
    out = subprocess.run([*command, path], capture_output=True, text=True)
    if out.returncode not in (0, 1):
        sys.exit(out.stdout + out.stderr)
    found = {}
    for line in out.stdout.splitlines():
        hit = json.loads(line)
        found.setdefault(hit["op"].rpartition("::")[2], set()).add(hit["id"])
    return found


def load(path, namespace):
    """Registers what a file has, in a namespace of its own."""
    text = re.sub(r"\bjudge(?:_python)?\b(?=\"|,|::)", namespace, path.read_text())
    renamed = path.with_name(namespace + path.suffix)
    renamed.write_text(text)
    if path.suffix == ".py":
        spec = importlib.util.spec_from_file_location(namespace, renamed)
        sys.modules[namespace] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[namespace])
        return
    import torch

    library = path.with_name(namespace + ".so")
    subprocess.run(["clang++-22", *FLAGS, renamed, "-o", library, "-ltorch_cpu", "-ltorch", "-lc10"], check=True)
    torch.ops.load_library(str(library))


def apart(function, *arguments):
    """Its result, of a process of its own: a kernel that fails may leave PyTorch in a state that others find."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(write, function(*arguments).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        out = pipe.read()
    _, status = os.waitpid(pid, 0)
    return out if status == 0 else f"ended with status {status}"


def traced(namespace, name, kernel):
    """What is wrong with the trace of an operator; "" for nothing."""
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx

    operator = getattr(getattr(torch.ops, namespace), name)
    try:
        graph = make_fx(lambda x: operator(x), tracing_mode="symbolic")(torch.randn(5, 7))
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0][:100]
    if graph.shape_env.guards:
        return f"a guard: {graph.shape_env.guards[0].expr}"
    output = next(node for node in graph.graph.nodes if node.op == "output").args[0]
    sizes = [isinstance(size, torch.SymInt) for size in output.meta["val"].shape]
    return "" if sizes == kernel.symbolic else f"sizes {tuple(output.meta['val'].shape)}"


def judge(maker, path, count, command):
    """Counts of kernels, faults, fixed ones and disagreements."""
    kernels = [maker.make() for _ in range(count)]
    path.write_text(maker.text(kernels))
    found = findings(command, path)
    fixed = path.with_name("fixed" + path.suffix)
    fixed.write_text(path.read_text())
    subprocess.run([*command, "--fix", fixed], capture_output=True)
    left = findings(command, fixed)
    for source, word in ((path, "before"), (fixed, "after")):
        load(source, f"judge_{word}_{path.suffix[1:]}")
    faults = mended = wrong = 0
    for number, kernel in enumerate(kernels):
        name = f"k{number}"
        said = {word: apart(traced, f"judge_{word}_{path.suffix[1:]}", name, kernel) for word in ("before", "after")}
        faults += bool(said["before"])
        is_mended = name in found and name not in left
        mended += is_mended
        if bool(said["before"]) != (name in found) or is_mended and said["after"]:
            wrong += 1
            print(f"{path.name} {name}: {kernel.body}: {said}; opsig: {sorted(found.get(name, []))}, left: {sorted(left.get(name, []))}")
    return faults, mended, wrong


def main():
    folder, count, seed, command = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    import torch

    release = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if release < (2, 4):
        print(f"PyTorch {torch.__version__} is not judged: it has no fakes")
        return
    from torch.fx.experimental.proxy_tensor import make_fx

    # What a first trace imports, each of the others would import anew.
    make_fx(lambda x: x + 1, tracing_mode="symbolic")(torch.ones(5, 7))
    torch.set_num_threads(1)
    rng = random.Random(seed)
    sums = [0, 0, 0]
    for maker, name in ((CppMaker(rng), "kernels.cpp"), (PythonMaker(rng), "fakes.py")):
        sums = [a + b for a, b in zip(sums, judge(maker, folder / name, count, command))]
    print(f"{2 * count} kernels, {sums[0]} faults seen, {sums[1]} fixed; {sums[2]} disagreements")


main()
