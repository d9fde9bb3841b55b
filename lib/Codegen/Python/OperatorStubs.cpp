//===- OperatorStubs.cpp - What type checkers read of torch.ops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type of a schema => type of Python; FunctionSchema => OpOverload class; overloads =>
// OpOverloadPacket
//   class; namespace => class with an attribute for each operator => .pyi
//
// Classes have attributes called as overloads are, "int" or "Tensor", so the stub gives every type
// a name that begins with "_".
//
//===----------------------------------------------------------------------===//
#include "Python/KeywordsInternal.h"
#include "opsig/Codegen/OperatorStubs.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <utility>

using namespace llvm;

namespace opsig {

namespace {

//===-- types ---------------------------------------------------------------===//

std::string argumentType(const Type &T);

/// Of a value that is handed to an operator, or that one returns.
StringRef namedType(StringRef Name, bool IsReturn) {
  return StringSwitch<StringRef>(Name)
      .Case("Tensor", "_Tensor")
      .Case("int", "_int")
      .Case("SymInt", IsReturn ? "_int" : "_int | _SymInt")
      .Case("float", "_float")
      .Case("bool", "_bool")
      .Case("SymBool", IsReturn ? "_bool" : "_bool | _SymBool")
      .Case("complex", "_complex")
      .Case("str", "_str")
      .Case("Scalar", IsReturn ? "_Number" : "_Number | _SymInt | _SymFloat")
      .Case("ScalarType", "_dtype")
      .Case("Layout", "_layout")
      .Case("MemoryFormat", "_memory_format")
      .Case("Device", IsReturn ? "_device" : "_device | _str")
      .Case("Generator", "_Generator")
      .Case("QScheme", "_int") // all that PyTorch takes for one
      .Case("NoneType", "None")
      .Default("_Any");
}

template <typename Fn> std::string eachType(const Type &T, StringRef Between, Fn Of) {
  std::vector<std::string> Parts;
  for (const Type &E : T.elements())
    Parts.push_back(Of(E));
  return join(Parts, Between);
}

/// A list of a size takes one number for all of it, as `int[2]` does.
std::string argumentType(const Type &T) {
  if (T.isOptional())
    return argumentType(T.elem()) + " | None";
  if (T.isList()) {
    Type Element = T.elem();
    std::string List = "_Sequence[" + argumentType(Element) + "]";
    bool MayBeOne = T.listSize() && (Element.is(BaseTy::Int) || Element.is(BaseTy::Float));
    return MayBeOne ? argumentType(Element) + " | " + List : List;
  }
  auto Of = [](const Type &E) { return argumentType(E); };
  switch (T.base()) {
  case BaseTy::Tuple:
    return "_tuple[" + eachType(T, ", ", Of) + "]";
  case BaseTy::Dict:
    return "_dict[" + eachType(T, ", ", Of) + "]";
  case BaseTy::Union:
    return eachType(T, " | ", Of);
  default:
    return namedType(toString(T.dispatched().base()), /*IsReturn=*/false).str();
  }
}

std::string returnType(const Type &T) {
  if (T.isOptional())
    return returnType(T.elem()) + " | None";
  if (T.isList())
    return "_list[" + returnType(T.elem()) + "]";
  switch (T.base()) {
  case BaseTy::Tuple:
    return "_tuple[" + eachType(T, ", ", returnType) + "]";
  case BaseTy::Dict:
    return "_dict[" + eachType(T, ", ", returnType) + "]";
  case BaseTy::Union:
    return eachType(T, " | ", returnType);
  default:
    return namedType(toString(T.dispatched().base()), /*IsReturn=*/true).str();
  }
}

std::string returnsType(const FunctionSchema &S) {
  if (S.VarReturns)
    return "_Any";
  if (S.Returns.empty())
    return "None";
  if (S.Returns.size() == 1)
    return returnType(S.Returns.front().Ty);
  std::vector<std::string> Parts;
  for (const Return &R : S.Returns)
    Parts.push_back(returnType(R.Ty));
  return "_tuple[" + join(Parts, ", ") + "]";
}

//===-- functions -----------------------------------------------------------===//

/// A literal that needs no escape.
bool isPlainString(StringRef Value) {
  return Value.size() >= 2 && (Value.front() == '"' || Value.front() == '\'') &&
         Value.back() == Value.front() &&
         Value.drop_front().drop_back().find_first_of("\\'\"\n") == StringRef::npos;
}

/// "=1" where Python writes it as the schema does and the type of the parameter takes it.
std::string defaultOf(const Argument &A) {
  if (!A.Default)
    return "";
  StringRef Value = *A.Default;
  bool IsOptional = A.Ty.isOptional();
  Type T = IsOptional ? A.Ty.elem() : A.Ty;
  int64_t Whole;
  double Number;
  bool IsNumber = !Value.getAsDouble(Number) && !Value.empty() && !isAlpha(Value.back());
  bool Same =
      (IsOptional && Value == "None") || (T.is("bool") && (Value == "True" || Value == "False")) ||
      ((T.is("int") || T.is("SymInt")) && !Value.getAsInteger(10, Whole)) ||
      ((T.is("float") || T.is("Scalar")) && IsNumber) || (T.is("str") && isPlainString(Value));
  return " = " + (Same ? Value.str() : std::string("..."));
}

using TypeText = function_ref<std::string(const Type &)>;

std::string parameter(const Argument &A, StringRef Name, TypeText Of) {
  return (Name + ": " + Of(A.Ty) + defaultOf(A)).str();
}

/// Between the parentheses of a function, behind what is in \p Out.
std::string parameters(const FunctionSchema &S, std::vector<std::string> Out, TypeText Of) {
  size_t Nameless = 0; // in front of it no argument can be given by name
  bool AnyName = false, IsStarred = false;
  for (auto [I, A] : enumerate(S.Args.All))
    if (isPythonKeyword(A.Name))
      S.Args.isKeywordOnly(A) ? void(AnyName = true) : void(Nameless = I + 1);
  if (!Nameless && !Out.empty())
    Out.push_back("/");
  for (auto [I, A] : enumerate(S.Args.All)) {
    bool IsKeyword = isPythonKeyword(A.Name);
    if (S.Args.isKeywordOnly(A) && IsKeyword)
      continue;
    if (S.Args.isKeywordOnly(A) && !std::exchange(IsStarred, true))
      Out.push_back(S.VarArgs ? "*args: " + Of(BaseTy::Any) : "*");
    Out.push_back(parameter(A, IsKeyword ? A.Name + "_" : A.Name, Of));
    if (I + 1 == Nameless)
      Out.push_back("/");
  }
  if (S.VarArgs && !IsStarred)
    Out.push_back("*args: " + Of(BaseTy::Any));
  if (AnyName) // what Python has no way to write but by `**`
    Out.push_back("**kwargs: " + Of(BaseTy::Any));
  return join(Out, ", ");
}

/// Of a `__call__`. Checkers take a first parameter by another name for a mistake, unless it begins
/// so.
std::string callParameters(const FunctionSchema &S) {
  bool IsSelf = any_of(S.Args.All, [](const Argument &A) { return A.Name == "self"; });
  return parameters(S, {IsSelf ? "_op" : "self"}, argumentType);
}

constexpr Template CallText = R"(
${if overloaded}@_overload${end}
def __call__(${parameters}) -> ${returns}:
    """${doc}"""
    ...
)";

/// "ns::f(Tensor x) -> Tensor" as a docstring has it.
std::string docText(StringRef Namespace, const StubOverload &O) {
  std::string Out;
  bool IsSpace = false;
  std::string Whole =
      O.Schema->operatorNamespace().empty() ? (Namespace + "::" + O.Text.c_str()).str() : O.Text;
  for (char C : Whole) {
    if (isSpace(C) || !isPrint(C)) {
      IsSpace = true;
      continue;
    }
    if (IsSpace && !Out.empty())
      Out += ' ';
    IsSpace = false;
    if (C == '\\' || C == '"')
      Out += '\\';
    Out += C;
  }
  return Out;
}

//===-- classes -------------------------------------------------------------===//

constexpr Template ClassText = R"(

class ${name}${if base}(${base})${end}:
    ${body}
)";

