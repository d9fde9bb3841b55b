# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that people guess, for every operator of a release: which operators does opsig name instead, and which names
does it edit?

guessed_names.py OPSIG EVERY ROOT_ARGUMENTS -- COMPILER_ARGUMENTS

Of the names each EVERYth one is tried.

Prints how many names were tried, and one line for each that is wrong:
- the operator exists (without its overload) and another one is suggested;
- an edit changes an operator into another one, where that one is PyTorch's or the name is more than a typo;
- another operator is suggested that is more than two edits away, or differs by an affix.
"""
import json
import re
import subprocess
import sys

GUESSES = ["", "out", "Tensor", "Scalar", "Tensor_out", "Scalar_out", "default_out"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
KNOWN_TYPES = re.compile(r"(const at::Tensor &|at::Tensor &|at::Tensor|int64_t|double|bool|const at::Scalar &|"
                         r"at::IntArrayRef) \w+$")


def base_of(name):
    return name.split("::")[-1].split(".")[0]


def near_names(base, number):
    """Four names at distance one, others for each operator."""
    at = number % len(base)
    letter = LETTERS[number % 26]
    return [base[:at] + base[at + 1:], base[:at] + letter + base[at + 1:], base[:at] + letter + base[at:],
            base[:at] + base[at + 1:at + 2] + base[at:at + 1] + base[at + 2:]]


def edits(a, b):
    """The distance of Damerau and Levenshtein, without its restriction to ends."""
    rows = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            best = min(rows[i - 1, j] + 1, rows[i, j - 1] + 1, rows[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                best = min(best, rows[i - 2, j - 2] + 1)
            rows[i, j] = best
    return rows[len(a), len(b)]


def is_affix(a, b):
    """One has '_', "r" or a word in front or behind that the other lacks."""
    short, long = sorted((a, b), key=len)
    front = long[:len(long) - len(short)] if short and long.endswith(short) else ""
    behind = long[len(short):] if long.startswith(short) else ""
    return front.endswith("_") or behind.startswith("_") or front == "r" and not short.startswith("r") or front == "mat"


def suggested(message):
    """The names that a message suggests."""
    _, question, rest = message.partition("; did you mean ")
    if not question:
        _, question, rest = re.sub("; its (only overload is|overloads are) ", "; its overloads: ", message).partition(
            "; its overloads: ")
    return re.findall(r"'([^']+)'", rest)


class Judge:
    def __init__(self, operators):
        self.bases = {base_of(op["op"]) for op in operators}
        self.tried = self.answered = self.edited = 0
        self.wrong = []

    def suggestions(self, where, written, names):
        self.tried += 1
        self.answered += bool(names)
        base = base_of(written)
        for name in names:
            other = base_of(name)
            # A function of C++ may be named for an overload: "add_out" is "add.out".
            spelled = name.split("::")[-1].replace(".", "_") == written.split("::")[-1]
            if base in self.bases and other != base and not spelled:
                self.wrong.append(f"{where}: '{written}' exists, suggested is '{name}'")
            if other != base and not spelled and (edits(base, other) > 2 or is_affix(base, other)):
                self.wrong.append(f"{where}: '{name}' is no typo of '{written}'")

    def edit(self, where, old, new):
        self.edited += 1
        # Of a project all names are known, so a typo can be certain.
        is_typo = where.startswith("own::") and base_of(old) not in self.bases and edits(base_of(old), base_of(new)) <= 2
        if base_of(old) != base_of(new) and not is_typo:
            self.wrong.append(f"{where}: '{old}' becomes '{new}'")


def guessed(operators):
    """Names that no operator has, with the operator that they were made of."""
    known = {op["op"] for op in operators}
    bases = {base_of(op["op"]) for op in operators}
    out, seen = [], set()
    for number, op in enumerate(operators):
        base = base_of(op["op"])
        _, _, other = operators[(number * 7 + 3) % len(operators)]["op"].partition(".")
        names = [base + "." + guess if guess else base for guess in GUESSES + [other]]
        names += [near + op["op"][len(base):] for near in near_names(base, number) if near and near not in bases]
        for name in names:
            # What has no overload stands for all of them where names are looked up.
            if name not in known and name not in seen and ("." in name or name not in bases):
                seen.add(name)
                out.append((name, op))
    return out


def check_show(opsig, root, names, judge):
    for first in range(0, len(names), 4000):
        asked = [name for name, _ in names[first:first + 4000]]
        run = subprocess.run([opsig, "show", *root, *asked], capture_output=True, text=True)
        lines = re.findall(r"unknown operator '([^']+)'(.*)", run.stderr)
        assert [name for name, _ in lines] == asked, run.stderr[-500:]
        for name, rest in lines:
            judge.suggestions("show", name, suggested(rest))


def source_of(names):
    """Kernels of the right type under wrong names: for PyTorch's operators, and for the same of a project."""
    kernels, own, theirs, lines = {}, [], [], []
    for name, op in names:
        declared = op["signatures"]["dispatcher"]
        types, _, parameters = declared[:-1].partition("(")
        if not types.startswith("at::Tensor") or not all(map(KNOWN_TYPES.match, parameters.split(", "))):
            continue
        if op["op"] not in kernels:
            kernels[op["op"]] = f"k{len(kernels)}"
            returned = types.rsplit(" ", 1)[0]
            lines.append(f"{returned} {kernels[op['op']]}({parameters});")
            own.append(f'  m.def("{op["schema"]}");')
        theirs.append(f'  m.impl("{name}", &{kernels[op["op"]]});')
    blocks = [("TORCH_LIBRARY(own, m)", own), ("TORCH_LIBRARY_IMPL(own, PrivateUse1, m)", theirs),
              ("TORCH_LIBRARY_IMPL(aten, PrivateUse1, m)", theirs)]
    text = "#include <torch/library.h>\n" + "\n".join(lines) + "\n"
    for head, body in blocks:
        text += head + " {\n" + "\n".join(body) + "\n}\n"
    return text


def check_registrations(opsig, root, compiler, names, judge):
    with open("guessed.cpp", "w", encoding="utf-8") as file:
        file.write(source_of(names))
    with open("guessed.cpp", "rb") as file:
        source = file.read()
    run = subprocess.run([opsig, "check", *root, "--format=json", "guessed.cpp", "--", *compiler],
                         capture_output=True, text=True)
    for line in run.stdout.splitlines():
        found = json.loads(line)
        if found["id"] not in ("opsig-impl-without-def", "opsig-def-without-kernel"):
            continue
        written = re.search(r"'([^']+)'", found["message"]).group(1)
        judge.suggestions(found["id"], written, suggested(found["message"]))
        for fix in found["fixes"]:
            judge.edit(written, source[fix["offset"]:fix["offset"] + fix["length"]].decode(), fix["text"])


def main():
    opsig, every, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    end = arguments.index("--")
    root, compiler = arguments[:end], arguments[end + 1:]
    run = subprocess.run([opsig, "show", "--all", "--format=json", *root], capture_output=True, text=True, check=True)
    operators = [json.loads(line) for line in run.stdout.splitlines()]
    operators = [op for op in operators if "::" not in op["op"]]
    judge = Judge(operators)
    names = guessed(operators)[::every]
    check_show(opsig, root, names, judge)
    check_registrations(opsig, root, compiler, names, judge)
    print("\n".join(judge.wrong))
    print(f"{len(operators)} operators, {judge.tried} names, {judge.answered} answers, {judge.edited} edits, "
          f"{len(judge.wrong)} wrong")


main()
