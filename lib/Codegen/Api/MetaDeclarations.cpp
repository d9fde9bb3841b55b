//===- MetaDeclarations.cpp - Classes of structured meta functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/FamilyPlansInternal.h"

using namespace llvm;

namespace opsig {

namespace {

// With precomputed values the function returns a struct with a bool per value that tells whether it
// was set.
constexpr Template MetaClassText = R"(
struct TORCH_API structured_${name} : public ${parent} {
    ${=blank}${if values}
                template <${flags}>
                struct TORCH_API precompute_out {
                    ${=setters}
                    ${=members};
            };${end}
    ${=blank}${if values}using meta_return_ty = precompute_out <${trues}>;${end}
    ${if values}meta_return_ty${else}void${end} meta(${params});
};
)";
constexpr Template SetterText = R"(

                    precompute_out<${after}> set_${name}(${type} value) {
                        static_assert(${flag} == false, "${name} already set");
                        precompute_out<${after}> ret;
${=assignments}
return ret;
                    }
                )";

struct PrecomputedValue {
  std::string Name;
  std::string Flag; ///< the name in capitals
  std::string Type;
};

std::vector<PrecomputedValue> precomputedValues(const NativeFunctionsGroup &G, const Dialect &D) {
  std::vector<PrecomputedValue> Values;
  auto Add = [&](const std::vector<Argument> &Arguments) {
    for (const Argument &A : Arguments)
      Values.push_back({A.Name, StringRef(A.Name).upper(), structuredType(A).strWithoutRef(D)});
  };
  if (!G.Out->Precomputed)
    return Values;
  for (const Precompute::Replacement &R : G.Out->Precomputed->Replace)
    Add(R.By);
  Add(G.Out->Precomputed->Add);
  return Values;
}

} // namespace

std::vector<const NativeFunctionsGroup *>
structuredGroups(ArrayRef<const FunctionOrGroup *> Groups) {
  std::vector<const NativeFunctionsGroup *> Structured;
  for (const FunctionOrGroup *G : Groups)
    if (const auto *Group = std::get_if<NativeFunctionsGroup>(G); Group && Group->structured())
      Structured.push_back(Group);
  return Structured;
}

void declareMeta(std::string &Out, const NativeFunctionsGroup &G, const Dialect &D) {
  std::vector<PrecomputedValue> Values = precomputedValues(G, D);
  using V = const PrecomputedValue &;
  auto Setter = [&](std::string &To, V Set) {
    auto IsSet = [&](V Value) { return &Value == &Set; };
    print<SetterText>(To,
                      "after"_hole =
                          each(Values, [&](V Value) { return IsSet(Value) ? "true" : Value.Flag; }),
                      "name"_hole = Set.Name, "type"_hole = Set.Type, "flag"_hole = Set.Flag,
                      "assignments"_hole = each(
                          Values,
                          [&](V Value) {
                            return "ret." + Value.Name + " = " +
                                   (IsSet(Value) ? "value;" : "this->" + Value.Name + ";");
                          },
                          "\n"));
  };
  const std::string &Parent = G.Out->StructuredInherits;
  Signature Meta = structuredMeta(G, D);
  print<MetaClassText>(
      Out, "name"_hole = structuredMetaName(G),
      "parent"_hole = Parent.empty() ? StringRef("at::impl::MetaBase") : StringRef(Parent),
      "blank"_hole = "", "values"_hole = !Values.empty(),
      "flags"_hole = each(Values, [](V Value) { return "bool " + Value.Flag + " = false"; }),
      "setters"_hole = each(Values, Setter, "\n"),
      "members"_hole = each(
          Values, [](V Value) { return Value.Type + " " + Value.Name; }, ";\n"),
      "trues"_hole = each(Values, [](V) { return "true"; }),
      "params"_hole = declarations(Meta.Params, D));
}

} // namespace opsig
