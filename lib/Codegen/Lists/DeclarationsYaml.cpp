//===- DeclarationsYaml.cpp - Declarations.yaml -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => texts of its arguments => all that the legacy file says of it, as block-style YAML
//
// The file is older than SymInt: its arguments know integers only.
//
//===----------------------------------------------------------------------===//
#include "Lists/PyYamlScalarInternal.h"
#include "Print/CppInternal.h"
#include "opsig/Codegen/Aten.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The mappings of the file --------------------------------------------===//

/// Writes the pairs of one mapping, which is an item of a sequence.
class Pairs {
public:
  Pairs(std::string &Out, unsigned DashIndent) : Out(Out), Dash(DashIndent) {}

  void text(StringRef Key, StringRef Value) {
    key(Key);
    Out += ' ';
    appendPyYamlString(Out, Value, Dash + 4);
    Out += '\n';
  }
  void textUnlessEmpty(StringRef Key, StringRef Value) {
    if (!Value.empty())
      text(Key, Value);
  }
  void boolean(StringRef Key, bool Value) { verbatim(Key, boolText(Value)); }
  void verbatim(StringRef Key, StringRef Value) {
    key(Key);
    ((Out += ' ') += Value) += '\n';
  }
  void computed(StringRef Key, StringRef Default) {
    key(Key);
    Out += ' ';
    appendPyYamlDefault(Out, Default, Dash + 4);
    Out += '\n';
  }
  /// The key of a sequence of \p Size items, which follow in the column of the key.
  void sequence(StringRef Key, size_t Size) {
    key(Key);
    Out += Size ? "\n" : " []\n";
  }

private:
  void key(StringRef Key) {
    Out.append(Dash, ' ');
    Out += First ? "- " : "  ";
    First = false;
    (Out += Key) += ':';
  }

  std::string &Out;
  unsigned Dash;
  bool First = true;
};

//===-- Arguments and returns -----------------------------------------------===//

constexpr unsigned InnerDash = 2;

/// The type without const, reference and optional around a tensor; otherwise the type an argument
/// has that is not written to.
std::string dynamicType(Type T, const Lowering &L) {
  while (T.isOptional())
    T = T.elem();
  if (T.is(BaseTy::Tensor))
    return "at::Tensor";
  return cppType(Argument{"", T, std::nullopt, std::nullopt}, L, /*SymInt=*/false).str(*L.D);
}

/// A mapping of the file, which has it once or twice, and the C++ type that it names.
struct ArgumentText {
  std::string Type, Text;
};

/// Keys stand in alphabetical order.
ArgumentText describe(const Argument &A, const FunctionSchema &S, const Lowering &L) {
  ArgumentText Y{cppType(A, L, /*SymInt=*/false).str(*L.D), ""};
  size_t Index = &A - S.Args.All.data(), FirstOut = S.Args.All.size() - S.Args.NumOut;
  bool IsOut = Index >= FirstOut;
  Pairs P(Y.Text, InnerDash);
  if (IsOut)
    P.boolean("allocate", true);
  if (A.Annotation)
    P.text("annotation", A.Annotation->str());
  else
    P.verbatim("annotation", "null");
  if (A.Default)
    P.computed("default", defaultText(*A.Default, A.Ty, *L.D, /*SymInt=*/false));
  P.text("dynamic_type", dynamicType(A.Ty, L));
  if (IsOut && Index - FirstOut < S.Returns.size())
    P.textUnlessEmpty("field_name", S.Returns[Index - FirstOut].Name);
  P.boolean("is_nullable", A.Ty.isNullable());
  if (Index >= S.Args.NumPositional && !IsOut)
    P.boolean("kwarg_only", true);
  P.text("name", A.Name);
  if (IsOut)
    P.boolean("output", true);
  if (unsigned Size = sizeOfList(A.Ty))
    P.verbatim("size", utostr(Size));
  P.text("type", Y.Type);
  return Y;
}

