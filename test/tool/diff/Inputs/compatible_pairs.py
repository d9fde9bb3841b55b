# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws pairs of schemas, old and new, and compares what libtorch and `opsig diff --since` say of each.

  compatible_pairs.py draw SEED COUNT             pairs as JSON lines on standard output
  compatible_pairs.py ask PAIRS                   libtorch's answer to each pair, a JSON line each; needs torch
  compatible_pairs.py compare PAIRS ANSWERS FOLDER [OPTION...]
                                                  runs opsig in a new repository in FOLDER, prints where it differs

An answer is [backward, forward]; null where libtorch cannot read one of the schemas. A comparison that libtorch ends with
an exception is none that holds.
"""
import json
import os
import random
import subprocess
import sys

BASES = (
    "Tensor Tensor Tensor int int float bool str Scalar SymInt ScalarType Layout MemoryFormat Device Generator complex "
    "Any Storage Stream QScheme t u SymBool ConstQuantizerPtr DeviceIndex Dimname"
).split()
DEFAULTS = {
    "int": ["0", "1", "-1", "01", "Mean", "True", "1.0", "float", "None"],
    "SymInt": ["0", "1", "2"],
    "float": ["0", "1", "1.0", "0.5", "-0.0", "1e3", "1000"],
    "bool": ["True", "False", "1"],
    "str": ["'a'", '"a"', "'\\141'", "''", "'b'"],
    "Scalar": ["0", "1", "1.0", "True", "1j", "-1"],
    "complex": ["1j", "-1j"],
    "ScalarType": ["float", "6", "long"],
    "Layout": ["strided", "0"],
    "MemoryFormat": ["contiguous_format", "0"],
    "Device": ["'cpu'", "'cuda:1'", '"cpu"'],
    "Tensor": ["None"],
    "Generator": ["None"],
}
LISTS = {
    "int": ["[]", "[0]", "[1]", "[1, 1]", "[0, 1]"],
    "float": ["[]", "[1]", "[1.0]"],
    "bool": ["[True]", "[True, False]", "[]"],
    "SymInt": ["[]", "[1]"],
}
MARKS = ["(a)", "(a!)", "(b)", "(b!)", "(a|b)", "(b|a)", "(a -> a)", "(a! -> a|b)", "(*)", "(a -> *)", "!"]


class Drawer:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def chance(self, part):
        return self.r.random() < part

    def base(self, depth=0):
        r = self.r
        if depth > 2 or not self.chance(0.12):
            return r.choice(BASES)
        kind = r.choice(["tuple", "Dict", "Union", "Union", "Future", "RRef", "Await", "number"])
        inner = lambda: self.type(depth + 1)[0]
        if kind == "tuple":
            return "(" + ", ".join(inner() for _ in range(r.randint(1, 3))) + ")"
        if kind == "Dict":
            return f"Dict({r.choice(['str', 'int'])}, {inner()})"
        if kind == "Union":
            return "Union(" + ", ".join(inner() for _ in range(r.randint(2, 3))) + ")"
        if kind == "number":
            return "Union(int, float, complex)"
        return f"{kind}({inner()})"

    def type(self, depth=0, marks=False):
        """A type with its annotation, its base, and what may be its default: "", "optional", "list", a size."""
        r = self.r
        base = self.base(depth)
        shape = r.choices(["", "?", "[]", "[]?", "?[]", "[2]", "[2]?", "[][]"], [55, 14, 12, 4, 4, 5 * (not depth), 2 * (not depth), 2])[0]
        mark = r.choice(MARKS) if marks and (base == "Tensor" or self.chance(0.05)) and self.chance(0.5) else ""
        text = base + mark + shape
        if marks and "[]" in shape and self.chance(0.1):
            text = base + (mark if self.chance(0.5) else "") + shape.replace("[]", "[]" + r.choice(["(a)", "(b!)", "(a!)"]), 1)
        return text, base, shape

    def default(self, base, shape):
        r = self.r
        if shape == "":
            return r.choice(DEFAULTS.get(base, ["None"]))
        if shape in ("?", "[]?", "?[]"):
            return r.choice(["None", "None", r.choice(DEFAULTS.get(base, ["None"]))])
        if shape == "[2]":
            return r.choice(["1", "0", *LISTS.get(base, ["[]"])])
        if shape == "[2]?":
            return r.choice(["None", "1"])
        return r.choice(LISTS.get(base, ["[]"]))

    def argument(self, name, out=False):
        if out:
            mark = self.r.choice(["(a!)", "(b!)", "(c!)"])
            return {"name": name, "type": "Tensor" + mark + self.r.choice(["", "", "", "[]"]), "default": None}
        text, base, shape = self.type(marks=self.chance(0.3))
        return {"name": name, "type": text, "default": self.default(base, shape) if self.chance(0.4) else None}

    def schema(self):
        r = self.r
        names = iter(["x", "y", "z", "n", "m", "k", "w", "v", "out", "out2"])
        return {
            "args": [self.argument(next(names)) for _ in range(r.randint(0, 3))],
            "kwargs": [self.argument(next(names)) for _ in range(r.choice([0, 0, 1, 2]))],
            "outs": [self.argument(next(names), out=True) for _ in range(r.choice([0, 0, 0, 1, 2]))],
            "returns": [self.result() for _ in range(r.choice([0, 1, 1, 1, 2]))],
            "varargs": self.chance(0.02),
            "varrets": self.chance(0.02),
        }

    def result(self):
        text, _, _ = self.type(marks=self.chance(0.3))
        return text + (" " + self.r.choice(["a", "b"]) if self.chance(0.15) else "")

    def changed(self, schema):
        """One to three changes; each alone may keep or break either direction."""
        r = self.r
        new = json.loads(json.dumps(schema))
        for _ in range(r.choice([1, 1, 1, 2, 3])):
            part = r.choice(["args", "args", "args", "kwargs", "outs", "returns", "order"])
            items = new[part] if part != "order" else []
            what = r.choice(["type", "type", "shape", "default", "default", "name", "add", "add", "drop", "mark"])
            if part == "order":
                pair = [("args", "kwargs"), ("kwargs", "args"), ("args", "args")][r.randrange(3)]
                if new[pair[0]]:
                    new[pair[1]].insert(r.randint(0, len(new[pair[1]])), new[pair[0]].pop())
            elif part == "returns":
                if what in ("add", "drop") or not items:
                    items.append(self.result()) if what == "add" or not items else items.pop()
                elif what in ("type", "mark", "name"):
                    items[r.randrange(len(items))] = self.result()
                else:
                    at = r.randrange(len(items))
                    words = items[at].split(" ")
                    items[at] = items[at].replace("?", "") if "?" in items[at] else words[0] + "?" + "".join(" " + w for w in words[1:])
            elif what == "add" or not items:
                name = r.choice(["p", "q", "o"])
                added = self.argument(name, out=part == "outs")
                if part != "outs" and self.chance(0.6) and added["default"] is None:
                    added["type"], added["default"] = r.choice([("int", "1"), ("Tensor?", "None"), ("int[]", "[]"), ("float", "1"), ("bool", "True"), ("int[2]", "1")])
                items.insert(len(items) if self.chance(0.7) else 0, added)
            elif what == "drop":
                items.pop(r.randrange(len(items)))
            else:
                item = r.choice(items)
                if what == "type":
                    item.update(self.argument(item["name"], out=part == "outs"))
                elif what == "shape":
                    item["type"] = item["type"].replace("?", "", 1) if "?" in item["type"] else item["type"] + "?"
                elif what == "name":
                    item["name"] = r.choice(["p", "q", item["name"]])
                elif what == "mark":
                    item["type"] = item["type"].replace("(a", "(b", 1) if "(a" in item["type"] else item["type"].replace("Tensor", "Tensor(a)", 1)
                elif item["default"] is None:
                    _, base, shape = self.type()
                    stem = item["type"].split("(")[0].split("?")[0].split("[")[0].split("!")[0]
                    item["default"] = self.default(stem, item["type"][len(stem):] if "(" not in item["type"] else "")
                else:
                    item["default"] = r.choice([None, item["default"], r.choice(["0", "1", "None", "1.0", "True", "[]", "[1]", "[1, 1]"])])
        return new

    def text(self, schema):
        show = lambda a: f"{a['type']} {a['name']}" + (f"={a['default']}" if a["default"] is not None else "")
        # libtorch 1.13 does not survive an argument without default behind one that has one.
        last = max((at for at, a in enumerate(schema["args"]) if a["default"] is None), default=-1)
        args = [show({**a, "default": None} if at < last else a) for at, a in enumerate(schema["args"])]
        keywords = [show(a) for a in schema["kwargs"] + schema["outs"]]
        if keywords:
            args += ["*", *keywords]
        if schema["varargs"]:
            args.append("...")
        returns = list(schema["returns"])
        if schema["varrets"]:
            returns.append("...")
        one = len(returns) == 1 and not returns[0].startswith("(")
        return f"({', '.join(args)}) -> " + (returns[0] if one else "(" + ", ".join(returns) + ")")


def draw(seed, count):
    d = Drawer(int(seed))
    for number in range(int(count)):
        old = d.schema()
        new = d.changed(old) if d.chance(0.9) else d.schema()
        print(json.dumps([f"f{number}" + d.text(old), f"f{number}" + d.text(new)]))


def ask(path):
    import torch

    def holds(question):
        try:
            answer = question()
        except (IndexError, RuntimeError):
            return False
        return answer[0] if isinstance(answer, tuple) else answer

    # What can be defined, parse_schema() reads; it also reads what cannot be.
    libraries = [torch.library.Library("judge_" + side, "DEF") for side in ("old", "new")]
    for line in open(path):
        try:
            for library, text in zip(libraries, json.loads(line)):
                library.define(text)
            old, new = (torch._C.parse_schema("judge::" + text) for text in json.loads(line))
        except Exception:
            print("null")
            continue
        print(json.dumps([holds(lambda: new.is_backward_compatible_with(old)), holds(lambda: new.check_forward_compatible_with(old))]))


def compare(pairs, answers, folder, *options):
    pairs = [json.loads(line) for line in open(pairs)]
    answers = [json.loads(line) for line in open(answers)]
    assert len(pairs) == len(answers)
    chosen = [(pair, answer) for pair, answer in zip(pairs, answers) if answer is not None]
    os.mkdir(folder)

    def git(*words):
        subprocess.run(["git", "-c", "user.name=judge", "-c", "user.email=judge@localhost", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def write(side):
        with open(os.path.join(folder, "ops.py"), "w") as file:
            file.write('import torch\nlib = torch.library.Library("judge", "DEF")\n')
            for pair, _ in chosen:
                file.write(f"lib.define({pair[side]!r})\n")

    git("init", "-q", ".")
    write(0)
    git("add", ".")
    git("commit", "-qm", "old")
    write(1)
    run = subprocess.run(["opsig", "diff", "--since", "HEAD", "--format", "json", *options, "ops.py"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    said = {}
    for line in run.stdout.splitlines():
        change = json.loads(line)
        if "op" in change:
            said[change["op"]] = change
    differ = unread = 0
    kinds = {}
    for (old, new), answer in chosen:
        change = said.get("judge::" + old.split("(")[0])
        if change and "backward_compatible" not in change:
            unread += 1
            print(f"not compared: {change.get('why')}\n  {old}\n  {new}")
            continue
        got = [change["backward_compatible"], change["forward_compatible"]] if change else [True, True]
        kinds[tuple(answer)] = kinds.get(tuple(answer), 0) + 1
        if got != answer:
            differ += 1
            print(f"libtorch says {answer}, opsig {got} {change}\n  {old}\n  {new}")
    for kind in sorted(kinds):
        print(f"backward {kind[0]}, forward {kind[1]}: {kinds[kind]} pairs")
    print(f"{len(chosen) - unread} pairs compared, {unread} not compared, {differ} disagreements")
    return bool(differ or unread)


if __name__ == "__main__":
    sys.exit({"draw": draw, "ask": ask, "compare": compare}[sys.argv[1]](*sys.argv[2:]))
