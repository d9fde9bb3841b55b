#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
extern "C" int aoti_torch_aten_narrow(AtenTensorHandle self, long dim, long start, long length, AtenTensorHandle *ret);
