# judge_own_operators.py DIR COUNT SEED COMMAND...: as judge_python.py, for operators of triton_op() and for those that a
# project's own functions define, which DIR/.opsig.yaml describes. The release must have triton_op().
import os
import sys

from judge_python import NAMES, Arg, Maker, main

SETTINGS = """python-registrars:
  - {function: register_op, namespace: judge_all, default-key: CPU}
  - {function: declared, mutates-args: mutates, fake: fake, parameters: mutates fake, namespace: judge_all, default-key: CPU}
"""
REGISTRARS = '''import torch

own = torch.library.Library("judge_all", "FRAGMENT")


def register_op(op_name, op_func, mutates_args=None, fake_impl=None, target_lib=None, dispatch_key="CPU"):
    library = target_lib or own
    library.define(op_name + torch.library.infer_schema(op_func, mutates_args=mutates_args or []))
    library.impl(op_name, op_func, dispatch_key=dispatch_key)
    if fake_impl is not None:
        library._register_fake(op_name, fake_impl)


def declared(mutates=(), fake=None):
    def decorate(function):
        register_op(function.__name__, function, list(mutates), fake)
        return function

    return decorate
'''
PYTHON_TYPES = {
    "Tensor": "Tensor", "Tensor?": "typing.Optional[Tensor]", "int": "int", "float": "float", "bool": "bool", "str": "str",
    "int[]": "typing.List[int]", "int?": "typing.Optional[int]", "float[]": "typing.List[float]",
}  # fmt: skip
RETURNED = {"Tensor": "Tensor", "int": "int"}


