//===- PythonNames.cpp - Operators that Python code uses by name --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text, offset => "torch.ops.ns.name.overload", whatever the file calls torch.ops
//   => CodeTarget: the operator, all its overloads, or the namespace
//
//===----------------------------------------------------------------------===//
#include "opsig/Editor/CodeAnswers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace opsig {

static bool isNamePart(char C) { return llvm::isAlnum(C) || C == '_' || (C & 0x80); }

namespace {

/// `torch.ops.ns.name`, as it is written around an offset.
struct DottedName {
  StringRef Before; ///< up to the word that is pointed at, with the dot behind it
  StringRef Word;
  size_t At = 0; ///< of Word
};

DottedName dottedNameAt(StringRef Text, size_t Offset) {
  size_t Begin = std::min(Offset, Text.size()), End = Begin;
  while (Begin && isNamePart(Text[Begin - 1]))
    --Begin;
  while (End < Text.size() && isNamePart(Text[End]))
    ++End;
  size_t First = Begin;
  while (First && (isNamePart(Text[First - 1]) || Text[First - 1] == '.'))
    --First;
  return {Text.slice(First, Begin), Text.slice(Begin, End), Begin};
}

/// What the line says that \p Name is, of `ops = torch.ops`, `from torch import ops as o` and
/// `import torch as t`; "" for any other line.
std::string saysOf(StringRef Line, StringRef Name) {
  StringRef From = "", List = Line.trim();
  if (List.consume_front("from ")) {
    std::tie(From, List) = List.split(" import ");
    From = From.trim();
    if (From != "torch" && !From.starts_with("torch.ops"))
      return "";
  } else if (!List.consume_front("import ")) {
    auto [Target, Value] = List.split('=');
    Value = Value.split('#').first.trim();
    bool IsName = llvm::all_of(Value, [](char C) { return isNamePart(C) || C == '.'; });
    return Target.trim() == Name && Value.starts_with("torch.ops") && IsName ? Value.str() : "";
  }
  while (!List.empty()) {
    StringRef Item;
    std::tie(Item, List) = List.split(',');
    auto [What, As] = Item.trim(" ()\\").split(" as ");
    if ((As.empty() ? What : As).trim() == Name)
      return From.empty() ? What.trim().str() : (From + "." + What.trim()).str();
  }
  return "";
}

/// \p Dotted with what its first word stands for.
std::string resolved(StringRef Text, StringRef Dotted) {
  constexpr unsigned MostSteps = 4;
  std::string Out = Dotted.str();
  for (unsigned Step = 0; Step < MostSteps && !StringRef(Out).starts_with("torch."); ++Step) {
    auto [First, Rest] = StringRef(Out).split('.');
    std::string Means;
    for (StringRef Left = Text; !Left.empty() && Means.empty();) {
      StringRef Line;
      std::tie(Line, Left) = Left.split('\n');
      Means = saysOf(Line, First);
    }
    if (Means.empty() || Means == First)
      break;
    Out = Rest.empty() ? Means : Means + "." + Rest.str();
  }
  return Out;
}

} // namespace

std::vector<std::string> CodeAnswers::overloadsOf(StringRef Op) const {
  std::vector<std::string> Out;
  auto Add = [&](std::string Name) {
    if (StringRef(Name).split('.').first == Op && !llvm::is_contained(Out, Name))
      Out.push_back(std::move(Name));
  };
  for (const RegisteredOp *Known : Index.ops())
    Add(Known->Name);
  if (Op.starts_with("aten::"))
    for (const auto &Loaded : Index.schemas())
      for (StringRef Name : Loaded->Ops->names())
        Add(("aten::" + Name).str());
  return Out;
}

CodeTarget CodeAnswers::pythonTargetAt(const CodePlace &Asked) const {
  if (CodeTarget Found = targetAt(Asked))
    return Found;
  std::shared_ptr<const std::string> Text = Texts(Asked.Path);
  if (!Text)
    return {};
  DottedName Name = dottedNameAt(*Text, Asked.Offset);
  std::string Whole = resolved(*Text, (Name.Before + Name.Word).str());
  StringRef Rest = Whole;
  if (Name.Word.empty() || !Rest.consume_front("torch.ops.") || Rest.empty())
    return {};
  CodeTarget Out;
  Out.At = {Asked.Path, Name.At, Name.Word.size()};
  auto [Namespace, Op] = Rest.split('.');
  if (Op.empty()) {
    Out.Is = CodeTarget::Namespace;
    Out.Name = Namespace.str();
    return Out;
  }
  auto [Base, Overload] = Op.split('.');
  if (Overload.contains('.'))
    return {};
  std::string Packet = (Namespace + "::" + Base).str();
  if (Overload.empty())
    Out.Ops = overloadsOf(Packet);
  else
    Out.Ops = {Overload == "default" ? Packet : Packet + "." + Overload.str()};
  if (Out.Ops.empty())
    Out.Ops = {Packet};
  Out.Is = CodeTarget::Use;
  return Out;
}

} // namespace opsig
