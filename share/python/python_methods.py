# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods of Libraries under other names: `impl = lib.impl`, `functools.partial(lib.impl, ...)`, `getattr(lib, "impl")`.

the function of a call => the method as an attribute, with the arguments that are given already

A name is followed if nothing else in the module binds it. Any other read of a method of a Library is counted as a
registration that was not read.
"""
import ast
import re

from python_text import FUNCTIONS, above, binders_of, bindings_of, spelled, walk
from python_uses import FILLING

REGISTERING_TEXT = re.compile(
    r"\.(define|impl|fallback|_register_fake|_impl_with_aoti_compile)\s*\(|"
    r"\b(custom_op|triton_op|register_fake|impl_abstract|register_kernel|register_autograd|register_vmap)\s*\("
)
# Names of names are followed so far.
MOST_NAMES = 4


def place_of(node):
    return node.lineno, node.col_offset


class Methods:
    """A part of the reader, which knows the names of the module and what text an expression stands for."""

    def find_methods(self):
        """Which names stand for a method, and where else the module reads one."""
        self.methods = {}  # by a name that is followed: the method, of the Library that its owner was then
        self.counted, self.counted_names = set(), set()  # (read, block) of what is counted, and who gets it
        self.method_words = {}  # of names that may stand for one
        self.followed_names, self.reads = set(), {}
        bindings = [(node, *one) for node in self.names.tree.of(ast.Assign, ast.AnnAssign) for one in bindings_of(node)]
        kept = set()
        for _ in range(MOST_NAMES):
            known = len(self.method_words)
            for node, targets, value in bindings:
                word = self.method_word(value)
                if not word or value in kept:
                    continue
                self.method_words.update((target.id, word) for target in targets if isinstance(target, ast.Name))
                if all(self.is_followed(target, node) for target in targets):
                    kept.add(value)
                    self.followed_names.update(target.id for target in targets)
            if len(self.method_words) == known:
                break
        self.kept_methods = {node for node, _, value in bindings if value in kept}
        for read in self.method_reads():
            if not self.is_called_or_kept(read, kept):
                statement = next(one for one in above(read) if isinstance(one, ast.stmt))
                self.reads.setdefault(statement, []).append(read)

    def method_word(self, node):
        """"impl" of what may be this method of a Library; "" of anything else."""
        if isinstance(node, ast.Name):
            return self.method_words.get(node.id, "")
        if isinstance(node, ast.Attribute):
            return node.attr if node.attr in FILLING else ""
        if not isinstance(node, ast.Call) or not node.args:
            return ""
        return self.got_word(node) or (self.method_word(node.args[0]) if self.is_partial(node) else "")

    def is_getattr(self, call):
        return len(call.args) > 1 and self.names.dotted(call.func) == "getattr"

    def is_partial(self, call):
        return self.names.dotted(call.func) == "functools.partial"

    def got_word(self, call):
        """"impl" of getattr(lib, "impl"); "" of anything else."""
        word = self.text(call.args[1]) if self.is_getattr(call) else None
        return word.value if word is not None and word.value in FILLING else ""

    def is_followed(self, target, statement):
        """A name that only this statement binds, whatever is called before, and that is read behind it alone."""
        scope = statement.above
        if not isinstance(target, ast.Name) or not isinstance(scope, (ast.Module, *FUNCTIONS)) or self.is_bound_again(target.id):
            return False
        reads = [one for one in self.names.tree.of(ast.Name) if one.id == target.id and isinstance(one.ctx, ast.Load)]
        end = statement.end_lineno, statement.end_col_offset
        return all(place_of(one) >= end and any(outer is scope for outer in above(one)) for one in reads)

    def is_bound_again(self, name):
        """By more than one statement or function of the module."""
        return self.all_binders()[name] + self.all_binders()["*"] != 1

    def all_binders(self):
        if self.binders is None:
            self.binders = binders_of(self.names.tree)
        return self.binders

    def method_reads(self):
        """Expressions that may be a method that fills a Library, and names that stand for one."""
        tree = self.names.tree
        yield from (node for node in tree.of(ast.Attribute) if node.attr in FILLING and isinstance(node.ctx, ast.Load))
        yield from (node for node in tree.of(ast.Name) if node.id in self.followed_names and isinstance(node.ctx, ast.Load))
        for call in self.names.calls_of(("getattr",)):
            if self.is_getattr(call) and self.may_fill(call.args[1]):
                yield call

    def may_fill(self, word):
        text = self.text(word)
        return text is None or text.value in FILLING

    def is_called_or_kept(self, read, kept):
        """By itself, or with some arguments that functools.partial() keeps."""
        while True:
            parent = read.above
            if not isinstance(parent, ast.Call):
                return read in kept
            if parent.func is read:
                return True
            if not self.is_partial(parent) or parent.args[:1] != [read]:
                return False
            read = parent

    def filled_block(self, owner, node):
        """That of a Library; a new one of no known namespace where only running the code would tell which it is."""
        block = self.library(owner)
        return self.block(node, "fragment", "") if block is None and spelled(owner) in self.nameless else block

    def count_reads(self, statement):
        """Counts the methods of Libraries that the statement hands to what is not followed."""
        for read in self.reads.get(statement, ()):
            if isinstance(read, ast.Name):
                method = self.methods.get(read.id)
                block = method[0].value.block if method else None
            else:
                block = self.filled_block(read.args[0] if isinstance(read, ast.Call) else read.value, read)
            if block is None:
                continue
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            self.counted_names.update(node.id for target in targets if target for node in walk(target) if isinstance(node, ast.Name))
            if (read, block["at"][0]) not in self.counted:
                self.counted.add((read, block["at"][0]))
                self.add(block, read, "def" if self.method_word(read) == "define" else "impl", None)

    def method_of(self, node):
        """(attribute, first arguments, keywords) of what may be a method that fills a Library; None of anything else."""
        if isinstance(node, ast.Name):
            return self.methods.get(node.id)
        if isinstance(node, ast.Attribute):
            return (node, [], []) if node.attr in FILLING else None
        if not isinstance(node, ast.Call) or not node.args:
            return None
        word = self.got_word(node)
        if word:
            return ast.copy_location(ast.Attribute(node.args[0], word, ast.Load()), node), [], []
        inner = self.method_of(node.args[0]) if self.is_partial(node) else None
        return (inner[0], [*inner[1], *node.args[1:]], [*inner[2], *node.keywords]) if inner else None

    def method_of_nobody(self, name):
        """Of a name that is not followed, and stands for a method of what is not known to be a Library."""
        word = "" if name.id in self.counted_names else self.method_words.get(name.id, "")
        return (self.method_as(word, None, name, name), [], []) if word else None

    @staticmethod
    def method_as(word, block, node, owner):
        """The method `word` of the Library that fills the block, whatever its owner is called later."""
        owner = ast.copy_location(ast.Name(spelled(owner), ast.Load()), node)
        owner.block = block
        return ast.copy_location(ast.Attribute(owner, word, ast.Load()), node)

    def called_method(self, call):
        """The call as it would be without the other name; the call itself if there is none."""
        method = self.method_of(call.func) if isinstance(call.func, (ast.Name, ast.Call)) else None
        if method is None and isinstance(call.func, ast.Name):
            method = self.method_of_nobody(call.func)
        if method is None:
            return call
        function, first, keywords = method
        given = {keyword.arg for keyword in call.keywords}
        keywords = [keyword for keyword in keywords if keyword.arg not in given]
        whole = ast.copy_location(ast.Call(function, [*first, *call.args], [*keywords, *call.keywords]), call)
        whole.above = call.above
        return whole

    def keep_method(self, targets, value):
        """Whether the value is a method; targets that are followed stand for it from here on."""
        method = self.method_of(value)
        if method is None:
            return False
        function, first, keywords = method
        names = [target.id for target in targets if isinstance(target, ast.Name) and target.id in self.followed_names]
        if names:
            function = self.method_as(function.attr, self.filled_block(function.value, value), function, function.value)
            self.methods.update((name, (function, first, keywords)) for name in names)
        return True

    def ways_of_methods(self):
        """Nodes that call, keep or read such methods, or run a text."""
        reads = [read for found in self.reads.values() for read in found]
        inner = [call for call in self.names.calls_of(("getattr", "partial")) if self.method_word(call) or isinstance(call.above, ast.Call)]
        return [*self.kept_methods, *reads, *inner, *self.names.calls_of({"exec", "eval", *self.method_words})]

    def hidden_block(self, call):
        """Of exec("lib.impl(...)"), as far as the text can be seen, and of `getattr(lib, name)(...)`: what it may fill."""
        function = call.func
        if isinstance(function, ast.Call):
            may_fill = self.is_getattr(function) and self.may_fill(function.args[1])
            return self.library(function.args[0]) if may_fill else None
        if not call.args or not self.is_running(function):
            return None
        text = self.text(call.args[0])
        texts = [text.value] if text else [node.value for node in walk(call.args[0]) if isinstance(node, ast.Constant)]
        registers = any(isinstance(one, str) and REGISTERING_TEXT.search(one) for one in texts)
        if registers or (text is None and self.begins_with_library(call.args[0])):
            return self.block(call, "fragment", "")
        return self.unseen_block(call) if text is None else None

    def is_running(self, function):
        """Whether it is exec() or eval() of Python. Those of other scopes, and methods, leave Python's as it is."""
        is_named = isinstance(function, ast.Name) and function.id in ("exec", "eval")
        return is_named and self.names.dotted(function) == function.id and self.name_scopes.is_builtin(function)

    @staticmethod
    def begin_text(text):
        """The string that a text begins with, where that stands there."""
        while isinstance(text, (ast.JoinedStr, ast.BinOp)):
            if isinstance(text, ast.BinOp) and not isinstance(text.op, ast.Add) or isinstance(text, ast.JoinedStr) and not text.values:
                return ""
            text = text.left if isinstance(text, ast.BinOp) else text.values[0]
        return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else ""

    def begins_with_library(self, text):
        """Of f"torch.library.{name}", whatever the file calls that module."""
        first, *others = self.begin_text(text).strip().split(".")
        return f"{self.names.imports.get(first, first)}.{'.'.join(others)}".startswith("torch.library.")

    def names_member(self, call):
        """Of eval(f"torch.{name}"): a member of a module that the file imports, and no call."""
        modules = {(one.asname or one.name).partition(".")[0] for node in self.names.tree.of(ast.Import) for one in node.names}
        begin = self.begin_text(call.args[0])
        written = (one.value for one in walk(call.args[0]) if isinstance(one, ast.Constant) and isinstance(one.value, str))
        return "." in begin and begin.partition(".")[0].strip() in modules and not any("(" in one for one in written)

    def unseen_block(self, call):
        """Of exec() or eval() with a text that only running the code would tell: it may fill a Library that the file has."""
        if self.has_own_names(call) or (self.names.dotted(call.func) == "eval" and self.names_member(call)):
            return None
        makers = [one for one in self.names.calls_of(("Library",)) if self.is_new_library(one)]
        if not makers and not self.names.others_libraries:
            return None
        spaces = {space.value if space else "" for space in (self.text(one.args[0]) if one.args else None for one in makers)}
        return self.block(call, "fragment", spaces.pop() if len(spaces) == 1 and not self.names.others_libraries else "")

    def has_own_names(self, call):
        """Whether exec() or eval() runs its text with names of its own, `{}` or a variable that is nothing else: no Library is there."""
        given = call.args[1] if len(call.args) > 1 else next((one.value for one in call.keywords if one.arg == "globals"), None)
        values = [given]
        if isinstance(given, ast.Name):
            values = [value for node in self.names.tree.of(ast.Assign) for targets, value in bindings_of(node)
                      if any(isinstance(target, ast.Name) and target.id == given.id for target in targets)]
            used = any(one.id == given.id and isinstance(one.ctx, ast.Load) and place_of(one) < place_of(call)
                       for one in self.names.tree.of(ast.Name))
            if used or not values or self.all_binders()[given.id] != len(values):
                return False
        return all(isinstance(one, ast.Dict) and self.is_plain(one) for one in values)

    def is_plain(self, value):
        """A constant, or a dict of nothing else, such as {"__builtins__": {}}."""
        return isinstance(value, ast.Constant) or isinstance(value, ast.Dict) and all(map(self.is_plain, value.values))
