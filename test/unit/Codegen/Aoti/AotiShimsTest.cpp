//===- AotiShimsTest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is expected here is what gen_aoti_c_shim.py of each release makes of the same schemas.
//
//===----------------------------------------------------------------------===//
#include "Aoti/AotiShimsInternal.h"
#include "Signature/TestFunctions.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace opsig::test;

namespace {

const Dialect &firstWithShims() { return *chooseDialect(llvm::VersionTuple(2, 3)).Chosen; }
const Dialect &firstWithListedShims() { return *chooseDialect(llvm::VersionTuple(2, 4)).Chosen; }

/// The parameters, the call, and a line per result.
std::string shim(llvm::StringRef Schema, const Dialect &D) {
  std::optional<ShimPlan> Plan = planShim(function(Schema).Schema, D);
  if (!Plan)
    return "none";
  auto Declare = [](const ShimParam &P) { return P.Type + " " + P.Name; };
  std::string Text = "(" + llvm::join(llvm::map_range(Plan->Params, Declare), ", ") + ")\nf(" +
                     llvm::join(Plan->CallArgs, ", ") + ")\n";
  for (const ShimResult &R : Plan->Results)
    Text += (Plan->HasNullableResults ? "if (" + R.Name + ") *" : "*") + R.Name + " = " +
            (R.IsHandle ? "handle of " : "") + R.Value + "\n";
  return Text;
}

TEST(AotiShimsTest, EveryKindOfArgument) {
  llvm::StringRef Schema =
      "demo(Tensor self, Tensor? weight, Tensor[] list, Tensor?[] indices, SymInt n, Scalar x, "
      "float y, str mode, bool[2] mask) -> (Tensor, Scalar, SymInt, int)";
  EXPECT_EQ(
      R"((AtenTensorHandle self, AtenTensorHandle* weight, const AtenTensorHandle* list, int64_t list_len_, const AtenTensorHandle** indices, int64_t indices_len_, int64_t n, double x, double y, const char* mode, const int32_t* mask, int64_t mask_len_, AtenTensorHandle* ret0, double* ret1, int64_t* ret2, int64_t* ret3)
f(*tensor_handle_to_tensor_pointer(self), pointer_to_optional<at::Tensor>(weight), pointer_to_list<at::Tensor>(list, list_len_), c10::List<::std::optional<at::Tensor>>(c10::ArrayRef<::std::optional<at::Tensor>>(pointer_to_list<::std::optional<at::Tensor>>(indices, indices_len_))), n, x, y, mode, pointer_to_list<2>(mask))
*ret0 = handle of std::get<0>(tmp_result)
*ret1 = std::get<1>(tmp_result).toDouble()
*ret2 = std::get<2>(tmp_result).expect_int()
*ret3 = std::get<3>(tmp_result)
)",
      shim(Schema, firstWithListedShims()));
  EXPECT_EQ(
      R"((AtenTensorHandle self, AtenTensorHandle* weight, const AtenTensorHandle* list, int64_t list_len_, const AtenTensorHandle** indices, int64_t indices_len_, int64_t n, double x, double y, const char* mode, const int32_t* mask, int64_t mask_len_, AtenTensorHandle* ret0, double* ret1, int64_t* ret2, int64_t* ret3)
f(resolve_tensor_dispatch_flags(self), resolve_tensor_dispatch_flags(weight), resolve_tensor_list_dispatch_flags(list, list_len_), c10::List<::std::optional<at::Tensor>>(c10::ArrayRef<::std::optional<at::Tensor>>(resolve_tensor_list_dispatch_flags(indices, indices_len_))), n, x, y, mode, pointer_to_list<2>(mask))
*ret0 = handle of std::get<0>(tmp_result)
*ret1 = std::get<1>(tmp_result).toDouble()
*ret2 = std::get<2>(tmp_result).expect_int()
*ret3 = std::get<3>(tmp_result)
)",
      shim(Schema, newDialect()));
}

TEST(AotiShimsTest, Options) {
  llvm::StringRef Schema = "options(int[]? size, Device? device, Device where, ScalarType? dtype, "
                           "Generator? g, MemoryFormat m, str? s, Generator h) -> Tensor";
  EXPECT_EQ(
      R"((const int64_t** size, int64_t size_len_, int32_t* device, int32_t device_index_, int32_t where, int32_t where_index_, int32_t* dtype, AtenGeneratorHandle* g, int32_t m, const char** s, AtenGeneratorHandle h, AtenTensorHandle* ret0)
f(pointer_to_optional_list<int64_t>(size, size_len_), pointer_to_optional_device(device, device_index_), c10::Device(static_cast<c10::DeviceType>(where), static_cast<c10::DeviceIndex>(where_index_)), pointer_to_optional<c10::ScalarType>(dtype), pointer_to_optional<at::Generator>(g), static_cast<c10::MemoryFormat>(m), pointer_to_optional<c10::string_view>(s), *generator_handle_to_generator_pointer(h))
*ret0 = handle of tmp_result
)",
      shim(Schema, firstWithListedShims()));
  EXPECT_EQ(
      R"((const int64_t** size, int64_t size_len_, int32_t* device, int32_t device_index_, int32_t where, int32_t where_index_, int32_t* dtype, AtenGeneratorHandle* g, int32_t m, const char** s, AtenGeneratorHandle h, AtenTensorHandle* ret0)
f(pointer_to_optional_list<int64_t>(size, size_len_), pointer_to_optional_device(device, device_index_), c10::Device(static_cast<c10::DeviceType>(where), static_cast<c10::DeviceIndex>(where_index_)), pointer_to_optional<c10::ScalarType>(dtype), pointer_to_optional<at::Generator>(g), static_cast<c10::MemoryFormat>(m), pointer_to_optional<::std::string_view>(s), *generator_handle_to_generator_pointer(h))
*ret0 = handle of tmp_result
)",
      shim(Schema, newDialect()));
}

