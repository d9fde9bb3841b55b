# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a function gives back, as far as its text makes it certain.

a function => Given: "form", "count" and "tensors" of RESULT (python_functions.py), and the annotation that fits

A value is a tensor if it surely is one where it is anything at all; what raises gives nothing.
"""
import ast

from python_spelling import tensor_name
from python_text import above, is_nothing, named_parameters, own_nodes

# What makes a tensor of the size that it gets, and the methods that do.
SIZED = {"torch." + name for name in ("empty", "zeros", "ones", "full", "empty_strided", "rand", "randn")}
SIZED_METHODS = {"new_empty", "new_zeros", "new_ones", "new_full", "new_empty_strided", "expand", "view", "reshape"}
# What gives one tensor, whatever it gets.
MAKERS = SIZED | {
    "torch." + name
    for name in (
        "arange", "linspace", "empty_like", "zeros_like",
        "ones_like", "full_like", "rand_like", "randn_like", "stack", "cat", "concat", "clone", "relu", "sigmoid", "tanh",
        "softmax", "log_softmax", "exp", "log", "sqrt", "rsqrt", "abs", "neg", "matmul", "mm", "bmm", "addmm", "add", "sub",
        "mul", "div", "pow", "clamp", "einsum", "sum", "mean", "cumsum", "cumprod", "transpose", "permute", "squeeze",
        "nn.functional.relu", "nn.functional.silu", "nn.functional.gelu", "nn.functional.softmax", "nn.functional.linear",
        "nn.functional.layer_norm", "nn.functional.pad", "nn.functional.dropout", "nn.functional.embedding",
    )
}  # fmt: skip
# The same of a tensor's methods.
METHODS = SIZED_METHODS | {
    "clone", "contiguous",
    "detach", "to", "float", "half", "double", "bfloat16", "int", "long", "bool", "cpu", "cuda", "flatten", "transpose",
    "permute", "t", "expand_as", "view_as", "reshape_as", "type_as", "squeeze", "unsqueeze", "add", "sub", "mul", "div", "neg",
    "abs", "exp", "log", "sqrt", "rsqrt", "relu", "sigmoid", "tanh", "softmax", "matmul", "mm", "bmm", "cumsum", "pow", "clamp",
    "masked_fill", "index_select", "gather", "sum", "mean", "add_", "sub_", "mul_", "div_", "zero_", "fill_", "copy_", "clamp_",
    "relu_",
}  # fmt: skip
# What gives so many tensors, by a function of torch or a method; 0 for any number.
SEVERAL = {
    **dict.fromkeys(("topk", "sort", "kthvalue", "mode", "cummax", "cummin", "frexp", "aminmax", "std_mean", "var_mean"), 2),
    **dict.fromkeys(("unbind", "chunk", "split", "tensor_split", "split_with_sizes"), 0),
}  # fmt: skip
MOST_STEPS = 6
# So many values are looked at for what one function gives back; generated code has more.
MOST_VALUES = 10000


def joined(all_of):
    """The parameters that all of these need; None where one of them is not known."""
    all_of = list(all_of)
    return None if not all_of or any(of is None for of in all_of) else frozenset().union(*all_of)


def form_of_written(value, is_nothing=is_nothing):
    """"form", "count" and "defined" of RESULT of a tuple or list that is written out; {} where it has stars."""
    if any(isinstance(element, ast.Starred) for element in value.elts):
        return {}
    defined = max([number + 1 for number, element in enumerate(value.elts) if not is_nothing(element)], default=0)
    return {"form": "tuple" if isinstance(value, ast.Tuple) else "list", "count": len(value.elts), "defined": defined}


class Given:
    """What a function gives back."""

    def __init__(self, table, function, nodes, callers=()):
        self.table, self.names, self.function, self.callers = table, table.names, function, callers
        self.returns, self.yields = [], False
        arguments = function.args
        self.parameters = {a.arg: a for a in named_parameters(arguments)}
        self.others = {a.arg for a in (arguments.vararg, arguments.kwarg) if a}
        # What others may assign, too, also a function in this one.
        shared = [node for node in self.names.tree.of(ast.Global, ast.Nonlocal) if function in above(node)]
        self.others.update(name for node in shared for name in node.names)
        self.stored, self.values, self.visiting, self.seen = {}, {}, set(), 0
        self.look_at(nodes)

    def look_at(self, nodes):
        """Each is asked for its class once: most of a function is looked at here."""
        for node in nodes:
            kind = node.__class__
            if kind is ast.Name:
                if node.ctx.__class__ is not ast.Load:
                    self.stored[node.id] = self.stored.get(node.id, 0) + 1
            elif kind is ast.Return:
                self.returns.append(node)
            elif kind is ast.Assign:
                if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                    self.values.setdefault(node.targets[0].id, []).append(node.value)
            elif kind is ast.AugAssign:
                if isinstance(node.target, ast.Name):
                    self.values.setdefault(node.target.id, []).append(None)  # in its place
            elif kind is ast.Yield or kind is ast.YieldFrom:
                self.yields = True

    def annotation(self):
        tensor = tensor_name(self.names)
        if not tensor or not self.returns or self.table.may_fall_off(self.function):
            return ""
        if all(node.value is not None and self.is_tensor(node.value) for node in self.returns):
            return tensor
        counts = {len(node.value.elts) if isinstance(node.value, ast.Tuple) else 0 for node in self.returns}
        if len(counts) != 1 or min(counts) < 2:
            return ""
        if all(self.is_tensor(element) for node in self.returns for element in node.value.elts):
            return f"tuple[{', '.join([tensor] * counts.pop())}]"
        return ""

    def is_tensor(self, node):
        """Also by the annotations of the parameters."""
        needed = self.tensor(node)
        return needed is not None and all(self.is_annotated(name) for name in needed)

    def is_annotated(self, name):
        annotation = self.parameters[name].annotation
        return annotation is not None and self.names.dotted(annotation) == "torch.Tensor"

    def is_nothing(self, node):
        """It is None, or a variable that is never anything else."""
        if isinstance(node, ast.Name) and node.id not in self.parameters and node.id not in self.others:
            values = self.values.get(node.id, [])
            return 0 < len(values) == self.stored.get(node.id) and all(value is not None and is_nothing(value) for value in values)
        return is_nothing(node)

    def form(self, value):
        """The parts of RESULT that are known of a value that is written out as no tuple; {} for any other."""
        needed = self.tensor(value)
        if needed is not None:
            return {"form": "tensor", "tensors": sorted(needed)}
        if isinstance(value, ast.Name):
            return self.form_of_name(value.id)
        if isinstance(value, ast.IfExp):
            return self.common([self.form(value.body), self.form(value.orelse)])
        if isinstance(value, ast.ListComp):
            return {"form": "sequence"}
        if isinstance(value, ast.Call):
            return self.form_of_call(value)
        return {}

    def form_of_name(self, name):
        values = self.values.get(name, [])
        if name in self.parameters or name in self.others:
            return {}
        if len(values) != 1 or self.stored.get(name) != 1 or values[0] is None:
            return {}
        value = values[0]
        if isinstance(value, ast.Tuple):
            return form_of_written(value)
        # What a name holds may be a list that grows.
        return {} if isinstance(value, (ast.ListComp, ast.Name, ast.IfExp)) else self.form(value)

    def form_of_call(self, call):
        name = self.names.dotted(call.func)
        if name in ("tuple", "list") and name not in self.stored and not self.table.module_bindings(name):
            return {"form": "sequence"}
        word = name[len("torch.") :] if name.startswith("torch.") else getattr(call.func, "attr", "")
        if word in SEVERAL and (name.startswith("torch.") or isinstance(call.func, ast.Attribute)):
            needed = frozenset() if name.startswith("torch.") else self.tensor(call.func.value)
            if needed is None:
                return {}
            count = SEVERAL[word]
            form = {"form": "tuple", "count": count, "defined": count} if count else {"form": "sequence"}
            return {**form, "tensors": sorted(needed)}
        return self.form_of_own(call)

    def form_of_own(self, call, steps=0):
        """Of a call of a function of the module, whose every return is alike."""
        function = self.called(call)
        form = self.form_of_function(function) if function is not None else {}
        if not form:
            return {}
        given = self.arguments_for(call, function, form.get("tensors", ()))
        needed = joined([frozenset(), *(self.tensor(argument, steps + 1) for argument in given)])
        return {} if needed is None else {**form, "tensors": sorted(needed)}

    def form_of_function(self, function):
        """By its own parameters; found once for all calls that are as deep as this one."""
        key = function, len(self.callers)
        if key not in self.table.forms:
            self.table.forms[key] = self.find_form_of_function(function)
        return self.table.forms[key]

    def find_form_of_function(self, function):
        if self.table.may_fall_off(function):
            return {}
        given = Given(self.table, function, own_nodes(function), (*self.callers, function))
        return {} if given.yields else self.common([given.form_of_return(node.value) for node in given.returns])

    @staticmethod
    def common(forms):
        """What all forms are; {} where they differ."""
        if not forms or {form.get("form") for form in forms} != {forms[0].get("form")}:
            return {}
        if forms[0].get("form") == "tensor":
            return {"form": "tensor", "tensors": sorted(joined(frozenset(form["tensors"]) for form in forms))}
        return dict(forms[0]) if all(form == forms[0] for form in forms) else {}

    def form_of_return(self, value):
        if isinstance(value, ast.Tuple):
            return form_of_written(value)
        return self.form(value) if value is not None else {}

    def called(self, call):
        """The function of the module that is called, where it is certain which, and what it is given."""
        if not isinstance(call.func, ast.Name) or len(self.callers) >= MOST_STEPS:
            return None
        name = call.func.id
        nodes = self.table.module_bindings(name)
        if len(nodes) != 1 or name in self.stored or name in self.parameters or name in self.others:
            return None
        function = nodes[0]
        is_plain = isinstance(function, ast.FunctionDef) and not function.decorator_list and function not in self.callers
        starred = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
        return function if is_plain and function is not self.function and not starred else None

    @staticmethod
    def arguments_for(call, function, names):
        order = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
        given = {**dict(zip(order, call.args)), **{k.arg: k.value for k in call.keywords}}
        return [given.get(name) for name in names]

    # -- whether it is one tensor

    def tensor(self, node, steps=0):
        """Of a value that is one tensor, the parameters that have to be tensors for that; None of any other."""
        self.seen += 1
        if node is None or steps > MOST_STEPS or self.seen > MOST_VALUES:
            return None
        if isinstance(node, ast.Name):
            return self.of_name(node.id, steps)
        if isinstance(node, ast.IfExp):
            return joined([self.tensor(node.body, steps + 1), self.tensor(node.orelse, steps + 1)])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Invert)):
            return self.tensor(node.operand, steps + 1)
        if isinstance(node, ast.BinOp):
            return self.of_operator(node, steps)
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "data"):
            return self.tensor(node.value, steps + 1)
        if isinstance(node, ast.Call):
            return self.of_call(node, steps)
        return None

    def of_name(self, name, steps):
        if name in self.visiting:  # x = x.contiguous()
            return frozenset({name} & self.parameters.keys())
        values = self.values.get(name, [])
        if name in self.others or len(values) != self.stored.get(name, 0):
            return None
        self.visiting.add(name)
        found = [self.tensor(value, steps + 1) for value in values if value is not None]
        self.visiting.discard(name)
        if name in self.parameters:
            found.append(frozenset({name}))
        return joined(found)

    def of_operator(self, node, steps):
        left, right = self.tensor(node.left, steps + 1), self.tensor(node.right, steps + 1)
        if isinstance(node.op, ast.MatMult) and (left is None or right is None):
            return None
        if left is not None:
            return left
        is_number = isinstance(node.left, ast.Constant) and type(node.left.value) in (int, float)
        return right if is_number else None

    def of_call(self, call, steps):
        if self.names.dotted(call.func) in MAKERS:
            return frozenset()
        if isinstance(call.func, ast.Attribute):
            return self.tensor(call.func.value, steps + 1) if call.func.attr in METHODS else None
        form = self.form_of_own(call, steps)
        return frozenset(form["tensors"]) if form.get("form") == "tensor" else None
