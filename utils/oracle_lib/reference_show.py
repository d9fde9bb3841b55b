#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Torchgen's half of the signature and translate comparisons.

usage: PYTHONPATH=FOLDER reference_show.py [--no-translate] NATIVE_FUNCTIONS_YAML TAGS_YAML

Writes one JSON object a line for every function torchgen knows (YAML entries, then those it adds)
with the keys of `opsig show --all --format json --translate`; judge_show.py says what each of them
means. Nothing here derives a spelling of its own: each value is what a torchgen class prints.
FOLDER holds the torchgen package.
"""
import json
import sys

from torchgen.api import python, structured
from torchgen.api.translate import UnsatError, translate
from torchgen.api.types import (
    CppSignatureGroup,
    DispatcherSignature,
    NativeSignature,
    kernel_signature,
)
from torchgen.context import native_function_manager
from torchgen.gen import get_grouped_native_functions, parse_native_yaml
from torchgen.model import NativeFunctionsGroup, Variant


def cpp_forms(function, method):
    """The C++ API forms a function has, by the names opsig gives them."""
    group = CppSignatureGroup.from_native_function(function, method=method)
    forms = {
        "cpp": group.signature,
        "cpp_faithful": group.faithful_signature,
        "cpp_symint": group.symint_signature,
        "cpp_symint_faithful": group.symint_faithful_signature,
    }
    return {name: form for name, form in forms.items() if form is not None}


def kernels(function, indices):
    """Dispatch key => (backend index, metadata), in the order in which torchgen keeps its keys."""
    found = {}
    for key, index in indices.items():
        metadata = index.get_kernel(function)
        if metadata is not None:
            found[str(key)] = (index, metadata)
    return found


def unstructured(function_kernels):
    return {key: pair for key, pair in function_kernels.items() if not pair[1].structured}


def native_declaration(function, metadata):
    signature = NativeSignature(function.func, prefix="", symint=metadata.supports_symint())
    return signature.decl(name=metadata.kernel)


def signatures(function, native):
    texts = {name: form.decl() for name, form in cpp_forms(function, method=False).items()}
    texts["dispatcher"] = DispatcherSignature.from_schema(function.func).decl()
    if native:
        texts["native"] = {
            key: native_declaration(function, metadata) for key, (_, metadata) in native.items()
        }
    return texts


def structured_signatures(group):
    def call(name, arguments):
        return f"{name}({', '.join(argument.decl() for argument in arguments)})"

    with native_function_manager(group):
        return {
            "structured_meta": call("meta", structured.meta_arguments(group)),
            "structured_impl": call("impl", structured.impl_arguments(group)),
        }


def expressions(source, target, **options):
    try:
        return [e.expr for e in translate(source.arguments(), target.arguments(), **options)]
    except UnsatError:
        return None


def translations(function, native):
    dispatcher = DispatcherSignature.from_schema(function.func)
    result = {
        "dispatcher_to_native": {
            key: expressions(dispatcher, kernel_signature(function, index), method=False)
            for key, (index, _) in native.items()
        },
        "native_to_dispatcher": {
            key: expressions(kernel_signature(function, index), dispatcher)
            for key, (index, _) in native.items()
        },
        "cpp_to_dispatcher": {
            name: expressions(form, dispatcher)
            for name, form in cpp_forms(function, method=False).items()
        },
    }
    if Variant.method in function.variants:
        result["cpp_method_to_dispatcher"] = {
            name: expressions(form, dispatcher, method=True)
            for name, form in cpp_forms(function, method=True).items()
        }
    return result


def python_fields(function):
    # The name changed between releases.
    fields = getattr(python, "structseq_fieldnames", None) or python.namedtuple_fieldnames
    return fields(function.func.returns)


def python_calls(function):
    """How the Python bindings would call the function; None where torchgen cannot make any."""
    try:
        signature = python.signature(function, method=False)
        target = python.cpp_dispatch_target(function)
        values = ", ".join(python.cpp_dispatch_exprs(function, python_signature=signature))
        result = {
            "function": signature.signature_str(),
            "fields": python_fields(function),
            "returns": python.dispatch_lambda_return_str(function),
            "call": f"{target}({values})",
            "lambda": [
                f"{a.type_str} {a.name}" for a in python.dispatch_lambda_args(signature, function)
            ],
            "arguments": list(python.dispatch_lambda_exprs(signature, function).exprs),
        }
        if Variant.method in function.variants:
            result["method"] = python.signature(function, method=True).signature_str()
    except (KeyError, RuntimeError, ValueError):
        return None
    return result


def main():
    translate_too = sys.argv[1] != "--no-translate"
    parsed = parse_native_yaml(*sys.argv[-2:])
    group_of_out = {
        group.out.func.name: group
        for group in get_grouped_native_functions(parsed.native_functions)
        if isinstance(group, NativeFunctionsGroup) and group.structured
    }
    for function in parsed.native_functions:
        with native_function_manager(function):
            having = kernels(function, parsed.backend_indices)
            native = unstructured(having)
            line = {
                "op": str(function.func.name),
                "schema": str(function.func),
                "kind": function.func.kind().name,
                "dispatch": {
                    key: f"{metadata.cpp_namespace}::{metadata.kernel}"
                    for key, (_, metadata) in having.items()
                },
                "signatures": signatures(function, native),
                "python": python_calls(function),
            }
            if translate_too:
                line["translate"] = translations(function, native)
        if function.func.name in group_of_out:
            line["signatures"].update(structured_signatures(group_of_out[function.func.name]))
        print(json.dumps(line))


main()
