//===- Aten.h - The files of PyTorch's own build ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators x AtenOptions => AtenInput (keys, selections, groups by name) => one generator per
// family of outputs => AtenFile*
//
// Every generator is a pure function over the same input: it decides what exists, then prints. None
// opens a file. A family has a source file of its own.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_ATEN_H
#define OPSIG_CODEGEN_ATEN_H

#include "opsig/Codegen/Selector.h"
#include "opsig/Codegen/TemplateSet.h"
#include "opsig/Operators/Operators.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace opsig {

/// Below the install folder: itself, core/, ops/; and the folders of the AOTI shims and of headers
/// that need no library.
enum class AtenFolder : uint8_t { Main, Core, Ops, Aoti, HeaderOnly };

/// The list of files (of `-o`) that names a file.
enum class AtenList : uint8_t { Main, CpuVec, Core, Ops, Cuda, Xpu, None };

struct AtenFile {
  AtenFolder Folder;
  AtenList List;
  std::string Name; ///< "RegisterCPU.cpp", "add_native.h"
  std::string Text;
};
using AtenFiles = std::vector<AtenFile>;
/// Takes files one after the other, as soon as each is made: all texts together are much memory.
using AtenSink = llvm::function_ref<void(AtenFile)>;

/// torchgen.gen's options, as far as they shape outputs.
struct AtenOptions {
  bool PerOperatorHeaders = false;
  bool Rocm = false;
  bool SkipDispatcherOpRegistration = false;
  bool UpdateAotiShims = false;
  bool ExtendAotiShims = false;
};

struct AtenInput {
  const Operators &Ops;
  const AtenOptions &Options;
  const TemplateSet &Templates;
  /// Which operators are registered, and of which schemas are (differs with
  /// force_schema_registration).
  const Selector &Selected;
  const Selector &SelectedSchemas;
  /// Keys that get Register<Key>.cpp, in the release's order, after dropped keys and whitelist.
  std::vector<DispatchKey> Keys;
  /// Keys that get <Key>Functions.h and `_dispatch.h` headers.
  std::vector<DispatchKey> FunctionKeys;
  /// Keys of --static_dispatch_backend, as given.
  std::vector<DispatchKey> StaticDispatch;

  const Dialect &dialect() const { return *Ops.D; }
};

// One function per family; each hands its files to Out. What is wrong with a template goes to
// Diags.

void generateSchemaRegistrations(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
/// Functions.cpp and core/TensorMethods.cpp, which depend on no operator.
void generateFixedSources(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
/// core/ATenOpList.cpp.
void generateOperatorList(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
/// core/aten_interned_strings.h and core/enum_tag.h.
void generateNameLists(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateOperatorHeaders(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateOperatorSources(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateTensorMethods(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateRegistrations(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateDispatchHeaders(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateBackendSelect(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateUfuncKernels(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateFunctionalization(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateCompositeViewCopies(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateViewMetaClasses(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateDeclarationsYaml(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateRegistrationDeclarations(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateVmapPlumbing(const AtenInput &In, AtenSink Out, Diagnostics &Diags);
void generateAotiShims(const AtenInput &In, AtenSink Out, Diagnostics &Diags);

/// Name and text.
using AotiHeaders = std::vector<std::pair<std::string, std::string>>;
/// The headers of the AOTI shims, which generateAotiShims leaves out unless they are to be updated:
/// they are kept under version control, and a release must not change them unawares.
AotiHeaders aotiShimHeaders(const AtenInput &In);

} // namespace opsig

#endif