class OwnMaker(Maker):
    def typed(self, args):
        """Parameters with annotations."""
        parts, starred = [], False
        for arg in args:
            if arg.keyword and not starred:
                parts.append("*")
                starred = True
            parts.append(f"{arg.name}: {PYTHON_TYPES[arg.type]}" + (f" = {arg.default}" if arg.default else ""))
        return ", ".join(parts)

    def arrow(self, returns):
        words = [RETURNED[one] for one in returns]
        return "None" if not words else words[0] if len(words) == 1 else f"typing.Tuple[{', '.join(words)}]"

    def triton_annotations(self):
        """Imported, not called: what the decorator takes."""
        self.custom()
        head, definition, _ = self.lines[-3:]
        arguments = head.split("custom_op(", 1)[1][:-1]
        name, rest = arguments.split(", ", 1)
        extra = self.rng.choice([""] * 5 + [", schema='(Tensor y) -> Tensor'", ", schema=None", ", schema='(Tensor(a!) x) -> ()'", ", schema='nonsense'",
                                 ", device_types='cpu'", ", device_types=('cpu', 'cuda')", ", device_types=None"])  # fmt: skip
        form = self.rng.choice(["decorator", "decorator", "curried", "given"])
        if self.chance(0.1):
            rest = ""
        rest = (rest + extra).lstrip(", ") if not rest else rest + extra
        self.what = f"triton_op {form} {self.what.partition(' ')[2]} {extra}"
        # Releases that ignore a schema take anything, but the operator is another one than the one that is written.
        self.undefined = "schema='" in extra and self.release < (2, 14)
        call = f"torch.library.triton_op({name}" + (f", {rest}" if rest else "")
        if form == "decorator":
            self.lines[-3] = f"@{call})"
            return
        del self.lines[-3]
        given = call.replace(name, f"{name}, f", 1) + ")" if form == "given" else f"{call})(f)"
        self.lines.append(f"made = {given}")

    def triton_schema(self):
        """A schema beside the annotations, which say the same or something else."""
        args = [Arg("x", "Tensor"), *(Arg(name, self.rng.choice(["float", "bool", "str"])) for name in self.rng.sample(NAMES, self.rng.randint(0, 2)))]
        said = self.rng.choice([args, args, args[:-1], [*args, Arg("more", "float")]]) or args
        schema = self.schema_text(said, ["Tensor"])
        schema = self.rng.choice([schema, schema, schema, schema.replace("-> Tensor", "-> Tensor[]"), schema.replace("Tensor x", "Tensor? x"), "nonsense"])
        self.lines += [f"@torch.library.triton_op('{self.ns}::f', mutates_args=(), schema={schema!r})", f"def f({self.typed(args)}) -> Tensor:",
                       "    return torch.empty_like(x)"]  # fmt: skip
        text = self.call_texts(args if self.release < (2, 14) else said, f"torch.ops.{self.ns}.f")[0]
        self.calls = [text, "FAKE:" + text]
        self.undefined = schema != self.schema_text(args, ["Tensor"]) and self.release < (2, 14)
        self.what = f"triton_op schema {schema}: {self.lines[-2]}"

    def triton_elements(self):
        """What the function asks of its tensors: it runs with fake ones, too."""
        line = self.rng.choice(["n = x.sum().item()", "n = float(x[0])", "n = 1 if x.any() else 2", "n = x.tolist()", "n = x.shape[0]", "n = x.numel()",
                                "n = x.sum()", "n = 1 if x is None else 2", "n = 1 if x.shape[0] > 1 else 2", "n = 1 if x.is_cuda else 2",
                                "n = int(x.shape[0])"])  # fmt: skip
        self.lines += [f"@torch.library.triton_op('{self.ns}::f', mutates_args=())", "def f(x: Tensor) -> Tensor:", f"    {line}", "    return torch.empty_like(x)"]
        self.calls = [f"torch.ops.{self.ns}.f(x())", f"FAKE:torch.ops.{self.ns}.f(x())"]
        self.what = f"triton_op elements {line}"

    def triton_results(self):
        """What the function returns, as a kernel and as the fake that it is, too."""
        args, returns = self.args(), self.rng.choice([["Tensor"], ["Tensor"], ["Tensor", "Tensor"], [], ["Tensor", "int"]])
        body = self.value(returns, "torch.empty(2, device=x.device)")
        self.what = f"triton_op returns {returns}: {body}"
        self.lines += [f"@torch.library.triton_op('{self.ns}::f', mutates_args=())", f"def f({self.typed(args)}) -> {self.arrow(returns)}:",
                       f"    return {body}"]  # fmt: skip
        text = self.call_texts(args, f"torch.ops.{self.ns}.f")[0]
        self.calls = [text, "FAKE:" + text]

    def triton_parts(self):
        """What is registered for the operator behind it."""
        args = self.args()
        text, kind = self.mutate(self.parameters(args))
        self.lines += [f"@torch.library.triton_op('{self.ns}::f', mutates_args={{}})", f"def f({self.typed(args)}) -> Tensor:", "    return x.clone()"]
        part = self.rng.choice(["fake", "fake-decorator", "kernel", "named-fake", "named-kernel"])
        fake = "fake" in part
        body = self.value(["Tensor"], "torch.empty(2, device='meta')" if fake else "torch.empty(2)")
        call = self.call_texts(args, f"torch.ops.{self.ns}.f")
        if part == "fake-decorator":
            self.lines += ["@f.register_fake", f"def g({text}):", f"    return {body}"]
        else:
            g = self.function("g", text, body)
            self.lines.append({
                "fake": f"f.register_fake({g})", "kernel": f"f.register_kernel('cpu', {g})",
                "named-fake": f"torch.library.register_fake('{self.ns}::f', {g})",
                "named-kernel": f"torch.library.register_kernel('{self.ns}::f', 'cpu', {g})",
            }[part])  # fmt: skip
        self.what = f"triton_op {part} {kind}: {body}"
        self.calls = [("FAKE:" if fake else "") + one for one in call]
        self.seen(args, text)

    def own_effects(self):
        """What is written and returned, against mutates_args."""
        body = self.rng.choice(["x.add_(1)", "x[0] = 3", "y.add_(x)", "torch.add(x, 1, out=x)", "torch.add(x, 1, out=y)", "pass", "x.clone().add_(1)"])
        result = self.rng.choice(["x.clone()"] * 5 + ["x", "y"])
        marked = self.chance(0.4)
        names = "('x',)" if marked else "()"
        # That nothing is written is no fault.
        self.warned = ["opsig-alias-unused", "opsig-alias-possible"]
        head, call = self.registered(names)
        self.lines += [*head, "def f(x: Tensor) -> Tensor:", "    y = torch.ones(2)", f"    {body}", f"    return {result}", *call]
        self.calls = [f"SCHEMA:torch.ops.{self.ns}.f(x())"]
        self.what = f"effects {head} {call}: {body}; {result}"

    def registered(self, names):
        """Lines in front of a function f, and behind it."""
        if self.chance(0.4):
            return [f"@torch.library.triton_op('{self.ns}::f', mutates_args={names})"], []
        self.lines += ["from registrars import register_op, declared", f"lib = Library({self.ns!r}, 'DEF')"]
        return [], [f"register_op('f', f, {names}, target_lib=lib)"]

    def registrar(self):
        """A function of the project's own, called or as a decorator, with a fake."""
        args, returns = self.args(), self.rng.choice([["Tensor"], ["Tensor"], ["Tensor", "Tensor"], []])
        text, kind = self.mutate(self.parameters(args))
        body = self.value(returns)
        fake_body = self.value(returns, "torch.empty(2, device='meta')")
        name, ns = f"f{self.ns}", "judge_all"
        mutates = self.rng.choice(["[]", "[]", "['x']", "['nope']", "['c']", "None"])
        typed = self.typed(args)
        if self.chance(0.15):
            typed = typed.replace(self.rng.choice([": int", ": float", ": Tensor"]), self.rng.choice([": dict", "", ": typing.Any"]), 1)
        form = self.rng.choice(["call", "keywords", "library", "decorator"])
        fake = self.rng.choice(["none", "fake", "fake", "fake"])
        self.lines += ["from registrars import register_op, declared"]
        if fake == "fake":
            self.lines += [f"def g({text}):", f"    return {fake_body}"]
        given = "g" if fake == "fake" else "None"
        head = [f"def {name}({typed}) -> {self.arrow(returns)}:", f"    return {body}"]
        key = self.rng.choice(["CPU"] * 6 + ["CPUU", "CompositeExplicitAutograd"])
        if form == "decorator":
            self.lines += [f"@declared(mutates={mutates if mutates != 'None' else '()'}, fake={given})", *head]
        elif form == "call":
            self.lines += [*head, f"register_op({name!r}, {name}, {mutates}, {given})"]
        elif form == "keywords":
            self.lines += [*head, f"register_op(op_name={name!r}, op_func={name}, fake_impl={given}, mutates_args={mutates}, dispatch_key={key!r})"]
        else:
            ns = self.ns
            self.lines += [f"lib = Library({ns!r}, 'DEF')", *head,
                           f"register_op({name!r}, op_func={name}, mutates_args={mutates}, target_lib=lib, fake_impl={given})"]  # fmt: skip
        calls = self.call_texts(args, f"torch.ops.{ns}.{name}")
        self.calls = [*calls, *("FAKE:" + call for call in calls if fake == "fake")]
        # Without a fake, and a mark of what is not written, it works, and opsig says what is better.
        self.warned = ["opsig-missing-meta", "opsig-alias-unused"]
        self.what = f"registrar {form} {key} {mutates} {kind}: {body}; {fake}: {fake_body}"
        self.seen(args, text if fake == "fake" else "")

    def make(self):
        self.compared, self.undefined, self.extra, self.warned, self.lambdas = [], False, None, [], []
        self.silent = False
        kinds = [self.triton_annotations] * 4 + [self.triton_schema, self.triton_elements, self.triton_results, self.triton_parts, self.own_effects] * 2 + [self.registrar] * 4
        self.rng.choice(kinds)()
        return "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, text in ((".opsig.yaml", SETTINGS), ("registrars.py", REGISTRARS)):
        with open(os.path.join(sys.argv[1], name), "w") as file:
            file.write(text)
    main(OwnMaker)
