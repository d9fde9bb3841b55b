//===- FlowPointers.cpp - functions that write through pointers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said here of a function that has no body in the project: that it writes, by its name; or
// that it may, by the type of its parameter.
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace clang;

bool opsig::givesMemory(StringRef Method) {
  return llvm::StringSwitch<bool>(Method)
      .Cases({"data_ptr", "mutable_data_ptr", "const_data_ptr", "data"}, true)
      .Cases({"accessor", "packed_accessor", "packed_accessor32", "packed_accessor64",
              "generic_packed_accessor"},
             true)
      .Cases({"variable_data", "tensor_data", "storage", "unsafeGetTensorImpl", "getIntrusivePtr"},
             true)
      .Default(false);
}

/// Stores of <immintrin.h>: _mm_storeu_ps, _mm256_maskstore_epi32, _mm512_mask_storeu_ps.
static bool isVectorStore(StringRef Name) {
  return Name.starts_with("_mm") && (Name.contains("store") || Name.contains("_stream_")) &&
         !Name.contains("load");
}

static bool isAtomic(StringRef Name) {
  if (Name.consume_front("gpuAtomic"))
    return llvm::is_contained({"Add", "AddNoReturn", "Mul", "Max", "Min"}, Name);
  if (!Name.consume_front("atomic"))
    return false;
  Name.consume_back("_block") || Name.consume_back("_system");
  return llvm::is_contained(
      {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"}, Name);
}

int opsig::writtenArgument(StringRef Name) {
  if (Name.consume_front("std::"))
    if (int Known = llvm::StringSwitch<int>(Name)
                        .Cases({"fill", "fill_n", "iota", "sort", "stable_sort"}, 0)
                        .Cases({"copy", "copy_n"}, 2)
                        .Default(-1);
        Known >= 0)
      return Known;
  Name.consume_front("__builtin_");
  if (isAtomic(Name) || isVectorStore(Name))
    return 0;
  // Of the toolkits, by any of their names: cudaMemcpyAsync, hipMemset.
  for (StringRef Toolkit : {"cuda", "hip", "musa"})
    if (StringRef Rest = Name; Rest.consume_front(Toolkit)) {
      Rest.consume_back("Async");
      return llvm::is_contained({"Memcpy", "Memcpy2D", "MemcpyPeer", "Memset", "Memset2D"}, Rest)
                 ? 0
                 : -1;
    }
  return llvm::StringSwitch<int>(Name)
      .Cases({"memcpy", "memmove", "memset", "__stcg", "__stcs", "__stwb", "__stwt"}, 0)
      .Default(-1);
}

bool opsig::isWritablePointer(QualType T) {
  T = T.getNonReferenceType();
  if (!T->isPointerType())
    return false;
  QualType To = T->getPointeeType();
  // Pointers and tensors are no elements.
  return !To.isConstQualified() && !To->isFunctionType() && !To->isAnyPointerType() &&
         !isTensorClass(To);
}

bool opsig::isWritablePointer(const FunctionDecl &F, unsigned Index) {
  if (Index >= F.getNumParams() || !isWritablePointer(F.getParamDecl(Index)->getType()))
    return false;
  const FunctionTemplateDecl *Template = F.getPrimaryTemplate();
  if (!Template)
    return true;
  // What takes anything, an iterator or a value, promises nothing by taking this.
  const FunctionDecl &Written = *Template->getTemplatedDecl();
  return Written.getNumParams() == F.getNumParams() &&
         Written.getParamDecl(Index)->getType().getNonReferenceType()->isPointerType();
}
