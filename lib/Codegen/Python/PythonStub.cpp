//===- PythonStub.cpp - What type checkers read of a Python extension -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PythonExtension => types of Python => NAME.pyi
//
//===----------------------------------------------------------------------===//
#include "Python/KeywordsInternal.h"
#include "opsig/Codegen/PythonExtension.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- types ---------------------------------------------------------------===//

/// The parser takes a number for any tensor of these functions.
bool takesNumbersAsTensors(StringRef Base) {
  return is_contained(
      {"add", "div", "divide", "floor_divide", "mul", "multiply", "sub", "subtract", "true_divide"},
      Base);
}

constexpr std::pair<BaseTy, StringLiteral> BaseTypes[] = {
    {BaseTy::Tensor, "Tensor"},
    {BaseTy::Int, "int"},
    {BaseTy::SymInt, "int"},
    {BaseTy::DeviceIndex, "int"},
    {BaseTy::Float, "float"},
    {BaseTy::Bool, "bool"},
    {BaseTy::Str, "str"},
    {BaseTy::Scalar, "_Number"},
    {BaseTy::ScalarType, "torch.dtype"},
    {BaseTy::Layout, "torch.layout"},
    {BaseTy::Device, "_Device"},
    {BaseTy::MemoryFormat, "torch.memory_format"},
    {BaseTy::QScheme, "torch.qscheme"},
    {BaseTy::Generator, "torch.Generator"},
    {BaseTy::Dimname, "Optional[str]"}};

StringRef baseTypeText(BaseTy Ty) {
  auto Text = find_if(BaseTypes, [&](const auto &T) { return T.first == Ty; });
  return Text == std::end(BaseTypes) ? "Any" : StringRef(Text->second);
}

std::string listText(StringRef Elem, uint32_t Size) {
  if (Size == 0)
    return ("Union[Tuple[" + Elem + ", ...], List[" + Elem + "]]").str();
  std::string Elems = Elem.str();
  for (uint32_t I = 1; I < Size; ++I)
    Elems += (", " + Elem).str();
  return ("Union[Tuple[" + Elems + "], List[" + Elem + "]]").str();
}

/// \p Tensor: what is good for one.
std::string argumentType(const Type &T, StringRef Tensor) {
  if (T.is(BaseTy::Tensor))
    return Tensor.str();
  if (T.isBase())
    return baseTypeText(T.base()).str();
  std::string Elem = argumentType(T.elem(), T.isList() ? "Tensor" : Tensor);
  if (T.isOptional())
    return StringRef(Elem).starts_with("Optional[") ? Elem : "Optional[" + Elem + "]";
  if (Elem == "int") // One int stands for a list that has a size.
    return T.listSize() ? "Union[int, _Ints]" : "_Ints";
  if (T.elem().is(BaseTy::Tensor))
    return listText(Elem, T.listSize());
  return listText(Elem, 0);
}

std::string returnType(const Return &R) {
  if (R.Ty.isList())
    return "Tuple[" + baseTypeText(R.Ty.base()).str() + ", ...]";
  std::string Text = R.Ty.base() == BaseTy::Scalar ? "Tensor" : baseTypeText(R.Ty.base()).str();
  return R.Ty.isOptional() ? "Optional[" + Text + "]" : Text;
}

std::string returnsType(const FunctionSchema &S, const PythonResultClass *Class) {
  if (Class)
    return Class->Name;
  if (S.Returns.empty())
    return "None";
  if (S.Returns.size() == 1)
    return returnType(S.Returns.front());
  return "Tuple[" + each(S.Returns, returnType).str() + "]";
}

//===-- functions -----------------------------------------------------------===//

/// A default as Python would write it; "..." for what only C++ can say.
std::string defaultOf(const PythonArgument &A, PythonForm Form, const Dialect &D) {
  std::string Value = A.str(Form, D);
  StringRef Default = StringRef(Value).split('=').second;
  bool IsWord = is_contained({"None", "True", "False"}, Default);
  double Number;
  return IsWord || !Default.getAsDouble(Number) ? Default.str() : "...";
}

class StubFunction {
public:
  StubFunction(const PythonExtensionFunction &E, const Dialect &D) : E(E), D(D) {
    bool Numbers = takesNumbersAsTensors(E.Function.Name->Base);
    Tensor = Numbers ? "Union[Tensor, _Number]" : "Tensor";
  }

  std::string str() const {
    std::string Name = E.Function.Name->str();
    if (isPythonKeyword(Name))
      return "# '" + Name + "' is a keyword: getattr() finds the function.\n";
    std::vector<std::string> Definitions;
    for (const PythonOverloadGroup *G : groups()) {
      std::string Tail = ") -> " + returnsType(G->Base->Schema, E.resultOf(*G->Base)) + ": ...\n";
      Definitions.push_back("def " + Name + "(" + parameters(G->Signature) + Tail);
      if (takesVariadicInts(G->Signature))
        Definitions.push_back("def " + Name + "(" + variadicParameters(G->Signature) + Tail);
    }
    std::string Text;
    for (StringRef Definition : Definitions)
      Text += ((Definitions.size() > 1 ? "@overload\n" : "") + Definition).str();
    return Text;
  }

private:
  /// A checker wants the narrower overload first: one with a number before those with a number or a
  /// tensor, one with anything last.
  std::vector<const PythonOverloadGroup *> groups() const {
    bool Numbers = takesNumbersAsTensors(E.Function.Name->Base);
    auto Width = [&](const PythonOverloadGroup &G) {
      auto Takes = [&](BaseTy Ty) {
        return any_of(G.Signature.Positional, [&](const PythonArgument &A) { return A.Ty.is(Ty); });
      };
      if (Takes(BaseTy::Storage) || Takes(BaseTy::Stream))
        return 2;
      return Numbers && Takes(BaseTy::Scalar) ? 0 : 1;
    };
    std::vector<const PythonOverloadGroup *> Groups;
    for (int Expected : {0, 1, 2})
      for (const PythonOverloadGroup &G : E.Function.Groups)
        if (Width(G) == Expected)
          Groups.push_back(&G);
    return Groups;
  }