class StubPrinter {
public:
  explicit StubPrinter(bool HasSymbols) : HasSymbols(HasSymbols) {}
  std::string print(ArrayRef<StubNamespace> Namespaces);

private:
  std::string unique(std::string Name) {
    while (!Names.insert(Name).second)
      Name += "_";
    return Name;
  }
  /// Whether a class may have an attribute of that name, and what the stub itself uses.
  static bool isFree(StringRef Name) {
    return !isPythonKeyword(Name) &&
           !is_contained({"_Any",      "_Generator", "_Number",  "_OpOverload",
                          "_Sequence", "_SymBool",   "_SymInt",  "_OpOverloadPacket",
                          "_SymFloat", "_Tensor",    "_bool",    "_complex",
                          "_device",   "_dict",      "_dtype",   "_float",
                          "_int",      "_layout",    "_list",    "_memory_format",
                          "_overload", "_str",       "_tuple",   "_TypeAlias",
                          "op",        "overloads",  "__call__", "__getattr__"},
                         Name);
  }
  std::string overload(StringRef Namespace, StringRef Class, const StubOverload &O);
  std::string packet(StringRef Namespace, const StubOperator &Op);
  std::string attributes(const StubNamespace &N);

  bool HasSymbols;
  std::string Classes;
  StringSet<> Names;
};

