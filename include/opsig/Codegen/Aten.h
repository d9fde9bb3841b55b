//===- Aten.h - The files of PyTorch's own build ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators x AtenOptions => AtenInput (keys, selections, groups by name) => one generator per
// family of outputs => files
//
// Every generator is a pure function over the same input: it decides what exists, then prints. None
// opens a file. A family has a source file of its own.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_ATEN_H
#define OPSIG_CODEGEN_ATEN_H

#include "opsig/Codegen/Files.h"
#include "opsig/Codegen/Selector.h"
#include "opsig/Operators/Operators.h"
#include <memory>

namespace opsig {

/// torchgen.gen's options, as far as they shape outputs.
struct AtenOptions {
  bool PerOperatorHeaders = false;
  bool Rocm = false;
  bool SkipDispatcherOpRegistration = false;
  bool UpdateAotiShims = false;
  bool ExtendAotiShims = false;
};

/// What the C++ API has of each function, for the families that ask.
class OperatorApis;
std::shared_ptr<OperatorApis> makeOperatorApis();

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
  std::shared_ptr<OperatorApis> Apis = makeOperatorApis();

  const Dialect &dialect() const { return *Ops.D; }
};

/// The writer of its files.
inline FileWriter atenWriter(const AtenInput &In, FileSink Out, Findings &Diags,
                             std::string &Buffer) {
  return {In.Templates, In.dialect(), "by torchgen/gen.py from ", Out, Diags, Buffer};
}

// One function per family.

void generateSchemaRegistrations(const AtenInput &In, FileWriter &Out);
/// Functions.cpp and core/TensorMethods.cpp, which depend on no operator.
void generateFixedSources(const AtenInput &In, FileWriter &Out);
/// core/ATenOpList.cpp.
void generateOperatorList(const AtenInput &In, FileWriter &Out);
/// core/aten_interned_strings.h and core/enum_tag.h.
void generateNameLists(const AtenInput &In, FileWriter &Out);
void generateOperatorHeaders(const AtenInput &In, FileWriter &Out);
void generateOperatorSources(const AtenInput &In, FileWriter &Out);
void generateTensorMethods(const AtenInput &In, FileWriter &Out);
void generateRegistrations(const AtenInput &In, FileWriter &Out);
void generateDispatchHeaders(const AtenInput &In, FileWriter &Out);
void generateBackendSelect(const AtenInput &In, FileWriter &Out);
void generateUfuncKernels(const AtenInput &In, FileWriter &Out);
void generateFunctionalization(const AtenInput &In, FileWriter &Out);
void generateCompositeViewCopies(const AtenInput &In, FileWriter &Out);
void generateViewMetaClasses(const AtenInput &In, FileWriter &Out);
void generateDeclarationsYaml(const AtenInput &In, FileWriter &Out);
void generateRegistrationDeclarations(const AtenInput &In, FileWriter &Out);
void generateVmapPlumbing(const AtenInput &In, FileWriter &Out);
void generateAotiShims(const AtenInput &In, FileWriter &Out);

/// The headers of the AOTI shims, which generateAotiShims leaves out unless they are to be updated:
/// they are kept under version control, and a release must not change them unawares.
std::vector<GeneratedFile> aotiShimHeaders(const AtenInput &In);

} // namespace opsig

#endif
