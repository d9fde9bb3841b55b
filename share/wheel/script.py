#!python
"""Starts @PROGRAM@ of the Python package opsig.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import sys

# `pip install --target DIR` puts the package beside DIR/bin, where this Python does not look for it.
beside = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
if os.path.exists(os.path.join(beside, "opsig", "_version.py")):
    sys.path.insert(0, beside)
try:
    import opsig
except ModuleNotFoundError:
    sys.exit(f"@PROGRAM@: error: {sys.executable} has no package 'opsig' @VERSION@; install it again")
if opsig.__version__ != "@VERSION@":
    sys.exit(
        f"@PROGRAM@: error: {os.path.abspath(__file__)} belongs to opsig @VERSION@, "
        f"but {sys.executable} finds opsig {opsig.__version__} in {opsig.prefix()}; remove one of the two versions"
    )
opsig._run("@PROGRAM@")
