#!/usr/bin/python3
"""Compares what opsig says of schema strings with what libtorch says of the same strings.

usage: judge_schema_strings.py [--system SYSTEM] DIR OPSIG-COMMAND...

The strings are made here: wholes, types x defaults, and mutants of a few schemas by single characters. A program built
against libtorch judges, in child processes, because a string can crash it. Prints how many strings there were, and each
one on which the two disagree. FILE and FLAGS in the command stand for the source file and the flags to read it with;
SYSTEM is the folder of another system whose libtorch is asked.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import random
import re
import sys

import libtorch as judges

TYPES = (
    "Tensor Tensor? Tensor[] Tensor?[] Tensor(a) Tensor(a!) Tensor(a!)[] Tensor(a->b) Tensor(a|b)? Tensor! int int? "
    "int[] int[2] int[2]? int[]? int[][] float float? float[] float[3] bool bool[2] bool? str str? str[] Scalar "
    "Scalar? Scalar[] ScalarType ScalarType? Layout MemoryFormat? Device Device? Generator Generator? Dimname "
    "Dimname[] Storage Stream QScheme Quantizer ConstQuantizerPtr SymInt SymInt? SymInt[] SymInt[2] complex complex[] "
    "Any None NoneType Capsule AnyClassType AnyEnumType SymBool SymBool? SymFloat DeviceIndex DeviceIndex? Await(int) "
    "await Await Number t thing[] Dict(str,Tensor) Dict(int,Tensor)(a) (int,Tensor) "
    "(Tensor(a),int)[] Future(int) RRef(Tensor) Union(int,str) Union(int) Optional Int List[int] tensor_ Symint "
    "Dict(str) Dict[str,int] Tuple(int,int) __torch__.x.Y int[x] int[-1] int[0] int[1e2] int[.5] int[0x3] () "
    "Tensor() Tensor(!) Tensor(a) Tensor(a,b) Tensor(a!b) Tensor(*) Tensor(a->*) Tensor(a|) int(a) int(a!)[] Tensor(if)"
).split(" ")
DEFAULTS = (
    "None True False true none 0 -0 1 -1 1.5 -1.5 .5 1. 1e3 1e999 1j -2j 2.5j j 12 0x10 9223372036854775807 "
    "9223372036854775808 -9223372036854775808 'x' \"y\" 'a\\\\n' 'a\\\\x41' 'a\\\\q' '''z''' 'cpu' 'cuda:1' 'cuda:01' "
    "'gpu' 'cuda:' Mean Sum float long complex strided contiguous_format preserve_format double inf nan [] [1] [1,2] "
    "[1.5] [1,2.5] [True] [None] ['x'] [1,] [1j] [-1] [[1]] (1) - -- -None 1..2 1_000 1f [long] = * $ "
    "bfloat16 float32 half double int64 int uint8 uint16 uint4 bits8 cfloat complex64 quint4x2 float8_e4m3fn float8_e8m0fnu "
    "float4_e2m1fn_x2 bool byte char int4 [bfloat16] [int] 'cuda:128' 'mtia' 'maia' 'privateuseone:1' 'ort' 'xpu:0' 'hpu' "
    "'ipu' 'CPU' 'fpga' 'vulkan:0'"
).split(" ")
WHOLES = [
    "",
    " ",
    "f",
    "f.g",
    "a::f",
    "a::f.g(Tensor x) -> Tensor",
    "a::b::f() -> ()",
    "::f() -> ()",
    "f.default() -> ()",
    "f.__x__() -> ()",
    "f.a.b() -> ()",
    "2f() -> ()",
    "f() -> Tensor",
    "f () -> ()",
    "f( ) -> ( )",
    "  f(int a) -> int  ",
    "\n  f(int a) -> int\n",
    "\n  f(int a) -> int\n ",
    "f(int a)\n-> int",
    "f(int a,\n  int b) -> int",
    "f(int a) ->\n int",
    "f(int a) -> (int,\n int)",
    "f(int a) \\\n -> int",
    "f(int a) -> int # note",
    "f(int a # note\n) -> int",
    "f(int a) -> int;",
    "f(int a) -> int int int",
    "f(int a) -> int r",
    "f(int a) -> (int r, int s)",
    "f(int a) -> (int r, int r)",
    "f(int a) -> (int, )",
    "f(int a) -> int=1",
    "f(int a) -> int[2]",
    "f(int a) -> int[2]?",
    "f(int a) -> ...",
    "f(int a) -> (int, ...)",
    "f(int a) -> (..., int)",
    "f(...) -> ...",
    "f(int a, ...) -> int",
    "f(..., int a) -> int",
    "f(int a=1, ...) -> int",
    "f(..., *) -> int",
    "f(*) -> int",
    "f(*, int a) -> int",
    "f(int a, *, *, int b) -> int",
    "f(int a, *) -> int",
    "f(int a, int a) -> int",
    "f(int a=1, int b) -> int",
    "f(int a=1, int[] b) -> int",
    "f(int a=1, int[]? b) -> int",
    "f(int a=1, int[2] b) -> int",
    "f(int a=1, *, int b) -> int",
    "f(int a=1, *, int b=1, int c) -> int",
    "f(int) -> int",
    "f(int a int b) -> int",
    "f(int a,, int b) -> int",
    "f(,int a) -> int",
    "f(int a",
    "f(int a)",
    "f(int a) -",
    "f(int a) ->",
    "f(int a) -> (",
    "f(int a) -> ()()",
    "f(int a): int",
    "f(int[] [] a) -> int",
    "f(int [ ] a) -> int",
    "f(int [2] a) -> int",
    "f(int ? a) -> int",
    "f(int?? a) -> int",
    "f(Tensor (a) x) -> Tensor",
    "f(Tensor(a) x) -> Tensor(a)",
    "f(Tensor(a) x) -> Tensor (a)",
    "f(Tensor(a|b|*) x) -> ()",
    "f(Tensor(*|a) x) -> ()",
    "f(Tensor(a! -> *) x) -> ()",
    "f(Tensor(a -> ) x) -> ()",
    "f(Tensor[](a) x) -> ()",
    "f(Tensor(a)[](b) x) -> ()",
    "f(Tensor(a)[2](b)? x) -> ()",
    "f(Dict(str, Dict(int, Tensor[])) x) -> ()",
    "f(Tensor é) -> ()",
    "f(Tensor x) -> Tensor é",
    "f(Union(int, int) x) -> ()",
    "f(Union(int, Union(str, int)) x) -> ()",
    "f(__torch__.torch.klasses.a.B x) -> ()",
] + [
    "f(int %s) -> int" % word
    for word in "in is as if for not and or def class import with pass del lambda from self None True iffy is_x inf nan "
    "_ __x x1 1x Tensor int default while global raise assert break yield NoneType Ellipsis elif".split(" ")
]
SEEDS = [
    "op.out(Tensor self, int[2] a=[1, 2], *, float? b=None, Tensor(a!) out) -> Tensor(a!)",
    "ns::op(Tensor?[] x, str s='u', bool b=True) -> (Tensor r, Scalar)",
]


def mutants(rng, count):
    for _ in range(count):
        text = rng.choice(SEEDS)
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(len(text))
            kind = rng.randrange(3)
            new = rng.choice("()[]?!*,.:=->|'ab1 \n")
            text = text[:at] + (new if kind else "") + text[at + (kind != 1) :]
        yield text


def strings(count):
    out = list(WHOLES)
    out += ["f(%s x) -> ()" % t for t in TYPES] + ["f() -> %s" % t for t in TYPES]
    out += ["f(%s x=%s) -> ()" % (t, d.replace("\\\\", "\\")) for t in TYPES[:60] for d in DEFAULTS]
    out += mutants(random.Random(20), count)
    return list(dict.fromkeys(out))


# What def() is given goes through torch::schema.
TAKES = """\
#include <string>
#include <torch/library.h>
bool takes(const std::string &text) {
  try {
    torch::schema(text.c_str());
    return true;
  } catch (const std::exception &) {
    return false;
  }
}
"""


def literal(text):
    return '"' + "".join(c if 32 <= ord(c) < 127 and c not in '"\\?' else "\\%03o" % ord(c) for c in text) + '"'


def opsig_takes(texts, command, libtorch):
    lines = ["#include <torch/library.h>", "void fill(torch::Library &m) {"]
    lines += ["m.def(%s);" % literal(t.encode().decode("latin-1")) for t in texts]
    path = libtorch.write("strings.cpp", "\n".join(lines + ["}", ""]))
    found = judges.run_opsig(command, path, libtorch)
    refused = {
        int(m[1]) - 3
        for m in re.finditer(r"strings\.cpp:(\d+):\d+: error: .*\[opsig-(registered-schema|registration-misplaced)\]", found)
    }
    if not refused:
        sys.exit("opsig did not do its work: " + found[-500:])
    return [i not in refused for i in range(len(texts))]


def main():
    libtorch, command = judges.arguments(sys.argv[1:])
    texts = strings(int(os.environ.get("MUTANTS", "3000")))
    expected = libtorch.takes(TAKES, texts, ["torch_cpu", "c10"])
    found = opsig_takes(texts, command, libtorch)
    wrong = [(t, e) for t, e, f in zip(texts, expected, found) if e != f]
    for text, verdict in wrong:
        print("%r: libtorch %s it, opsig does not" % (text, "takes" if verdict else "refuses"))
    print("%d strings, %d taken, %d disagreements" % (len(texts), sum(expected), len(wrong)))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
