// Asks for what no stable code may include.
#pragma once
#include <ATen/Config.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
extern "C" int aoti_torch_host_only(AtenTensorHandle tensor);
