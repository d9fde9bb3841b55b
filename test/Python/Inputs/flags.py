# Prints what an extension module for PyTorch is compiled with, one flag a line, for @FILE of a compiler.
import os
import sysconfig

import torch

cxx11 = int(torch.compiled_with_cxx11_abi())
print(os.environ["OPSIG_TORCH_STD"], "-O0 -w -fPIC -shared -fvisibility=hidden -DAT_PER_OPERATOR_HEADERS")
print(f"-D_GLIBCXX_USE_CXX11_ABI={cxx11}")
print("-I" + sysconfig.get_paths()["include"])
# pybind11's mark of the compiler must be the one that PyTorch was compiled with, where PyTorch tells it: newer
# releases of both make no difference between compilers.
for name in ("COMPILER_TYPE", "STDLIB", "BUILD_ABI"):
    mark = getattr(torch._C, "_PYBIND11_" + name, None)
    if mark is not None:
        print(f"-DPYBIND11_{name}=\\\"{mark}\\\"")
print("-ltorch_python -ltorch_cpu -lc10")
