//===- DeclarationsYaml.cpp - Declarations.yaml -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => YamlDeclaration (what the legacy file says of it) => block-style YAML
//
// The file is older than SymInt: its arguments know integers only.
//
//===----------------------------------------------------------------------===//
#include "Lists/PyYamlScalarInternal.h"
#include "Print/CppInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Signature/Signature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

//===-- What the file says of a function ------------------------------------===//

namespace {

struct YamlArgument {
  std::optional<std::string> Annotation;
  std::optional<std::string> Default;
  /// The default is text whatever it looks like.
  bool DefaultIsText = false;
  std::string DynamicType;
  StringRef FieldName; ///< the name of the return it stands for; may be empty
  bool IsNullable = false;
  bool KwargOnly = false;
  std::string Name;
  bool Output = false;
  unsigned Size = 0; ///< 0 without
  std::string Type;
};

struct YamlReturn {
  std::string DynamicType;
  StringRef FieldName; ///< may be empty
  std::string Name;
  std::string Type;
};

struct YamlDeclaration {
  const NativeFunction *Function;
  std::string Name;
  /// In schema order; behind them those that only the C++ API has.
  std::vector<YamlArgument> All;
  size_t NumInSchema = 0;
  SmallVector<unsigned, 8> Arguments; ///< of the C++ API: places in All
  std::string SchemaOrderSignature;
  std::vector<YamlReturn> Returns;
  bool IsFactoryMethod = false;
};

/// The type without const, reference and optional around a tensor; otherwise the type an argument
/// has that is not written to.
std::string dynamicType(Type T, const Lowering &L) {
  while (T.isOptional())
    T = T.elem();
  if (T.is(BaseTy::Tensor))
    return "at::Tensor";
  return cppType(Argument{"", T, std::nullopt, std::nullopt}, L, /*SymInt=*/false).str(*L.D);
}

YamlArgument describe(const Argument &A, const FunctionSchema &S, const Lowering &L) {
  const Arguments &Args = S.Args;
  YamlArgument Y;
  if (A.Annotation)
    Y.Annotation = A.Annotation->str();
  if (A.Default)
    Y.Default = defaultText(*A.Default, A.Ty, *L.D, /*SymInt=*/false);
  Y.DynamicType = dynamicType(A.Ty, L);
  Y.IsNullable = A.Ty.isNullable();
  Y.Name = A.Name;
  Y.Size = sizeOfList(A.Ty);
  Y.Type = cppType(A, L, /*SymInt=*/false).str(*L.D);

  size_t Index = &A - Args.All.data();
  size_t FirstOut = Args.All.size() - Args.NumOut;
  Y.Output = Index >= FirstOut;
  Y.KwargOnly = Index >= Args.NumPositional && !Y.Output;
  if (Y.Output && Index - FirstOut < S.Returns.size())
    Y.FieldName = S.Returns[Index - FirstOut].Name;
  return Y;
}

/// dtype, layout, device and pin_memory as one.
YamlArgument describeOptions(const Binding &Options, const Dialect &D) {
  YamlArgument Y;
  Y.Default = Options.Default;
  Y.DefaultIsText = true;
  Y.DynamicType = "at::TensorOptions";
  Y.KwargOnly = true;
  Y.Name = Options.Name;
  Y.Type = Options.Type.Ty.str(D);
  return Y;
}

std::vector<YamlReturn> describeReturns(const NativeFunction &F, const Lowering &L) {
  std::vector<std::string> Names = returnNames(F);
  std::vector<YamlReturn> Result;
  for (auto [I, R] : enumerate(F.Schema.Returns))
    Result.push_back({dynamicType(R.Ty, L), R.Name, std::move(Names[I]),
                      returnsType(R, L, /*SymInt=*/false).str(*L.D)});
  return Result;
}

YamlDeclaration describe(const NativeFunction &F, const Dialect &D) {
  const FunctionSchema &S = F.Schema;
  Lowering L = Lowering::of(F, D);
  YamlDeclaration Y;
  Y.Function = &F;
  Y.Name = cppName(S);

  Y.All.reserve(S.Args.All.size() + 1);
  for (const Argument &A : S.Args.all())
    Y.All.push_back(describe(A, S, L));
  Y.NumInSchema = Y.All.size();
  for (const Binding &Param : cppSignature(F, {}, L).Params) {
    if (!Param.Arg)
      Y.All.push_back(describeOptions(Param, D));
    Y.Arguments.push_back(Param.Arg ? Param.Arg - S.Args.All.data() : Y.All.size() - 1);
  }
  Y.IsFactoryMethod = Y.All.size() != Y.NumInSchema && !F.IsMethodVariant;

  Y.Returns = describeReturns(F, L);
  auto TypeOf = [](const YamlArgument &A) -> StringRef { return A.Type; };
  Y.SchemaOrderSignature =
      returnsType(S.Returns, L, /*SymInt=*/false).str(D) + " (" +
      join(map_range(ArrayRef(Y.All).take_front(Y.NumInSchema), TypeOf), ", ") + ")";
  return Y;
}

} // namespace

