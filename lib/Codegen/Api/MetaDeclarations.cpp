//===- MetaDeclarations.cpp - Classes of structured meta functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/KernelDeclarationsInternal.h"
#include "opsig/Signature/Signature.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template MetaClassText = R"(struct TORCH_API structured_${name} : public ${parent} {
    ${=precompute}
    ${=typedef}
    ${returns} meta(${params});
};
)";
constexpr StringLiteral DefaultParent = "at::impl::MetaBase";

// What a meta function with precomputed values returns: a struct with a bool per value that tells
// whether it was set.
constexpr Template PrecomputeText = R"(

                template <${bools}>
                struct TORCH_API precompute_out {
                    ${=setters}
                    ${members};
            };)";
constexpr Template BoolText = "bool ${value} = false";
constexpr Template TypedefText = "using meta_return_ty = precompute_out <${trues}>;";
constexpr Template SetterText = R"(

                    precompute_out<${after}> set_${name}(${type} value) {
                        static_assert(${value} == false, "${name} already set");
                        ${=body}
                    }
                )";
constexpr Template SetterResultText = "precompute_out<${after}> ret;";
constexpr Template SetValueText = "ret.${name} = value;";
constexpr Template KeepValueText = "ret.${name} = this->${name};";

struct PrecomputedValue {
  std::string Name;
  std::string Flag; ///< the name in capitals
  std::string Type;
};

std::vector<PrecomputedValue> precomputedValues(const Precompute &P, const Dialect &D) {
  std::vector<PrecomputedValue> Values;
  auto Add = [&](const std::vector<Argument> &Arguments) {
    for (const Argument &A : Arguments)
      Values.push_back({A.Name, StringRef(A.Name).upper(), structuredType(A).strWithoutRef(D)});
  };
  for (const Precompute::Replacement &R : P.Replace)
    Add(R.By);
  Add(P.Add);
  return Values;
}

/// \p Text of every value.
template <typename Fn>
std::string joined(ArrayRef<PrecomputedValue> Values, StringRef Separator, Fn Text) {
  std::vector<std::string> Texts;
  for (auto [I, V] : enumerate(Values))
    Texts.push_back(Text(I, V));
  return llvm::join(Texts, Separator);
}

std::string setter(ArrayRef<PrecomputedValue> Values, size_t Set) {
  const PrecomputedValue &Value = Values[Set];
  std::string After = joined(Values, ", ", [&](size_t I, const PrecomputedValue &V) {
    return I == Set ? std::string("true") : V.Flag;
  });
  std::string Body = printed<SetterResultText>("after"_hole = After) + "\n" +
                     joined(Values, "\n",
                            [&](size_t I, const PrecomputedValue &V) {
                              return I == Set ? printed<SetValueText>("name"_hole = V.Name)
                                              : printed<KeepValueText>("name"_hole = V.Name);
                            }) +
                     "\nreturn ret;";
  return printed<SetterText>("after"_hole = After, "name"_hole = Value.Name,
                             "type"_hole = Value.Type, "value"_hole = Value.Flag,
                             "body"_hole = Body);
}

std::string precomputeStruct(ArrayRef<PrecomputedValue> Values) {
  using V = const PrecomputedValue &;
  return printed<PrecomputeText>(
      "bools"_hole =
          joined(Values, ", ",
                 [](size_t, V Value) { return printed<BoolText>("value"_hole = Value.Flag); }),
      "setters"_hole = joined(Values, "\n", [&](size_t I, V) { return setter(Values, I); }),
      "members"_hole =
          joined(Values, ";\n", [](size_t, V Value) { return Value.Type + " " + Value.Name; }));
}

} // namespace

const NativeFunctionsGroup *structuredGroup(const FunctionOrGroup &G) {
  const auto *Group = std::get_if<NativeFunctionsGroup>(&G);
  return Group && Group->structured() ? Group : nullptr;
}

std::string metaDeclaration(const NativeFunctionsGroup &G, const Dialect &D) {
  std::string Params;
  for (const Binding &B : structuredMeta(G, D).Params)
    Params += (Params.empty() ? "" : ", ") + B.decl(D);

  std::string Precomputed, Typedef;
  if (G.Out->Precomputed) {
    std::vector<PrecomputedValue> Values = precomputedValues(*G.Out->Precomputed, D);
    Precomputed = precomputeStruct(Values);
    Typedef = printed<TypedefText>("trues"_hole = joined(Values, ", ", [](size_t, const auto &) {
                                     return std::string("true");
                                   }));
  }
  const std::string &Parent = G.Out->StructuredInherits;
  return printed<MetaClassText>(
      "name"_hole = structuredMetaName(G),
      "parent"_hole = Parent.empty() ? StringRef(DefaultParent) : StringRef(Parent),
      "precompute"_hole = Precomputed, "typedef"_hole = Typedef,
      "returns"_hole = Typedef.empty() ? "void" : "meta_return_ty", "params"_hole = Params);
}

} // namespace opsig
