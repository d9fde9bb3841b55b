#!/usr/bin/python3
"""Calls the operators of the extension in a library, and prints what each returns, a line for each call.

usage: run_extension.py LIBRARY

Also what is wrong, and what was written to: two libraries that do the same print the same.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import sys

import torch


def shown(value):
    if isinstance(value, torch.Tensor):
        return "%s %s" % (str(value.dtype).removeprefix("torch."), value.tolist())
    if isinstance(value, (list, tuple)):
        return "[%s]" % ", ".join(shown(v) for v in value)
    return repr(value)


def say(name, call):
    try:
        print("%s: %s" % (name, shown(call())))
    except RuntimeError as wrong:
        # Which class of errors it is, and the places that messages name, is each library's own.
        print("%s: error%s" % (name, ": sizes differ" if "sizes differ" in str(wrong) else ""))


def main():
    torch.ops.load_library(sys.argv[1])
    ops = torch.ops.extension
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    y = x.t().contiguous().t() + 0.5
    out = torch.empty(2, 3)
    say("scale", lambda: ops.scale(x, 1.5))
    say("scale of a view", lambda: ops.scale(y, -2.0))
    say("scale of doubles", lambda: ops.scale(x.double(), 1.5))
    say("add_out", lambda: ops.add_out(x, y, out=out))
    say("what it wrote", lambda: out)
    say("it returns what it is given", lambda: ops.add_out(x, y, out=out).data_ptr() == out.data_ptr())
    say("add_out of other sizes", lambda: ops.add_out(x, y[:1], out=out))
    say("biased without", lambda: ops.biased(x))
    say("biased", lambda: ops.biased(x, torch.tensor([1.0, 2.0, 3.0])))
    say("biased and scaled", lambda: ops.biased(x, torch.tensor([1.0, 2.0, 3.0]), 0.5))
    say("scaled only", lambda: ops.biased(x, None, 0.25))
    say("total", lambda: ops.total([x, y, x]))
    say("total of nothing", lambda: ops.total([]))
    say("rows", lambda: ops.rows(x))
    say("rows of a row", lambda: ops.rows(x[0]))
    say("grid", lambda: ops.grid([2, 2], like=x))
    say("grid of nothing", lambda: ops.grid([0], like=x))
    say("head", lambda: ops.head(x, 1))
    say("it is a view", lambda: ops.head(x, 1).data_ptr() == x.data_ptr())
    say("head of too many", lambda: ops.head(x, 3))
    for dtype in (torch.float32, torch.float64, torch.int64):
        z = torch.tensor([-2, 0, 7], dtype=dtype)
        say("clip_ of %s" % dtype, lambda: ops.clip_(z, -1.0, 1.5))
        say("what it wrote", lambda: z)
    for dtype in (torch.int32, torch.int64, torch.uint8, torch.float32):
        say("tally of %s" % dtype, lambda: ops.tally(torch.tensor([1, 0, 1, 3], dtype=dtype), 4))
    say("tally without a bin", lambda: ops.tally(torch.tensor([5]), 4))
    say("bounds", lambda: ops.bounds(y))
    say("bounds of nothing", lambda: ops.bounds(torch.empty(0)))

    def backward(ctx, grad):
        return ops.square_backward(grad, *ctx.saved_tensors)

    torch.library.register_autograd(
        "extension::square", backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs)
    )
    w = x.clone().requires_grad_()
    say("square", lambda: ops.square(w))
    ops.square(w).sum().backward()
    say("its gradient", lambda: w.grad)


if __name__ == "__main__":
    main()