  /// Python calls self so.
  static bool isInput(const PythonArgument &A) {
    return A.Name == "self" && A.Ty.is(BaseTy::Tensor);
  }

  /// Whether an argument cannot be given by name.
  static bool isNameless(const PythonArgument &A, const PythonSignature &S) {
    auto IsCalledInput = [](const PythonArgument *Other) { return Other->Name == "input"; };
    return isPythonKeyword(A.Name) || (isInput(A) && any_of(S.arguments(), IsCalledInput));
  }

  std::string parameter(const PythonArgument &A, const PythonSignature &S,
                        bool IsOut = false) const {
    std::string Text = isInput(A) && !isNameless(A, S) ? "input" : A.Name.str();
    if (isPythonKeyword(Text))
      Text += '_';
    bool MayBeNone = A.Default && defaultOf(A, PythonForm::Function, D) == "None";
    Text += ": " + argumentType(MayBeNone && !A.Ty.isOptional() ? A.Ty.optional() : A.Ty,
                                IsOut ? "Tensor" : Tensor);
    if (A.Default)
      Text += " = " + defaultOf(A, PythonForm::Function, D);
    return Text;
  }

  std::string parameters(const PythonSignature &S) const {
    std::vector<std::string> List;
    for (const PythonArgument &A : S.Positional)
      List.push_back(parameter(A, S));
    auto Nameless = [&](const PythonArgument &A) { return isNameless(A, S); };
    auto Last = find_if(reverse(S.Positional), Nameless);
    if (Last != S.Positional.rend())
      List.insert(List.begin() + (S.Positional.rend() - Last), "/");
    addKeywords(S, List, /*Star=*/true);
    return join(List, ", ");
  }

  void addKeywords(const PythonSignature &S, std::vector<std::string> &List, bool Star) const {
    bool Untyped = false;
    for (const PythonArgument *A : S.arguments()) {
      if (A >= S.Positional.data() && A < S.Positional.data() + S.Positional.size())
        continue;
      if (isPythonKeyword(A->Name)) {
        Untyped = true;
        continue;
      }
      if (std::exchange(Star, false))
        List.push_back("*");
      List.push_back(parameter(*A, S, S.Out && A == &*S.Out));
    }
    if (Untyped)
      List.push_back("**kwargs: Any");
  }

  /// zeros(2, 3) is zeros((2, 3)) where nothing else is positional.
  static bool takesVariadicInts(const PythonSignature &S) {
    if (S.Positional.size() != 1 || !S.Positional.front().Ty.isList())
      return false;
    Type Elem = S.Positional.front().Ty.elem();
    return Elem.is(BaseTy::Int) || Elem.is(BaseTy::SymInt);
  }

  std::string variadicParameters(const PythonSignature &S) const {
    std::vector<std::string> List = {"*" + S.Positional.front().Name.str() + ": int"};
    addKeywords(S, List, /*Star=*/false);
    return join(List, ", ");
  }

  const PythonExtensionFunction &E;
  const Dialect &D;
  StringRef Tensor;
};

//===-- the file ------------------------------------------------------------===//

constexpr Template StubText = R"(# ${name}, made by opsig gen python
from typing import Any, List, Optional, Tuple, Union, final, overload

import torch
from torch import Tensor

_Number = Union[int, float, bool, complex]
_Ints = Union[torch.Size, Tuple[int, ...], List[int]]
_Device = Union[torch.device, str, int]
${=classes}
${functions})";

constexpr Template ClassText = R"(

@final
class ${class}(Tuple[${types}]):
${fields})";

constexpr Template FieldText = R"(    @property
    def ${field}(self) -> ${type}: ...
)";

std::string classText(const PythonResultClass &C, const FunctionSchema &S) {
  std::vector<std::string> Types;
  std::string Fields;
  for (auto [Field, R] : zip(C.Fields, S.Returns)) {
    Types.push_back(returnType(R));
    if (!isPythonKeyword(Field))
      Fields += printed<FieldText>("field"_hole = Field, "type"_hole = Types.back());
  }
  return printed<ClassText>("class"_hole = C.Name, "types"_hole = join(Types, ", "),
                            "fields"_hole = Fields);
}

} // namespace

GeneratedFile pythonExtensionStub(const PythonExtension &X, const Dialect &D) {
  std::string Classes, Functions;
  for (const PythonExtensionFunction &E : X.Functions) {
    for (const PythonResultClass &C : E.Results)
      for (const PythonOverload &O : E.Function.Overloads)
        if (E.resultOf(*O.Function) == &C) {
          Classes += classText(C, O.Function->Schema);
          break;
        }
    Functions += StubFunction(E, D).str();
  }
  return {X.Name + ".pyi", printed<StubText>("name"_hole = X.Name, "classes"_hole = Classes,
                                             "functions"_hole = Functions)};
}

} // namespace opsig
