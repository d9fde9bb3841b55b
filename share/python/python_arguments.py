# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which arguments the functions of torch.library have no parameter for.

a call => refused(): [(KIND, node, name, names that it may be meant for) ...]

    KIND: "by-name": the parameter takes none by its name, "keyword": there is no parameter of the name, "position": more
          are given by position than there are parameters
"""
import ast

from python_text import parameters_of

# What each function takes by position only, and by name, in any release.
TAKEN = {
    "custom_op": (("name", "fn"), ("mutates_args", "device_types", "schema", "tags")),
    "triton_op": (("name", "fn"), ("mutates_args", "schema")),
    "register_kernel": (("op", "device_types", "func"), ("lib", "allow_override")),
    "register_fake": (("op", "func"), ("lib", "_stacklevel", "allow_override")),
    "register_vmap": (("op", "func"), ("lib",)),
}


def refused(names, call):
    name = names.dotted(call.func)
    word = name[len("torch.library.") :] if name.startswith("torch.library.") else ""
    if word not in TAKEN or not is_from_torch(names, call.func, word):
        return []
    by_position, by_name = TAKEN[word]
    out = []
    if len(call.args) > len(by_position) and not any(isinstance(argument, ast.Starred) for argument in call.args):
        out.append(("position", call.args[len(by_position)], str(len(by_position)), ()))
    for keyword in call.keywords:
        if keyword.arg in by_position:
            out.append(("by-name", keyword, keyword.arg, ()))
        elif keyword.arg is not None and keyword.arg not in by_name:
            out.append(("keyword", keyword, keyword.arg, by_name))
    return out


def is_from_torch(names, function, word):
    """It is torch.library's own, and not what a module of the project calls so."""
    if isinstance(function, ast.Attribute):
        return function.attr == word
    bound = names.tree.of(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    if any(node.name == function.id for node in bound) or function.id in names.constants:
        return False
    if any(argument.arg == function.id for node in names.tree.of(ast.FunctionDef) for argument in parameters_of(node.args)):
        return False
    imports = [
        (node, alias)
        for node in names.tree.imports
        for alias in node.names
        if (alias.asname or alias.name.split(".")[0]) == function.id
    ]
    return len(imports) == 1 and isinstance(imports[0][0], ast.ImportFrom) and imports[0][0].module == "torch.library" and not imports[0][0].level
