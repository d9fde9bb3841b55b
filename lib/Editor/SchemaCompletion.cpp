//===- SchemaCompletion.cpp - What may be written in a schema -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SchemaCompletion.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using llvm::StringRef;

namespace opsig {

namespace {

bool isWord(char C) { return llvm::isAlnum(C) || C == '_'; }

/// The parts of a schema that end at the place.
struct SchemaState {
  enum Kind { Type, Name, Alias, Default } Is = Type;
  StringRef TypeText; ///< of the argument whose Name it is
  bool Returns = false;
};

void addTypes(const Grammar &Of, bool Returns, Completions &To) {
  auto Add = [&](std::string Label) { To.Items.push_back({Completion::Type, std::move(Label)}); };
  std::vector<StringRef> Names;
#define OPSIG_BASE_TYPE(Name, Spelling)                                                            \
  if (Of.allows(BaseTy::Name))                                                                     \
    Names.push_back(Spelling);
#include "opsig/Schema/BaseTypes.def"
  for (StringRef Name : Names)
    Add(Name.str());
  for (StringRef Name : Names) {
    if (Name == "Tensor")
      Add("Tensor(a!)");
    if (Name == "Tensor")
      Add("Tensor(a)");
    if (!Returns)
      Add(Name.str() + "?");
    if (llvm::is_contained({"Tensor", "int", "SymInt", "float", "bool", "str", "Scalar"}, Name))
      Add(Name.str() + "[]");
  }
  if (!Returns)
    To.Items.push_back({Completion::Value, "*", "keyword-only arguments follow"});
}

/// Names that operators of PyTorch's have for arguments of the type, the most usual ones first.
void addUsualNames(const Operators &Ops, StringRef TypeText, StringRef Before, Completions &To) {
  std::map<StringRef, unsigned> Counts;
  for (const NativeFunction &F : Ops.Functions)
    for (const Argument &A : F.Schema.Args.All)
      if (!F.Generated && A.Ty.str() == TypeText)
        ++Counts[A.Name];
  std::vector<std::pair<StringRef, unsigned>> Sorted(Counts.begin(), Counts.end());
  llvm::sort(Sorted, [](auto &L, auto &R) {
    return std::pair(R.second, L.first) < std::pair(L.second, R.first);
  });
  for (auto &[Name, Count] : Sorted) {
    if (To.Items.size() >= 30)
      break;
    if (llvm::none_of(To.Items, [&](const Completion &C) { return C.Label == Name; }))
      To.Items.push_back({Completion::Argument, Name.str(),
                          "in " + std::to_string(Count) +
                              (Count == 1 ? " PyTorch operator" : " PyTorch operators")});
  }
}

/// Whether \p Name stands in \p Before as the name of an argument.
bool isTaken(StringRef Before, StringRef Name) {
  for (size_t At = Before.find(Name); At != StringRef::npos; At = Before.find(Name, At + 1)) {
    StringRef Behind = Before.drop_front(At + Name.size());
    bool IsWhole = At > 0 && Before[At - 1] == ' ' && (Behind.empty() || !isWord(Behind.front()));
    if (IsWhole)
      return true;
  }
  return false;
}

SchemaState stateOf(StringRef Before) {
  SchemaState Out;
  size_t Arguments = Before.find('(');
  StringRef Rest = Before.drop_front(Arguments + 1);
  size_t Arrow = Rest.rfind("->");
  Out.Returns = Arrow != StringRef::npos &&
                Rest.take_front(Arrow).count('(') < Rest.take_front(Arrow).count(')');
  if (Out.Returns)
    Rest = Rest.drop_front(Arrow + 2);
  // The argument that is being written: behind the last comma that is none of a default's or an
  // annotation's.
  int Depth = 0;
  size_t Begin = 0;
  for (size_t I = 0; I < Rest.size(); ++I) {
    bool OpensReturns = Out.Returns && Rest[I] == '(' && Rest.take_front(I).trim().empty();
    if (OpensReturns || (Rest[I] == ',' && Depth == 0))
      Begin = I + 1;
    else if (Rest[I] == '(' || Rest[I] == '[')
      ++Depth;
    else if ((Rest[I] == ')' || Rest[I] == ']') && Depth > 0)
      --Depth;
  }
  StringRef Part = Rest.drop_front(Begin).ltrim();
  if (Part.contains('=')) {
    Out.Is = SchemaState::Default;
  } else if (Depth > 0 && Part.contains('(')) {
    Out.Is = SchemaState::Alias;
  } else if (size_t Space = Part.find_last_of(' '); Space != StringRef::npos) {
    Out.Is = SchemaState::Name;
    Out.TypeText = Part.take_front(Space).trim();
  }
  return Out;
}

} // namespace

void keepBeginning(Completions &All, StringRef Typed, size_t Most) {
  llvm::erase_if(All.Items, [&](const Completion &C) {
    return !StringRef(C.Label).starts_with_insensitive(Typed);
  });
  if (All.Items.size() > Most) {
    All.Items.resize(Most);
    All.Incomplete = true;
  }
}

Completions completeSchema(StringRef Before, const SchemaContext &Context) {
  Completions Out;
  size_t Word = Before.size();
  while (Word > 0 && isWord(Before[Word - 1]))
    --Word;
  Out.Begin = Word;
  Out.End = Before.size();
  SchemaState State = stateOf(Before);
  switch (State.Is) {
  case SchemaState::Type:
    addTypes(Context.Of, State.Returns, Out);
    break;
  case SchemaState::Name: {
    StringRef Whole = Before.take_front(Word);
    for (const std::string &Param : Context.Params)
      if (!Param.empty() && !isTaken(Whole, Param))
        Out.Items.push_back({Completion::Argument, Param, "the kernel's parameter name"});
    std::string Type = State.TypeText.str();
    // "Tensor(a!)" is named as Tensor is.
    if (size_t Alias = Type.find('('); Alias != std::string::npos)
      Type.erase(Alias, Type.find(')', Alias) + 1 - Alias);
    if (Context.Ops && !State.Returns)
      addUsualNames(*Context.Ops, Type, Whole, Out);
    // What is being written is the name of an argument already, to who reads the schema.
    llvm::erase_if(Out.Items, [&](const Completion &C) {
      return isTaken(Whole, C.Label) || C.Label == Before.drop_front(Word);
    });
    break;
  }
  case SchemaState::Alias:
    for (StringRef Label : {"a!", "a", "b!", "b", "*"})
      Out.Items.push_back({Completion::Value, Label.str()});
    break;
  case SchemaState::Default:
    for (StringRef Label : {"None", "True", "False", "0", "1", "[]"})
      Out.Items.push_back({Completion::Value, Label.str()});
    break;
  }
  keepBeginning(Out, Before.drop_front(Word));
  return Out;
}

} // namespace opsig