std::string calls(StringRef Namespace, ArrayRef<StubOverload> Overloads) {
  std::string Out;
  for (const StubOverload &O : Overloads)
    if (O.Schema)
      Out += printed<CallText>(
          "overloaded"_hole = Overloads.size() > 1, "parameters"_hole = callParameters(*O.Schema),
          "returns"_hole = returnsType(*O.Schema), "doc"_hole = docText(Namespace, O));
  return Out;
}

/// The class of one overload; returns its name.
std::string StubPrinter::overload(StringRef Namespace, StringRef Class, const StubOverload &O) {
  if (!O.Schema)
    return "_OpOverload";
  std::string Name = unique((Class + "__" + (O.Overload.empty() ? "default" : O.Overload)).str());
  Classes += printed<ClassText>("name"_hole = Name, "base"_hole = "_OpOverload",
                                "body"_hole = calls(Namespace, O));
  return Name;
}

std::string StubPrinter::packet(StringRef Namespace, const StubOperator &Op) {
  std::string Class = unique(("_op_" + Namespace + "__" + Op.Name).str());
  // A call may be one of those whose schema is not known.
  bool IsKnown = all_of(Op.Overloads, [](const StubOverload &O) { return O.Schema.has_value(); });
  std::string Body = IsKnown ? calls(Namespace, Op.Overloads) : "";
  for (const StubOverload &O : Op.Overloads) {
    std::string Name = O.Overload.empty() ? "default" : O.Overload;
    if (isFree(Name))
      Body += Name + ": " + overload(Namespace, Class, O) + "\n";
  }
  if (Body.empty())
    return "_OpOverloadPacket";
  Classes += printed<ClassText>("name"_hole = Class, "base"_hole = "_OpOverloadPacket",
                                "body"_hole = Body);
  return Class;
}

std::string StubPrinter::attributes(const StubNamespace &N) {
  std::string Out;
  for (const StubOperator &Op : N.Operators)
    if (isFree(Op.Name))
      Out += Op.Name + ": " + packet(N.Name, Op) + "\n";
  if (N.IsOpen)
    Out += "# There may be more operators, which opsig has not read.\n"
           "def __getattr__(self, name: _str) -> _OpOverloadPacket: ...\n";
  return Out.empty() ? "pass\n" : Out;
}

constexpr Template FileText = R"(
# Written by opsig gen stubs: the operators of torch.ops, as type checkers see them.
# mypy: disable-error-code="misc, type-arg"
# pyright: reportMissingTypeArgument=false, reportOverlappingOverload=false, reportPrivateUsage=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
${imports}
${if numbers}

_Number: _TypeAlias = _int | _float | _bool | _complex
${end}
${=classes}

${variables}
)";

