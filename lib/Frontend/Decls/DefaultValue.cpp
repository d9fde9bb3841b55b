//===- DefaultValue.cpp - what a default argument comes to ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expr => KernelParam::DefaultValue
//
// C++ has many ways to write a value: 1, at::Scalar(1), {1}, a constant. What cannot be told for
// sure is "".
//
//===----------------------------------------------------------------------===//
#include "Decls/KernelInternal.h"

#include "clang/AST/ExprCXX.h"

using namespace opsig;
using namespace clang;

namespace {

std::string quoted(StringRef Bytes) { return ("\"" + Bytes + "\"").str(); }

/// What `{}` makes of a class.
std::string emptyOf(QualType T) {
  if (T->isArithmeticType())
    return "0";
  const auto *Record = T->getAsCXXRecordDecl();
  return llvm::StringSwitch<std::string>(Record ? Record->getName() : "")
      .Cases({"optional", "OptionalArrayRef", "OptionalTensorRef", "nullopt_t"}, "none")
      .Cases({"ArrayRef", "vector", "array", "List"}, "{}")
      .Cases({"basic_string_view", "basic_string"}, quoted(""))
      .Default("");
}

/// "MemoryFormat::Contiguous" of the value that it has.
std::string enumerator(const EnumDecl &Enum, const llvm::APSInt &Value) {
  for (const EnumConstantDecl *E : Enum.enumerators())
    if (llvm::APSInt::isSameValue(E->getInitVal(), Value))
      return (Enum.getName() + "::" + E->getName()).str();
  return "";
}

std::string constant(const Expr &E, const ASTContext &Context) {
  const EnumDecl *Enum = E.getType()->getAsEnumDecl();
  Expr::EvalResult Value;
  if ((!E.getType()->isArithmeticType() && !Enum) || !E.EvaluateAsRValue(Value, Context))
    return "";
  SmallString<24> Text;
  if (Value.Val.isInt() && Enum)
    return enumerator(*Enum, Value.Val.getInt());
  if (Value.Val.isInt())
    Value.Val.getInt().toString(Text);
  else if (Value.Val.isFloat())
    Value.Val.getFloat().toString(Text);
  return std::string(Text);
}

std::string valueOf(const Expr &E, const ASTContext &Context);

std::string list(llvm::ArrayRef<const Expr *> Elements, const ASTContext &Context) {
  std::string Text;
  for (const Expr *Element : Elements) {
    std::string One = valueOf(*Element, Context);
    if (One.empty())
      return "";
    Text += (Text.empty() ? "" : ", ") + One;
  }
  return "{" + Text + "}";
}

/// Braces around the only value of a class, or around the elements of a list.
std::string braces(const InitListExpr &Braces, QualType T, const ASTContext &Context) {
  if (Braces.getNumInits() == 0)
    return emptyOf(T);
  if (T->isArrayType() || emptyOf(T) == "{}")
    return list(Braces.inits(), Context);
  return Braces.getNumInits() == 1 ? valueOf(*Braces.getInit(0), Context) : "";
}

std::string valueOf(const Expr &Default, const ASTContext &Context) {
  const Expr &E = *Default.IgnoreUnlessSpelledInSource();
  if (const auto *Record = E.getType()->getAsCXXRecordDecl();
      Record && Record->getName() == "nullopt_t")
    return "none";
  if (const auto *Text = dyn_cast<StringLiteral>(&E))
    return Text->isOrdinary() || Text->isUTF8() ? quoted(Text->getString()) : "";
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(&E)) {
    const auto *Braces = dyn_cast<InitListExpr>(List->getSubExpr()->IgnoreUnlessSpelledInSource());
    return Braces ? list(Braces->inits(), Context) : "";
  }
  if (const auto *Braces = dyn_cast<InitListExpr>(&E))
    return braces(*Braces, E.getType(), Context);
  if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(&E);
      Cast && !E.getType()->isArithmeticType())
    return valueOf(*Cast->getSubExpr(), Context);
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&E)) {
    unsigned Given = 0;
    while (Given < Made->getNumArgs() && !Made->getArg(Given)->isDefaultArgument())
      ++Given;
    return Given == 0 ? emptyOf(E.getType()) : Given == 1 ? valueOf(*Made->getArg(0), Context) : "";
  }
  return constant(E, Context);
}

} // namespace

std::string opsig::defaultValue(const Expr &Default, const ASTContext &Context) {
  if (Default.isInstantiationDependent() || Default.containsErrors())
    return "";
  return valueOf(Default, Context);
}
