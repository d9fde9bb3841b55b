# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mends kernels of random layouts with random faults, and judges what became of the files.

usage: layouts.py OPSIG CLANG TORCH_HEADERS COUNT SEED [APPLY]

They are mended by check --fix, by sync and, where APPLY is clang-apply-replacements, by that with
what --export-fixes writes, in turn. Every file is judged by itself: it compiles in each of its
configurations if it did, all comments and directives are there but for a removed parameter's own
comments, nothing changed outside of the lists with faults, a second run changes nothing, and the
exit status says whether findings are left. (Exported fixes are not read again: of those that overlap
one is made, and the status is that of the check.)
"""
import collections
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

OPSIG, CLANG, TORCH, COUNT, SEED, *APPLY = sys.argv[1:]
MODES = ["fix", "sync", *(["export"] if APPLY else [])]
FLAGS = ["-std=c++17", "-nostdinc++", "-isystem", TORCH]
TYPES = {  # schema type: the right C++ types, a wrong one
    "Tensor": (["const at::Tensor &", "at::Tensor const &", "const at::Tensor& "], "bool "),
    "int": (["int64_t "], "int "),
    "float": (["double "], "float "),
    "bool": (["bool "], "const at::Tensor &"),
    "Scalar": (["const at::Scalar &", "const at::Scalar& "], "double "),
    "int[]": (["at::IntArrayRef ", "c10::ArrayRef<int64_t> "], "int64_t "),
}
WRITTEN = {"Tensor": "x.defined()"}


class Layout:
    """Writes one file; every comment has a number of its own."""

    def __init__(self, rng):
        self.rng = rng
        self.comments = 0
        self.own = set()

    def chance(self, share):
        return self.rng.random() < share

    def block(self):
        self.comments += 1
        return f"/* c{self.comments} */"

    def blank(self):
        return self.rng.choice([" ", " ", "  ", "\n    ", "\t", f" {self.line()}\n    " if self.chance(0.4) else " "])

    def line(self):
        self.comments += 1
        return f"// c{self.comments}"

    def function(self, name, params, uses):
        """params: (type text, name, is wanted)"""
        texts = []
        for type_text, param, wanted in params:
            first = self.comments
            text = type_text
            if self.chance(0.15):
                text = text.rstrip() + " " + self.block() + " "
            if self.chance(0.1):
                text = text.replace("const at", "const " + self.block() + " at", 1)
            text += param
            if self.chance(0.05):
                text = text.replace("const at::Tensor &", "TENSOR_REF ")
            if self.chance(0.05):
                text = text.replace(param, f"NAMED({param})")
            if self.chance(0.05):
                text = "UNUSED " + text
            if self.chance(0.2):
                text = self.block() + " " + text
            if self.chance(0.2):
                text += " " + self.block()
            if not wanted:
                self.own.update(range(first + 1, self.comments + 1))
            texts.append(text)
        out = ""
        for i, text in enumerate(texts):
            first = self.comments
            comma = (self.blank() if self.chance(0.2) else "") + ("," + self.blank() if i else "")
            if i == 0:
                comma = self.blank() if self.chance(0.3) else ""
            if i and not params[i - 1][2]:
                self.own.update(range(first + 1, self.comments + 1))
            if i and self.chance(0.12):
                other = re.sub(r"/\* c\d+ \*/", "", text)
                out += f"\n#ifdef OTHER\n{comma or ','} {other}\n#else\n{comma or ','} {text}\n#endif\n"
            else:
                out += comma + text
        out += self.blank() if self.chance(0.2) else ""
        out = out if not self.chance(0.1) else out.replace(" ", " \\\n", 1)
        head = "template <typename T> " if name.endswith("t") else ""
        head += self.rng.choice(["static at::Tensor {}({}) ", "static auto {}({}) -> at::Tensor ",
                                "static at::Tensor\n{}({})\n"])
        body = "".join(f"  (void){use};\n" for use in uses)
        return head.format(name, out) + "{\n" + body + "  return {};\n}\n"


def make(rng):
    layout = Layout(rng)
    text, defs, impls = "#include <torch/library.h>\n", "", ""
    text += "#define TENSOR_REF const at::Tensor &\n#define NAMED(name) name\n"
    text += "#define UNUSED [[maybe_unused]]\n"
    for number in range(6):
        schema = [(rng.choice(list(TYPES)), f"p{i}") for i in range(rng.randrange(1, 5))]
        params = [(rng.choice(TYPES[ty][0]), name, True) for ty, name in schema]
        uses = [name for _, name in schema if layout.chance(0.3)]
        at = rng.randrange(len(params))
        fault = rng.choice(["none", "type", "extra", "used", "missing", "moved"])
        if fault == "type":
            params[at] = (TYPES[schema[at][0]][1], params[at][1], True)
        elif fault in ("extra", "used"):
            params.insert(at, ("c10::ScalarType ", "extra", False))
            uses += ["extra"] if fault == "used" else []
        elif fault == "missing":
            uses = [use for use in uses if use != params[at][1]]
            del params[at]
        elif fault == "moved":
            rng.shuffle(params)
        name = f"kernel{number}" + ("t" if layout.chance(0.1) else "")
        text += f"// before {name}\n" + layout.function(name, params, uses)
        arguments = ", ".join(f"{ty} {arg}" for ty, arg in schema)
        defs += f'  m.def("op{number}({arguments}) -> Tensor");\n'
        impls += f'  m.impl("op{number}", {rng.choice(["", "&"])}{name}{"<int>" if name.endswith("t") else ""});\n'
    text += f"TORCH_LIBRARY(demo, m) {{\n{defs}}}\nTORCH_LIBRARY_IMPL(demo, CPU, m) {{\n{impls}}}\n"
    if layout.chance(0.2):
        text = text.replace("\n", "\r\n")
    return text, layout.own


def compiles(path, define):
    run = [CLANG, "-fsyntax-only", "-w", *FLAGS, *define, "-x", "c++", str(path)]
    return subprocess.run(run, capture_output=True).returncode == 0


def opsig(command, path, *options):
    run = [OPSIG, command, "--schemas", str(path.parent / "native.yaml"), "--tags",
           str(path.parent / "tags.yaml"), "--torch", "2.4", *options, str(path), "--", *FLAGS]
    return subprocess.run(run, capture_output=True, text=True)


def mend(path, mode):
    if mode == "fix":
        return opsig("check", path, "--fix")
    if mode == "sync":
        return opsig("sync", path)
    fixes = path.parent / "fixes"
    fixes.mkdir(exist_ok=True)
    done = opsig("check", path, "--export-fixes", str(fixes / "fixes.yaml"))
    subprocess.run([APPLY[0], str(fixes)], check=True, capture_output=True)
    return done


def kept(text, own):
    comments = re.findall(r"(?:/\* |// )c(\d+)", text)
    return collections.Counter(c for c in comments if int(c) not in own), \
        collections.Counter(re.findall(r"^#.*", text, re.M))


def judge(path, own, mode):
    before = path.read_bytes().decode()
    whole = {define: compiles(path, define) for define in [(), ("-DOTHER",)]}
    first = mend(path, mode)
    after = path.read_bytes().decode()
    for define, did in whole.items():
        if did and not compiles(path, define):
            yield f"no longer compiles {' '.join(define)}"
    (had, directives), (has, still) = kept(before, own), kept(after, own)
    if directives != still or had - has:
        yield f"lost {sorted((directives - still) + (had - has))}"
    outside = r"\(demo(?s:.*)|^// before.*$|^\}.*$|^  return.*$|^  \(void\).*$"
    if re.findall(outside, before, re.M) != re.findall(outside, after, re.M):
        yield "changed outside of the lists"
    if first.returncode > 1:
        yield f"exit status {first.returncode}\n{first.stderr[-600:]}"
    if mode == "export":
        return
    mend(path, mode)
    if path.read_bytes().decode() != after:
        yield "a second run changes more"
    left = opsig("check", path).stdout
    if (first.returncode == 0) == bool(re.search("(error|warning):", left)):
        yield f"exit status {first.returncode}\n{left[-600:]}{first.stderr[-600:]}"


violations = mended = 0
with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    (folder / "native.yaml").write_text("- func: t(Tensor self) -> Tensor\n")
    (folder / "tags.yaml").write_text("- tag: core\n  desc: none\n")
    for number in range(int(COUNT)):
        seed = int(SEED) + number
        text, own = make(random.Random(seed))
        path = folder / "kernels.cpp"
        path.write_bytes(text.encode())
        mode = MODES[seed % len(MODES)]
        for violation in judge(path, own, mode):
            violations += 1
            print(f"seed {seed}, {mode}: {violation}")
        mended += path.read_bytes().decode() != text
print(f"{COUNT} files, {mended} changed, {violations} violations")