TEST(AotiShimsTest, Out) {
  llvm::StringRef Schema = "write.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)";
  EXPECT_EQ(R"((AtenTensorHandle out, AtenTensorHandle self)
f(*tensor_handle_to_tensor_pointer(out), *tensor_handle_to_tensor_pointer(self))
)",
            shim(Schema, firstWithListedShims()));
  EXPECT_EQ(R"((AtenTensorHandle out, AtenTensorHandle self)
f(*tensor_handle_to_tensor_pointer(out), resolve_tensor_dispatch_flags(self))
)",
            shim(Schema, newDialect()));
}

TEST(AotiShimsTest, Inplace) {
  llvm::StringRef Schema = "inplace_(Tensor(a!) self, Tensor other) -> Tensor(a!)";
  EXPECT_EQ(R"((AtenTensorHandle self, AtenTensorHandle other)
f(*tensor_handle_to_tensor_pointer(self), *tensor_handle_to_tensor_pointer(other))
)",
            shim(Schema, firstWithListedShims()));
  EXPECT_EQ(R"((AtenTensorHandle self, AtenTensorHandle other)
f(*tensor_handle_to_tensor_pointer(self), resolve_tensor_dispatch_flags(other))
)",
            shim(Schema, newDialect()));
}

TEST(AotiShimsTest, Nullable) {
  llvm::StringRef Schema = "convolution_backward(Tensor self) -> (Tensor, Tensor)";
  EXPECT_EQ(R"((AtenTensorHandle self, AtenTensorHandle* ret0, AtenTensorHandle* ret1)
f(*tensor_handle_to_tensor_pointer(self))
if (ret0) *ret0 = handle of std::get<0>(tmp_result)
if (ret1) *ret1 = handle of std::get<1>(tmp_result)
)",
            shim(Schema, firstWithListedShims()));
  EXPECT_EQ(R"((AtenTensorHandle self, AtenTensorHandle* ret0, AtenTensorHandle* ret1)
f(resolve_tensor_dispatch_flags(self))
if (ret0) *ret0 = handle of std::get<0>(tmp_result)
if (ret1) *ret1 = handle of std::get<1>(tmp_result)
)",
            shim(Schema, newDialect()));
}

TEST(AotiShimsTest, WhereAllOperatorsHaveShims) {
  EXPECT_EQ(
      R"((AtenTensorHandle self, AtenTensorHandle* weight, const AtenTensorHandle** indices, int64_t indices_len_, const int32_t* mask, int64_t mask_len_, const char** mode, AtenTensorHandle* ret0, int64_t* ret1)
f(*tensor_handle_to_tensor_pointer(self), pointer_to_optional<at::Tensor>(weight), c10::List<c10::optional<at::Tensor>>(c10::ArrayRef<c10::optional<at::Tensor>>(pointer_to_list<c10::optional<at::Tensor>>(indices, indices_len_))), pointer_to_list<2>(mask), pointer_to_optional<c10::string_view>(mode))
*ret0 = handle of std::get<0>(tmp_result)
*ret1 = std::get<1>(tmp_result).expect_int()
)",
      shim("demo(Tensor self, Tensor? weight, Tensor?[] indices, bool[2] mask, str? mode) -> "
           "(Tensor, SymInt)",
           firstWithShims()));
  EXPECT_EQ(R"((AtenTensorHandle self, AtenTensorHandle other, AtenTensorHandle* ret0)
f(*tensor_handle_to_tensor_pointer(self), *tensor_handle_to_tensor_pointer(other))
*ret0 = handle of tmp_result
)",
            shim("inplace_(Tensor(a!) self, Tensor other) -> Tensor(a!)", firstWithShims()));
  EXPECT_EQ("none", shim("f(Tensor self, Generator? g) -> Tensor", firstWithShims()));
}

TEST(AotiShimsTest, TypesWithoutCForm) {
  EXPECT_EQ("none", shim("f(Tensor self, Dimname dim) -> Tensor", newDialect()));
  EXPECT_EQ("none", shim("f(Tensor self) -> Tensor[]", newDialect()));
  EXPECT_EQ("none", shim("f(Tensor self, Device[] devices) -> Tensor", newDialect()));
}

} // namespace
