//===- PythonDispatch.cpp - From parsed arguments to the C++ API ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// signature + function => parameters of a lambda <= expressions over the parser's result
//                      => the call in its body
//
//===----------------------------------------------------------------------===//
#include "PythonInternal.h"
#include "opsig/Dialect/PythonTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace opsig {

namespace {

class DispatchMaker {
public:
  DispatchMaker(const PythonSignature &S, const NativeFunction &F, const Dialect &D)
      : S(S), F(F), D(D), L(Lowering::of(F, D)),
        Schema(S.Deprecated ? S.Deprecated->Schema : F.Schema), Parsed(S.arguments()) {}

  PythonDispatch make() {
    addParams();
    Result.Returns = pythonReturnText(F, D);
    Result.Callee = callee();
    addCalleeArgs();
    addStatements();
    return std::move(Result);
  }

private:
  bool packsOptions() const { return F.Schema.Args.hasTensorOptions(); }
  bool hasSeveralOutputs() const { return Schema.Args.out().size() > 1; }

  //===-- the lambda --------------------------------------------------------===//

  void addParams() {
    Result.Params.reserve(Schema.Args.All.size());
    for (const Argument &A : Schema.Args.out())
      addParam(A, /*IsOut=*/true);
    for (const Argument &A : Schema.Args.nonOut()) {
      unsigned Index = &A - Schema.Args.All.data();
      if (!Schema.Args.isTensorOption(Index))
        addParam(A, /*IsOut=*/false);
      else if (int(Index) == Schema.Args.TensorOptionsIndex)
        Result.Params.push_back({"options", "at::TensorOptions", "options"});
    }
  }

  void addParam(const Argument &A, bool IsOut) {
    Result.Params.push_back({A.Name, paramType(A, IsOut), source(A, IsOut)});
  }

  std::string paramType(const Argument &A, bool IsOut) const {
    if (isMethodSelf(A.Name))
      return "const at::Tensor &";
    CType Ty = cppType(A, L, /*SymInt=*/true);
    // A mutable reference cannot bind to what the parser returns; several outputs have been stored
    // in variables.
    bool IsVariable = IsOut && hasSeveralOutputs();
    if (!IsVariable && Ty == CType(CppBase::Tensor).mutRef())
      return CType(CppBase::Tensor).str(D);
    return Ty.str(D);
  }

  bool isMethodSelf(StringRef Name) const { return S.Form == PythonForm::Method && Name == "self"; }

  /// The expression that fills a parameter.
  std::string source(const Argument &A, bool IsOut) const {
    if (isMethodSelf(A.Name))
      return "self";
    if (IsOut && hasSeveralOutputs())
      return "out[" + std::to_string(&A - Schema.Args.out().data()) + "]";
    if (isVariable(A.Name, A.Ty))
      return A.Name;
    return parsed(A.Name);
  }

  /// Whether addStatements() stores the argument in a variable of its name.
  bool isVariable(StringRef Name, const Type &T) const {
    return (packsOptions() && Name == "self") || isOptionalDimnames(T);
  }

  static bool isOptionalDimnames(const Type &T) {
    static const Type Dimnames = Type(BaseTy::Dimname).list().optional();
    return T == Dimnames;
  }

  //===-- what the parser returns -------------------------------------------===//

  /// Of arguments of one name the last counts.
  unsigned indexOf(StringRef Name) const {
    for (unsigned Index = Parsed.size(); Index-- != 0;)
      if (Parsed[Index]->Name == Name)
        return Index;
    return Parsed.size();
  }

  /// "_r.toInt64(2)"
  std::string parsed(StringRef Name) const {
    unsigned Index = indexOf(Name);
    if (Index == Parsed.size())
      return "";
    const PythonArgument &A = *Parsed[Index];
    std::string Text = "_r.";
    Text += pythonUnpack(A, D).value_or("");
    Text += '(';
    Text += std::to_string(Index);
    if (!A.DefaultInit.empty())
      (Text += ", ") += A.DefaultInit;
    return Text += ')';
  }

