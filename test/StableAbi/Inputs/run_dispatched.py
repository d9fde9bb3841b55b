#!/usr/bin/python3
"""Calls the operators of dispatched/operators.cpp in a library, and prints what each returns.

usage: run_dispatched.py LIBRARY

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import sys

import torch

torch.ops.load_library(sys.argv[1])
ops = torch.ops.dispatched
x = torch.tensor([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]])
y = x.flip(1) + 1
print("ratio", ops.ratio(x, y))
print("best", ops.best(x, 2))
print("arranged", ops.arranged(x, [0, 1]))
print("middle", ops.middle(x))
print("middle of doubles", ops.middle(x, torch.float64))
z = x.clone()
print("weighted_", ops.weighted_(z, y), z)
print("largest", ops.largest(x))
print("parts", ops.parts(x))
for wrong in (lambda: ops.ratio(x, torch.ones(5)), lambda: ops.best(x, 7), lambda: ops.largest(torch.ones(0))):
    try:
        print("no error", wrong())
    except (RuntimeError, IndexError) as error:
        print("error")
for _ in range(1000):
    ops.arranged(x, [0])  # what is boxed is freed once
print("done")
