#!/usr/bin/python3
"""Calls the functions of an extension module, and prints what each returns, a line for each call.

usage: run_module.py imported|loaded|both LIBRARY

'imported': the functions are those of the Python module that the library is; 'loaded': they are the operators that
it registers when torch loads it; 'both': those that it registers when Python imports it.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import importlib.util
import sys

import torch


def imported(library):
    spec = importlib.util.spec_from_file_location("pyext", library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(value):
    if isinstance(value, torch.Tensor):
        return "%s %s" % (str(value.dtype).removeprefix("torch."), value.tolist())
    if isinstance(value, (list, tuple)):
        return "(%s)" % ", ".join(shown(v) for v in value)
    return repr(value)


def say(name, call):
    try:
        print("%s: %s" % (name, shown(call())))
    except (RuntimeError, TypeError) as wrong:
        # Which class of errors it is, and the places that messages name, is each library's own.
        print("%s: error%s" % (name, ": found Double" if "found Double" in str(wrong) else ""))


def main():
    how, library = sys.argv[1:]
    f = torch.ops.load_library(library) if how == "loaded" else imported(library)
    if how != "loaded":
        print(f.__doc__.strip())
    f = f if how == "imported" else torch.ops.pyext
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    out = torch.zeros(2)
    say("scale", lambda: f.scale(x))
    say("scale by", lambda: f.scale(x, 2.0, 3))
    say("scale by names", lambda: f.scale(times=2, by=-0.5, x=x))
    say("scale by what is no float", lambda: f.scale(x, by=2))
    say("scale of doubles", lambda: f.scale(x.double()))
    say("scale of nothing", lambda: f.scale())
    say("scale of a name that is not there", lambda: f.scale(x, of=1))
    say("parts", lambda: f.parts([x, x + 1]))
    say("parts of a row", lambda: f.parts(xs=[x], n=0))
    say("parts of nothing", lambda: f.parts([], 0))
    say("biased without", lambda: f.biased(x))
    say("biased", lambda: f.biased(x, torch.ones(6)))
    say("biased by the first", lambda: f.biased(x, torch.tensor([2.0]), how="first"))
    say("biased by a view of a string", lambda: f.biased(x, torch.tensor([2.0]), "none"))
    say("biased, None", lambda: f.biased(bias=None, x=x, how="all"))
    say("fill", lambda: f.fill(out, 1.5))
    say("what it wrote", lambda: out)
    say("what is negated is what is given", lambda: f.negated(out).data_ptr() == out.data_ptr())
    say("what it wrote", lambda: out)
    say("times_two", lambda: f.times_two(x, 0.25))
    say("times_three", lambda: f.times_three(x, 2))
    say("times_three of a fraction", lambda: f.times_three(x, 2.5))
    say("made", lambda: f.made([2, 1], torch.float64, torch.device("cpu")))
    say("made of names", lambda: f.made(device=torch.device("cpu"), sizes=(3,), dtype=torch.int32, eps=7))
    say("summed", lambda: f.summed(x))
    say("summed, a row", lambda: f.summed(x, [1], twice=True))
    say("summed, no row", lambda: f.summed(x, []))
    say("summed, other dimensions", lambda: f.summed(x[0]))
    say("largest", lambda: f.largest([1, 2]))
    say("largest of more", lambda: f.largest([1, 7], 5))
    say("largest, None", lambda: f.largest([1, 2], least=None))
    say("largest that has no box of four bytes", lambda: f.largest([1, 2**31 - 1]))


if __name__ == "__main__":
    main()
