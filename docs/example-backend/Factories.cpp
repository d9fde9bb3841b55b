//===- Factories.cpp - tensors come into being and grow -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Device.h"
#include "PrivateUse1NativeFunctions.h"

#include <ATen/EmptyTensor.h>

#include <cstring>

namespace demo {

namespace {

const c10::DispatchKeySet demoKeys(c10::DispatchKey::PrivateUse1);

void checkFactory(c10::optional<at::Layout> layout, c10::optional<bool> pin_memory) {
  TORCH_CHECK(c10::layout_or_default(layout) == at::kStrided,
              "the demo device has strided tensors only");
  TORCH_CHECK(!c10::pinned_memory_or_default(pin_memory), "only memory of the CPU can be pinned");
}

} // namespace

at::Tensor DemoNativeFunctions::empty(at::IntArrayRef size, c10::optional<at::ScalarType> dtype,
                                      c10::optional<at::Layout> layout,
                                      c10::optional<at::Device> device,
                                      c10::optional<bool> pin_memory,
                                      c10::optional<at::MemoryFormat> memory_format) {
  checkFactory(layout, pin_memory);
  return at::detail::empty_generic(size, allocator(), demoKeys, c10::dtype_or_default(dtype),
                                   memory_format);
}

at::Tensor DemoNativeFunctions::empty_strided(at::IntArrayRef size, at::IntArrayRef stride,
                                              c10::optional<at::ScalarType> dtype,
                                              c10::optional<at::Layout> layout,
                                              c10::optional<at::Device> device,
                                              c10::optional<bool> pin_memory) {
  checkFactory(layout, pin_memory);
  return at::detail::empty_strided_generic(size, stride, allocator(), demoKeys,
                                           c10::dtype_or_default(dtype));
}

// The schema writes to 'self', yet native_functions.yaml asks for 'const Tensor &' here: the
// tensor's sizes change, the handle does not.
const at::Tensor &DemoNativeFunctions::resize_(const at::Tensor &self, at::IntArrayRef size,
                                               c10::optional<at::MemoryFormat> memory_format) {
  at::TensorImpl *impl = self.unsafeGetTensorImpl();
  impl->set_sizes_contiguous(size);
  if (memory_format)
    impl->empty_tensor_restride(*memory_format);

  const size_t needed = at::detail::computeStorageNbytes(impl->sizes(), impl->strides(),
                                                         impl->itemsize(), impl->storage_offset());
  c10::StorageImpl *storage = impl->unsafe_storage().unsafeGetStorageImpl();
  if (needed > storage->nbytes()) {
    c10::DataPtr grown = allocator()->allocate(needed);
    if (storage->nbytes())
      std::memcpy(grown.get(), storage->data(), storage->nbytes());
    storage->set_data_ptr_noswap(std::move(grown));
    storage->set_nbytes(needed);
  }
  return self;
}

} // namespace demo
