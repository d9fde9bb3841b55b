//===- RegistrationReach.cpp - which namespaces a torn file may fill ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tokens of the main file and of the project's headers, as they are written => RegistrationReach
//
// Of what was not read the words still stand there: a block names its namespace. What hides it, a
// macro that nobody defined or a function that gets a block, may fill any.
//
//===----------------------------------------------------------------------===//
#include "Decls/KernelInternal.h"
#include "Decls/RawText.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <set>

using namespace opsig;
using namespace clang;

namespace {

/// What stands at the beginning of a declaration, with parentheses, and registers nothing.
bool isHarmlessMacro(StringRef Name) {
  return Name.starts_with("PYBIND11_") || Name == "TEST" || Name.starts_with("TEST_") ||
         Name.starts_with("TYPED_TEST") || Name.starts_with("INSTANTIATE_") ||
         Name.starts_with("BENCHMARK") || Name == "main";
}

class ReachReader {
public:
  ReachReader(ASTContext &Context, ProjectPlaces &Project, const UnitFacts &Unit)
      : Context(Context), SM(Context.getSourceManager()), Project(Project), Unit(Unit) {}

  RegistrationReach run();

private:
  void findMacros(const RawFile &File);
  void readDefine(llvm::ArrayRef<RawToken> Define);
  void readCode(const RawFile &File);
  void readBlock(const RawFile &File, size_t I);
  bool isMacro(StringRef Name) const;
  bool isKeyword(StringRef Name) const {
    return Context.Idents.get(Name).getTokenID() != tok::identifier;
  }

  ASTContext &Context;
  const SourceManager &SM;
  ProjectPlaces &Project;
  const UnitFacts &Unit;
  /// Whose text makes a block, and whether that names its namespace itself.
  llvm::StringMap<bool> Macros;
  std::set<std::string> Namespaces;
  bool Anywhere = false;
};

bool ReachReader::isMacro(StringRef Name) const {
  return Context.Idents.get(Name).hasMacroDefinition();
}

void ReachReader::findMacros(const RawFile &File) {
  for (const std::vector<RawToken> &Define : File.Defines)
    for (const RawToken &T : llvm::drop_begin(Define))
      if (T.Is == tok::raw_identifier && (soundsLikeLibrary(T.Text) || Macros.contains(T.Text)))
        Macros.try_emplace(Define.front().Text, false);
}

/// A macro's own block of one namespace, whoever uses it.
void ReachReader::readDefine(llvm::ArrayRef<RawToken> Define) {
  if (!Macros.contains(Define.front().Text))
    return;
  auto IsParameter = [&](StringRef Name) {
    for (const RawToken &T : Define.drop_front()) {
      if (T.Is == tok::r_paren)
        return false;
      if (T.is(Name))
        return true;
    }
    return false;
  };
  bool NamesAll = true;
  for (size_t I = 1; I + 3 < Define.size(); ++I) {
    if (Define[I].Is != tok::raw_identifier || !soundsLikeLibrary(Define[I].Text))
      continue;
    if (Define[I + 1].Is == tok::l_paren && Define[I + 2].Is == tok::raw_identifier &&
        Define[I + 3].Is == tok::comma && !IsParameter(Define[I + 2].Text))
      Namespaces.insert(Define[I + 2].Text.str());
    else
      NamesAll = false;
  }
  bool OfOthers = llvm::any_of(Define.drop_front(), [&](const RawToken &T) {
    return T.Is == tok::raw_identifier && Macros.contains(T.Text) && !T.is(Define.front().Text);
  });
  Macros[Define.front().Text] = NamesAll && !OfOthers;
}

/// A block whose macro is number \p I of the code of \p File. One that was read to its end lacks
/// nothing, whatever the rest of the file does.
void ReachReader::readBlock(const RawFile &File, size_t I) {
  llvm::ArrayRef<RawToken> Code = File.Code;
  bool IsKnown = false;
  for (const RegistrationBlock &Block : Unit.Registrations)
    if (File.IsMain && Block.At.isValid() && Block.At.File == 0 &&
        Block.At.Offset == Code[I].Offset) {
      IsKnown = true;
      if (!Block.isWhole() || File.hasCondition(Block.Body))
        Namespaces.insert(Block.Namespace);
    }
  if (auto Macro = Macros.find(Code[I].Text); IsKnown || (Macro != Macros.end() && Macro->second))
    return;
  bool IsTorchs = StringRef(Code[I].Text).contains("TORCH_LIBRARY");
  bool IsPlain = I + 3 < Code.size() && Code[I + 2].Is == tok::raw_identifier &&
                 (Code[I + 3].Is == tok::comma || Code[I + 3].Is == tok::r_paren);
  if (!IsTorchs || !IsPlain || isMacro(Code[I + 2].Text) ||
      llvm::none_of(Code[I + 2].Text, llvm::isLower))
    Anywhere |= !(IsPlain && Code[I + 2].is("_"));
  else
    Namespaces.insert(Code[I + 2].Text.str());
}

void ReachReader::readCode(const RawFile &File) {
  llvm::ArrayRef<RawToken> Code = File.Code;
  // Of each open brace whether declarations of the file stand behind it.
  std::vector<bool> Braces;
  bool AtFileScope = true;
  size_t Statement = 0; ///< where the declaration at file scope began
  for (size_t I = 0; I < Code.size(); ++I) {
    const RawToken &T = Code[I];
    bool Begins = I == Statement;
    if (T.Is == tok::l_brace) {
      bool Opens = AtFileScope && (Code[Statement].is("namespace") ||
                                   Code[Statement].is("extern") || Code[Statement].is("inline"));
      Braces.push_back(AtFileScope);
      AtFileScope = Opens;
      Statement = I + 1;
      continue;
    }
    if (T.Is == tok::r_brace) {
      AtFileScope = Braces.empty() || Braces.back();
      if (!Braces.empty())
        Braces.pop_back();
      Statement = I + 1;
      continue;
    }
    if (T.Is == tok::semi)
      Statement = I + 1;
    if (T.Is != tok::raw_identifier)
      continue;
    bool Called = I + 1 < Code.size() && Code[I + 1].Is == tok::l_paren;
    bool OfTorch =
        I > 1 && Code[I - 1].Is == tok::coloncolon && Code[I - 2].Is == tok::raw_identifier;
    if (Called && (soundsLikeLibrary(T.Text) || Macros.contains(T.Text)))
      readBlock(File, I);
    else if (T.is("RegisterOperators") || (OfTorch && (T.is("Library") || T.is("StableLibrary"))))
      Anywhere = true;
    else if (Called && Begins && AtFileScope && !isKeyword(T.Text) && !isMacro(T.Text) &&
             !isHarmlessMacro(T.Text))
      Anywhere = true; // of a header that was not found
  }
}

RegistrationReach ReachReader::run() {
  std::vector<RawFile> Files;
  for (FileID Id : Project.files())
    Files.push_back(readRaw(Id, Context));
  // Macros may be made of those that stand in headers, which come later.
  for (unsigned Round = 0; Round < 2; ++Round)
    for (const RawFile &File : Files)
      findMacros(File);
  for (const RawFile &File : Files)
    for (const std::vector<RawToken> &Define : File.Defines)
      readDefine(Define);
  for (const RawFile &File : Files)
    readCode(File);
  return {Anywhere, {Namespaces.begin(), Namespaces.end()}};
}

} // namespace

RegistrationReach opsig::registrationReach(ASTContext &Context, ProjectPlaces &Project,
                                           const UnitFacts &Unit) {
  return ReachReader(Context, Project, Unit).run();
}
