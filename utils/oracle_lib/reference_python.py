#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs PyTorch's generators of Python bindings.

usage: PYTHONPATH=FOLDER reference_python.py PACKAGE NATIVE TAGS OUT AUTOGRAD_DIR [ATEN_TEMPLATES]
       PYTHONPATH=FOLDER reference_python.py --operators PACKAGE NATIVE TAGS OUT AUTOGRAD_DIR

PACKAGE holds the generators (tools.autograd, torchgen.packaged.autograd). Writes to OUT what
gen_autograd_python and gen_annotated_fn_args write, and with ATEN_TEMPLATES the bindings of the
classes that record views. With --operators only what does not come from derivatives.yaml.
"""
import importlib
import sys


def write_operators(package, native, tags, out, autograd):
    generator = importlib.import_module(f"{package}.gen_python_functions")
    deprecated = f"{autograd}/deprecated.yaml"
    generator.gen(out, native, tags, deprecated, f"{autograd}/templates")


def main():
    if sys.argv[1] == "--operators":
        write_operators(*sys.argv[2:])
        return
    package, native, tags, out, autograd, *aten_templates = sys.argv[1:]
    importlib.import_module(f"{package}.gen_autograd").gen_autograd_python(
        native, tags, out, autograd
    )
    importlib.import_module(f"{package}.gen_annotated_fn_args").gen_annotated(
        native, tags, out, autograd
    )
    if aten_templates:
        views = importlib.import_module("torchgen.gen_functionalization_type")
        selector = importlib.import_module("torchgen.selective_build.selector")
        views.gen_functionalization_view_meta_classes(
            native,
            tags,
            selector.SelectiveBuilder.get_nop_selector(),
            out,
            aten_templates[0],
        )


main()
