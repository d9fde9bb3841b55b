# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which pointers the Triton kernels of a module store through.

the table of functions x a kernel => (its parameters in order, {parameter: SURE | MAYBE | LOST})

    SURE: each launch stores through it
    MAYBE: a launch may end without it: the store is under a condition, in a loop that may not run, or behind a return
    LOST: it goes where it is lost from sight
"""
import ast

from python_functions import FUNCTIONS
from python_text import children, named_parameters, nodes_in, own_nodes

SURE, MAYBE, LOST = 3, 2, 1  # the higher one holds, of one parameter
STORES = {"triton.language.store"}
# Of these the third argument is the mask, as it is of a store.
UNMASKED = {"triton.language.atomic_cas"}
# They call no kernel.
HARMLESS = ("range", "min", "max", "print")
COUNTING = {"range", "triton.language.range", "triton.language.static_range"}
LEAVING = (ast.Return, ast.Break, ast.Continue)
SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
NOT_SURE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def triton_kernels(table):
    """name => the kernel of that name."""
    if not hasattr(table, "triton_kernels"):
        table.triton_kernels, table.stored_by = {}, {}
        for node in table.names.tree.of(*FUNCTIONS):
            if is_triton(table, node) and isinstance(table.owner(node), ast.Module):
                # Of two that have one name nobody knows which is meant.
                table.triton_kernels[node.name] = None if node.name in table.triton_kernels else node
    return table.triton_kernels


def is_triton(table, node):
    decorators = getattr(node, "decorator_list", [])
    return "triton.jit" in [table.names.dotted(d.func if isinstance(d, ast.Call) else d) for d in decorators]


def triton_kernel(table, node):
    """(order of parameters, how it stores to them); None of one that is being read."""
    triton_kernels(table)
    if node not in table.stored_by:
        table.stored_by[node] = None
        order = [a.arg for a in named_parameters(node.args)]
        table.stored_by[node] = (order, Stores(table, node, order).read())
    return table.stored_by[node]


class Stores:
    """Those of one kernel."""

    def __init__(self, table, function, order):
        self.table, self.names, self.function = table, table.names, function
        arguments = [*function.args.args, *function.args.kwonlyargs]
        self.constants = {a.arg for a in arguments if a.annotation is not None and self.is_constexpr(a.annotation)}
        self.holds = {name: set() if name in self.constants else {name} for name in order}
        self.nodes = list(own_nodes(function))
        self.by_call = {}
        self.follow_pointers()

    def is_constexpr(self, annotation):
        return self.names.dotted(annotation) == "triton.language.constexpr"

    def follow_pointers(self):
        """Pointers made of pointers."""
        holds = self.holds
        for _ in range(8):
            before = {name: set(of) for name, of in holds.items()}
            for node in self.nodes:
                targets = getattr(node, "targets", [getattr(node, "target", None)])
                value = getattr(node, "value", None)
                if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or value is None:
                    continue
                for target in targets:
                    if isinstance(target, ast.Name):
                        holds.setdefault(target.id, set()).update(pointers_of(value, holds))
            if before == holds:
                break

    def read(self):
        out = {}
        for node in self.nodes:
            for name, how in self.of_call(node):
                out[name] = max(how, out.get(name, LOST))
        sure = self.sure_in(self.function.body)
        return {name: MAYBE if how == SURE and name not in sure else how for name, how in out.items()}

    def of_call(self, node):
        """(parameter, how) of each that the call gets, if it runs."""
        if not isinstance(node, ast.Call):
            return []
        if node not in self.by_call:
            self.by_call[node] = self.find_stores(node)
        return self.by_call[node]

    def find_stores(self, call):
        name, given = self.names.dotted(call.func), []
        if name in STORES or name.startswith("triton.language.atomic_"):
            pointer = argument_of(call, 0, "pointer")
            mask = argument_of(call, 2, "mask") if name not in UNMASKED else None
            given = [(pointer, MAYBE if self.may_be_off(mask) else SURE)] if pointer is not None else []
        elif not name.startswith("triton.language.") and name not in HARMLESS:
            given = self.stored_by_helper(call)
        found = [(pointers_of(pointer, self.holds), how) for pointer, how in given]
        return [(one, how if len(names) == 1 else LOST) for names, how in found for one in names]

    def stored_by_helper(self, call):
        """(pointer, how it is stored to) of each that a kernel of the module gets from this one."""
        given = [*call.args, *[k.value for k in call.keywords]]
        is_name = isinstance(call.func, ast.Name) and call.func.id not in self.holds
        node = triton_kernels(self.table).get(call.func.id) if is_name else None
        is_spread = any(isinstance(one, ast.Starred) for one in given) or any(k.arg is None for k in call.keywords)
        known = triton_kernel(self.table, node) if node is not None and not is_spread else None
        if known is None:
            return [(one, LOST) for one in given]
        order, stores = known
        words = [*zip(order, call.args), *[(k.arg, k.value) for k in call.keywords]]
        return [(value, stores[word]) for word, value in words if word in stores]

    def may_be_off(self, mask):
        """A launch may choose by its constants that nothing is stored: `mask=inside & WRITE`."""
        if isinstance(mask, ast.BinOp) and isinstance(mask.op, ast.BitAnd):
            return self.may_be_off(mask.left) or self.may_be_off(mask.right)
        if mask is None or isinstance(mask, ast.Constant):
            return mask is not None and mask.value not in (None, True)
        return all(one.id in self.constants for one in nodes_in([mask]) if isinstance(one, ast.Name))

    # -- what each launch comes to

    def sure_in(self, statements):
        """The parameters to which a list of statements stores, whichever way it takes."""
        out = set()
        for statement in statements:
            out |= self.sure_in_statement(statement)
            if may_leave(statement):
                break
        return out

    def sure_in_statement(self, node):
        if isinstance(node, ast.If):
            return self.sure_in_value(node.test) | (self.sure_in(node.body) & self.sure_in(node.orelse))
        if isinstance(node, ast.For):
            return self.sure_in_value(node.iter) | (self.sure_in(node.body) if self.surely_runs(node.iter) else set())
        if isinstance(node, ast.While):
            return self.sure_in_value(node.test)
        if isinstance(node, ast.With):
            return self.sure_in(node.body)
        return self.sure_in_value(node) if isinstance(node, SIMPLE) else set()

    def sure_in_value(self, node):
        return {name for one in sure_nodes(node) for name, how in self.of_call(one) if how == SURE}

    def surely_runs(self, over):
        """A loop over it: `range(4)`."""
        if not isinstance(over, ast.Call) or self.names.dotted(over.func) not in COUNTING or over.keywords:
            return False
        numbers = [one.value for one in over.args if isinstance(one, ast.Constant) and type(one.value) is int]
        return len(numbers) == len(over.args) > 0 and 0 not in numbers[2:] and bool(range(*numbers[:3]))


def argument_of(call, position, word):
    given = call.args[position] if position < len(call.args) else None
    return given if given is not None else next((k.value for k in call.keywords if k.arg == word), None)


def may_leave(statement):
    """What is behind it may not run, or only in the next round of a loop."""
    is_loop = isinstance(statement, (ast.For, ast.While))
    ends = ast.Return if is_loop else LEAVING
    return isinstance(statement, ast.Raise) or any(isinstance(one, ends) for one in nodes_in([statement]))


def sure_nodes(node):
    """The nodes of a simple statement or an expression that are evaluated whenever it is."""
    todo = [node]
    while todo:
        one = todo.pop()
        yield one
        if isinstance(one, ast.IfExp):
            todo.append(one.test)
        elif isinstance(one, ast.BoolOp):
            todo.append(one.values[0])
        elif isinstance(one, ast.Compare):
            todo += [one.left, one.comparators[0]]
        elif not isinstance(one, NOT_SURE):
            todo += children(one)


def pointers_of(node, holds):
    """The parameters that an expression of pointers may begin with: of `p + offset` the first that is one."""
    if isinstance(node, ast.Name):
        return set(holds.get(node.id, ()))
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return pointers_of(node.left, holds) or pointers_of(node.right, holds)
    if isinstance(node, ast.IfExp):
        return pointers_of(node.body, holds) | pointers_of(node.orelse, holds)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        return pointers_of(node.func.value, holds)  # p.to(tl.pointer_type(...))
    return set()