/// Modules and what the stub may use of them.
constexpr std::pair<StringLiteral, StringLiteral> Imports[] = {
    {"builtins", "bool complex dict float int list str tuple"},
    {"collections.abc", "Sequence"},
    {"typing", "Any TypeAlias overload"},
    {"torch", "Generator SymBool SymFloat SymInt Tensor device dtype layout memory_format"},
    {"torch._ops", "OpOverload OpOverloadPacket"}};

/// A class may have an attribute of any of the names, so they are imported as "_int". Those that
/// nothing uses are not: a release may lack them.
std::string imports(StringRef Text, bool Numbers) {
  auto IsUsed = [&](StringRef Name) {
    std::string Word = ("_" + Name).str();
    for (size_t At = Text.find(Word); At != StringRef::npos; At = Text.find(Word, At + 1)) {
      char Next = At + Word.size() < Text.size() ? Text[At + Word.size()] : ' ';
      if (!isAlnum(Next) && Next != '_' &&
          (At == 0 || (!isAlnum(Text[At - 1]) && Text[At - 1] != '_')))
        return true;
    }
    return Numbers && is_contained({"TypeAlias", "int", "float", "bool", "complex"}, Name);
  };
  std::string Out;
  for (const auto &[Module, Names] : Imports) {
    SmallVector<StringRef, 10> All;
    Names.split(All, ' ');
    std::vector<std::string> Used;
    for (StringRef Name : All)
      if (IsUsed(Name))
        Used.push_back((Name + " as _" + Name).str());
    if (!Used.empty())
      Out += ("from " + Module + " import " + join(Used, ", ") + "\n").str();
  }
  return Out;
}

constexpr Template ModuleText = R"(
# Written by opsig gen stubs: the .pyi of the same name has the types.
import torch

${variables}
)";

/// Of a release that has no such classes.
std::string withoutSymbols(std::string Text) {
  for (StringRef Class : {" | _SymInt", " | _SymFloat", " | _SymBool"})
    for (size_t At; (At = Text.find(Class)) != std::string::npos;)
      Text.erase(At, Class.size());
  return Text;
}

std::string StubPrinter::print(ArrayRef<StubNamespace> Namespaces) {
  std::string Variables;
  for (const StubNamespace &N : Namespaces) {
    if (!isFree(N.Name))
      continue;
    std::string Body = attributes(N);
    std::string Class = unique("_ops_" + N.Name);
    Classes += printed<ClassText>("name"_hole = Class, "base"_hole = "", "body"_hole = Body);
    Variables += N.Name + ": " + Class + "\n";
  }
  if (!HasSymbols)
    Classes = withoutSymbols(std::move(Classes));
  bool Numbers = StringRef(Classes).contains("_Number");
  return printed<FileText>("imports"_hole = imports(Classes + Variables, Numbers),
                           "numbers"_hole = Numbers, "classes"_hole = Classes,
                           "variables"_hole = Variables);
}

} // namespace

std::string operatorStubs(ArrayRef<StubNamespace> Namespaces, bool HasSymbols) {
  return StubPrinter(HasSymbols).print(Namespaces);
}

/// The names of types as a reader knows them.
static std::string readable(std::string Type, bool HasSymbols) {
  if (!HasSymbols)
    Type = withoutSymbols(std::move(Type));
  std::string Out;
  for (size_t I = 0; I < Type.size(); ++I)
    if (Type[I] != '_' || (I > 0 && (isAlnum(Type[I - 1]) || Type[I - 1] == '_')))
      Out += Type[I];
  return Out;
}

std::string pythonForm(const FunctionSchema &S, bool HasSymbols) {
  auto Of = [&](const Type &T) { return readable(argumentType(T), HasSymbols); };
  return "(" + parameters(S, {}, Of) + ") -> " + readable(returnsType(S), HasSymbols);
}

std::string operatorModule(ArrayRef<StubNamespace> Namespaces) {
  std::string Variables;
  for (const StubNamespace &N : Namespaces)
    if (!isPythonKeyword(N.Name))
      Variables += N.Name + " = torch.ops." + N.Name + "\n";
  return printed<ModuleText>("variables"_hole = Variables);
}

} // namespace opsig