//===-- Its text ------------------------------------------------------------===//

namespace {

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
  void boolean(StringRef Key, bool Value) { verbatim(Key, Value ? "true" : "false"); }
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

constexpr unsigned InnerDash = 2;

/// Keys stand in alphabetical order.
void append(std::string &Out, const YamlArgument &A) {
  Pairs P(Out, InnerDash);
  if (A.Output)
    P.boolean("allocate", true);
  if (A.Annotation)
    P.text("annotation", *A.Annotation);
  else
    P.verbatim("annotation", "null");
  if (A.Default && A.DefaultIsText)
    P.text("default", *A.Default);
  else if (A.Default)
    P.computed("default", *A.Default);
  P.text("dynamic_type", A.DynamicType);
  if (!A.FieldName.empty())
    P.text("field_name", A.FieldName);
  P.boolean("is_nullable", A.IsNullable);
  if (A.KwargOnly)
    P.boolean("kwarg_only", true);
  P.text("name", A.Name);
  if (A.Output)
    P.boolean("output", true);
  if (A.Size)
    P.verbatim("size", utostr(A.Size));
  P.text("type", A.Type);
}

void append(std::string &Out, const YamlReturn &R) {
  Pairs P(Out, InnerDash);
  P.text("dynamic_type", R.DynamicType);
  if (!R.FieldName.empty())
    P.text("field_name", R.FieldName);
  P.text("name", R.Name);
  P.text("type", R.Type);
}

/// The texts of a function's arguments, each of which the file has once or twice.
class ArgumentTexts {
public:
  explicit ArgumentTexts(ArrayRef<YamlArgument> Arguments) {
    Text.reserve(192 * Arguments.size());
    for (const YamlArgument &A : Arguments) {
      append(Text, A);
      Ends.push_back(Text.size());
    }
  }
  StringRef operator[](size_t I) const {
    return StringRef(Text).slice(I ? Ends[I - 1] : 0, Ends[I]);
  }

private:
  std::string Text;
  SmallVector<size_t, 16> Ends;
};

/// Keys stand in the order of the file's makers.
void append(std::string &Out, const YamlDeclaration &Y) {
  const NativeFunction &F = *Y.Function;
  Pairs P(Out, 0);
  ArgumentTexts Texts(Y.All);
  P.text("name", Y.Name);
  P.text("operator_name", F.Schema.Name.Name.str());
  P.text("overload_name", F.Schema.Name.Overload);
  P.boolean("manual_kernel_registration", F.ManualKernelRegistration);
  P.text("category_override", F.CategoryOverride);
  P.text("schema_string", "aten::" + F.schemaText());
  P.sequence("arguments", Y.Arguments.size());
  for (unsigned I : Y.Arguments)
    Out += Texts[I];
  P.text("schema_order_cpp_signature", Y.SchemaOrderSignature);
  P.sequence("schema_order_arguments", Y.NumInSchema);
  for (size_t I = 0; I != Y.NumInSchema; ++I)
    Out += Texts[I];
  P.sequence("method_of", 1 + F.IsMethodVariant + F.IsFunctionVariant);
  Out += "  - Type\n";
  if (F.IsMethodVariant)
    Out += "  - Tensor\n";
  if (F.IsFunctionVariant)
    Out += "  - namespace\n";
  P.text("mode", "native");
  P.text("python_module", F.PythonModule);
  P.sequence("returns", Y.Returns.size());
  for (const YamlReturn &R : Y.Returns)
    append(Out, R);
  P.boolean("inplace", F.Schema.isInplace());
  P.boolean("is_factory_method", Y.IsFactoryMethod);
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
    append(Text, describe(F, In.dialect()));
  // An empty sequence.
  Out.addText({"Declarations.yaml"}, Text.empty() ? "[]\n" : Text);
}

} // namespace opsig