/// dtype, layout, device and pin_memory as one. The default is text whatever it looks like.
ArgumentText describeOptions(const Binding &Options, const Dialect &D) {
  ArgumentText Y{Options.Type.Ty.str(D), ""};
  Pairs P(Y.Text, InnerDash);
  P.verbatim("annotation", "null");
  if (Options.Default)
    P.text("default", *Options.Default);
  P.text("dynamic_type", "at::TensorOptions");
  P.boolean("is_nullable", false);
  P.boolean("kwarg_only", true);
  P.text("name", Options.Name);
  P.text("type", Y.Type);
  return Y;
}

void appendReturn(std::string &Out, const Return &R, StringRef Name, const Lowering &L) {
  Pairs P(Out, InnerDash);
  P.text("dynamic_type", dynamicType(R.Ty, L));
  P.textUnlessEmpty("field_name", R.Name);
  P.text("name", Name);
  P.text("type", returnsType(R, L, /*SymInt=*/false).str(*L.D));
}

//===-- Functions -----------------------------------------------------------===//

/// Keys stand in the order of the file's makers.
void append(std::string &Out, const NativeFunction &F, const Dialect &D) {
  const FunctionSchema &S = F.Schema;
  Lowering L = Lowering::of(F, D);
  // In schema order; behind them those that only the C++ API has.
  std::vector<ArgumentText> All;
  for (const Argument &A : S.Args.all())
    All.push_back(describe(A, S, L));
  size_t NumInSchema = All.size();
  SmallVector<unsigned, 8> OfApi; // places in All
  for (const Binding &Param : cppSignature(F, {}, L).Params) {
    if (!Param.Arg)
      All.push_back(describeOptions(Param, D));
    OfApi.push_back(Param.Arg ? Param.Arg - S.Args.All.data() : All.size() - 1);
  }
  ArrayRef InSchema = ArrayRef(All).take_front(NumInSchema);
  auto TypeOf = [](const ArgumentText &A) -> StringRef { return A.Type; };

  Pairs P(Out, 0);
  P.text("name", cppName(S));
  P.text("operator_name", S.Name.Name.str());
  P.text("overload_name", S.Name.Overload);
  P.boolean("manual_kernel_registration", F.ManualKernelRegistration);
  P.text("category_override", F.CategoryOverride);
  P.text("schema_string", "aten::" + F.schemaText());
  P.sequence("arguments", OfApi.size());
  for (unsigned I : OfApi)
    Out += All[I].Text;
  P.text("schema_order_cpp_signature", returnsType(S.Returns, L, /*SymInt=*/false).str(D) + " (" +
                                           each(InSchema, TypeOf).str() + ")");
  P.sequence("schema_order_arguments", NumInSchema);
  for (const ArgumentText &A : InSchema)
    Out += A.Text;
  P.sequence("method_of", 1 + F.IsMethodVariant + F.IsFunctionVariant);
  Out += "  - Type\n";
  if (F.IsMethodVariant)
    Out += "  - Tensor\n";
  if (F.IsFunctionVariant)
    Out += "  - namespace\n";
  P.text("mode", "native");
  P.text("python_module", F.PythonModule);
  P.sequence("returns", S.Returns.size());
  for (const auto &[R, Name] : zip(S.Returns, returnNames(F)))
    appendReturn(Out, R, Name, L);
  P.boolean("inplace", S.isInplace());
  P.boolean("is_factory_method", All.size() != NumInSchema && !F.IsMethodVariant);
  P.boolean("abstract", F.IsAbstract);
  P.boolean("device_guard", F.DeviceGuard);
  P.boolean("with_gil", false);
  P.boolean("deprecated", false);
  P.boolean("has_math_kernel", F.hasKernel(DispatchKey::CompositeImplicitAutograd));
}

} // namespace

void generateDeclarationsYaml(const AtenInput &In, FileWriter &Out) {
  std::string &Text = Out.buffer();
  for (const NativeFunction &F : In.Ops.Functions)
    append(Text, F, In.dialect());
  // An empty sequence.
  Out.addText({"Declarations.yaml"}, Text.empty() ? "[]\n" : Text);
}

} // namespace opsig
