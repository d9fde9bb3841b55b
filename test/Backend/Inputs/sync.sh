#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   sync.sh EXAMPLE OUT OPSIG
#
# Has `opsig sync` fill an empty class for the kernels of the folder EXAMPLE, compiles and runs the backend, then
# begins once more without any kernel. Prints what happened.
set -euo pipefail
example=$1
out=$2
opsig=$3
cd "$out"
mkdir hand nothing gen obj
flags=("$("$example/../../utils/torch-std")" -fPIC -O1 -Wno-deprecated-declarations)

write_empty_class() {
  cat >"$1/PrivateUse1NativeFunctions.h" <<'END'
#pragma once
#include <ATen/ATen.h>

namespace demo {

struct DemoNativeFunctions {};

} // namespace demo
END
}

# sync_and_check WHAT FOLDER FILE...: says what was done, and that nothing is left to be done.
sync_and_check() {
  local what=$1 folder=$2
  shift 2
  "$opsig" sync --backend "$example/demo.yaml" "$@" -- "${flags[@]}" "-I$folder" "-I$example" 2>said
  echo "$what: $(sed 's/^opsig: //' said)"
  cp -r "$folder" once
  "$opsig" sync --backend "$example/demo.yaml" "$@" -- "${flags[@]}" "-I$folder" "-I$example"
  diff -r once "$folder"
  rm -r once
  "$opsig" check --backend "$example/demo.yaml" "$@" -- "${flags[@]}" "-I$folder" "-I$example"
  echo "opsig check finds nothing"
}

cat >torch.h <<'END'
#include <ATen/ATen.h>
#include <ATen/DeviceGuard.h>
#include <ATen/NativeFunctions.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>
END
clang++-22 "${flags[@]}" -I. -x c++-header -fpch-instantiate-templates torch.h -o torch.pch
# compile FOLDER SOURCE...: into the library FOLDER/libdemo.so, with the class of FOLDER.
compile() {
  local folder=$1 source
  shift
  rm -f obj/*
  for source in "$@"; do
    clang++-22 "${flags[@]}" "-I$folder" "-I$example" -I. -include-pch torch.pch -c "$source" \
      -o "obj/$(basename "$source" .cpp).o"
  done
  clang++-22 -shared obj/*.o -o "$folder/libdemo.so" -ltorch_cpu -lc10
}

# The kernels are there, their class is empty.
write_empty_class hand
kernels=("$example"/{Autograd,Copy,Factories,Pointwise,Reductions,Views}.cpp)
cp "${kernels[@]}" hand
sync_and_check "class filled" hand hand/PrivateUse1NativeFunctions.h hand/*.cpp
for kernel in "${kernels[@]}"; do
  cmp "$kernel" "hand/$(basename "$kernel")"
done
"$opsig" gen backend --source_yaml "$example/demo.yaml" --output_dir gen
# The wrappers, too, have to do with the class as it is.
cp hand/PrivateUse1NativeFunctions.h gen
compile hand hand/*.cpp "$example"/{Device,Hooks}.cpp gen/*.cpp
"$example/run.py" "$out/hand/libdemo.so"

# Nothing is there but an empty class and empty blocks.
write_empty_class nothing
cat >nothing/kernels.cpp <<'END'
#include "PrivateUse1NativeFunctions.h"

#include <torch/library.h>

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {}
TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, m) {}
END
sync_and_check "from nothing" nothing nothing/PrivateUse1NativeFunctions.h nothing/kernels.cpp
compile nothing nothing/kernels.cpp "$example"/{Device,Hooks}.cpp
/usr/bin/python3 - "$out/nothing/libdemo.so" "$example/demo.yaml" <<'END'
import sys
import types

import torch
import yaml

torch.ops.load_library(sys.argv[1])
# Newer releases ask the device's module before they ask for the kernel.
torch._register_device_module("privateuseone", types.ModuleType("torch.privateuseone"))
lists = yaml.safe_load(open(sys.argv[2]))
for section, key in ("supported", "PrivateUse1"), ("autograd", "AutogradPrivateUse1"):
    for op in lists[section]:
        has = torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{op}", key)
        print(f"{op}: {'registered' if has else 'MISSING'} for {key}")
try:
    torch.empty(2, device="privateuseone")
except RuntimeError as error:
    print(str(error).splitlines()[0])
END
