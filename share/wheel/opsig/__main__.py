"""python -m opsig

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
from . import _run

_run("opsig")