  /// "_r.isNone(2)"
  std::string isNone(StringRef Name) const {
    return "_r.isNone(" + std::to_string(indexOf(Name)) + ")";
  }

  //===-- statements around the call ----------------------------------------===//

  void addStatements() {
    for (const PythonArgument *A : Parsed)
      if (A < S.Options.data() || A >= S.Options.data() + S.Options.size())
        addVariable(*A);
    if (packsOptions())
      Result.Before.push_back(packedOptions());
    else if (!S.Options.empty())
      Result.Before.push_back(outputCheck());
    if (!S.Options.empty() && (!packsOptions() || S.Form == PythonForm::Method))
      Result.After = ".set_requires_grad(" + parsed("requires_grad") + ")";
  }

  void addVariable(const PythonArgument &A) {
    auto Store = [&](StringRef Variable) {
      Result.Before.push_back(("auto " + Variable + " = " + parsed(A.Name) + ";").str());
    };
    if (packsOptions() && A.Name == "self") {
      Store("self");
    } else if (S.Out && &A == &*S.Out && F.Schema.isOut() && hasSeveralOutputs()) {
      Store("out");
    } else if (isOptionalDimnames(A.Ty)) {
      std::string Name = A.Name.str();
      Store("__" + Name);
      Result.Before.push_back(
          formatv("{0}<DimnameList> {1} = __{1} ? {2}(DimnameList(__{1}.value())) : {3};",
                  D.Spelling.Optional, Name, D.Spelling.MakeOptional, D.Spelling.Nullopt)
              .str());
    }
  }

  std::string packedOptions() const {
    std::string Text = "const auto options = TensorOptions()\n";
    for (StringRef Name : {"dtype", "device", "layout", "requires_grad"})
      Text += ("    ." + Name + "(" + parsed(Name) + ")\n").str();
    Text += "    .pinned_memory(" + parsed("pin_memory") + ");\n";
    std::string Init = (D.Python.DeviceInit + "(options);\n").str();
    if (S.Form != PythonForm::Method || !D.Python.SparesDispatchingTensors)
      return Text + Init;
    return Text + "if (!at::impl::tensor_has_dispatch(self)) {\n  " + Init + "}\n";
  }

  /// The output is there already: options can only agree with it.
  std::string outputCheck() const {
    constexpr StringLiteral Callee = "check_out_type_matches(";
    std::string NewLine = ",\n" + std::string(Callee.size(), ' ');
    return (Callee + parsed("out") + ", " + parsed("dtype") + NewLine + isNone("dtype") + ", " +
            parsed("layout") + NewLine + parsed("device") + ", " + isNone("device") + ");\n")
        .str();
  }

  //===-- the call ----------------------------------------------------------===//

  std::string callee() const {
    bool SymInt = F.Schema.hasSymInt(D.Schema.SymIntInReturnsCounts);
    std::string Name = cppName(F.Schema, /*Faithful=*/false, SymInt);
    if (F.IsMethodVariant)
      return "self." + Name;
    bool InTorch = packsOptions() || F.rootName().ends_with("_like");
    return (InTorch ? "torch::" : "at::") + Name;
  }

  void addCalleeArgs() {
    auto Add = [&](StringRef Text) {
      if (!F.IsMethodVariant || Text != "self")
        Result.CalleeArgs.push_back(Text.str());
    };
    if (!S.Deprecated) {
      for (const PythonDispatch::Param &P : Result.Params)
        Add(P.Name);
      return;
    }
    for (const DeprecatedArgument &A : S.Deprecated->Call)
      if (A.Text != "out" || F.Schema.isOut())
        Add(A.Text);
  }

  const PythonSignature &S;
  const NativeFunction &F;
  const Dialect &D;
  Lowering L;
  const FunctionSchema &Schema;
  SmallVector<const PythonArgument *, 12> Parsed;
  PythonDispatch Result;
};

} // namespace

PythonDispatch pythonDispatch(const PythonSignature &S, const NativeFunction &F, const Dialect &D) {
  return DispatchMaker(S, F, D).make();
}

} // namespace opsig
