//===- PlanUpgrade.cpp - code for an older PyTorch => edits for a newer one ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"
#include "opsig/Frontend/ApiUse.h"
#include "opsig/Support/CallPattern.h"
#include "opsig/Support/CppName.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Upgrade/Upgrade.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <map>

using namespace opsig;
using namespace llvm;

std::set<std::string> opsig::namesIn(StringRef Message) {
  std::set<std::string> Out;
  SmallVector<StringRef> Parts;
  Message.split(Parts, '\'');
  for (size_t I = 1; I < Parts.size(); I += 2)
    Out.insert(Parts[I].substr(Parts[I].rfind(':') + 1).str());
  return Out;
}

bool opsig::saysUndeclared(StringRef Message) {
  return any_of(ArrayRef<StringRef>{"undeclared identifier", "unknown type name", "no member named",
                                    "no type named", "no template named"},
                [&](StringRef Words) { return Message.contains(Words); });
}

/// "gone as of 1.5", or the release that was seen without it, where no older headers were seen.
std::string opsig::sinceOf(const ApiChange &Rule, bool IsGone) {
  const VersionTuple &Since = IsGone ? Rule.Gone : Rule.Deprecated;
  std::string Out = IsGone ? "gone" : "deprecated";
  if (!Since.empty()) {
    Out += Since.getSubminor() ? " in PyTorch " : IsGone ? " as of PyTorch " : " since PyTorch ";
    Out += Since.getAsString();
  }
  return Out;
}

/// Whether a message that has these names is about \p Rule's.
static bool isAbout(const ApiChange &Rule, const std::set<std::string> &Names) {
  if (Rule.Is == ApiChange::Header || !Names.count(Rule.lastName().str()))
    return false;
  StringRef Scope = Rule.scope();
  return Scope.empty() || Names.count(Scope.str()) ||
         (isTorchScope(Scope) &&
          any_of(Names, [](const std::string &Name) { return isTorchScope(Name); }));
}

/// The names that Clang does not know, without those that it suggests.
static std::set<std::string> undeclaredNames(StringRef Message) {
  return saysUndeclared(Message) ? namesIn(Message.split("; did you mean").first)
                                 : std::set<std::string>();
}

static std::string adviceAbout(const std::set<std::string> &Names) {
  auto Rule = find_if(apiChanges(), [&](const ApiChange &R) {
    return R.Is == ApiChange::Advice && isAbout(R, Names);
  });
  if (Rule == apiChanges().end())
    return "";
  return ("'" + Rule->From + "' is " + sinceOf(*Rule, true) + ": " + Rule->To).str();
}

std::string opsig::adviceFor(StringRef Message) { return adviceAbout(undeclaredNames(Message)); }

/// What follows each "#define \p Name" in \p Text, up to the first line that does not go on.
static std::vector<StringRef> macroBodies(StringRef Text, StringRef Name) {
  std::vector<StringRef> Out;
  for (size_t At = findCppName(Text, Name); At != StringRef::npos;
       At = findCppName(Text, Name, At + Name.size())) {
    StringRef Before = Text.take_front(At).rtrim(" \t");
    if (!Before.consume_back("define") || !Before.rtrim(" \t").ends_with("#"))
      continue;
    StringRef Rest = Text.drop_front(At + Name.size());
    size_t End = Rest.find('\n');
    while (End != StringRef::npos && Rest.take_front(End).rtrim("\r").ends_with("\\"))
      End = Rest.find('\n', End + 1);
    Out.push_back(Rest.take_front(End));
  }
  return Out;
}

/// The names in \p Text that a "(" follows.
static std::set<std::string> calledNames(StringRef Text) {
  std::set<std::string> Out;
  for (size_t At = Text.find('('); At != StringRef::npos; At = Text.find('(', At + 1)) {
    StringRef Before = Text.take_front(At).rtrim(" \t");
    StringRef Name =
        Before.drop_front(Before.find_last_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") + 1);
    if (!Name.empty())
      Out.insert(Name.str());
  }
  return Out;
}

std::string opsig::adviceForMacro(StringRef Name, ArrayRef<StringRef> Texts,
                                  const UnitFacts &Unit) {
  std::set<StringRef> Bodies;
  for (StringRef Text : Texts)
    for (StringRef Body : macroBodies(Text, Name))
      Bodies.insert(Body);
  // Of several, conditions say which one is meant.
  if (Bodies.size() != 1)
    return "";
  std::set<std::string> Names = calledNames(*Bodies.begin());
  // What is defined or expanded is there.
  std::erase_if(Names, [&](const std::string &Called) {
    return any_of(Texts, [&](StringRef Text) { return !macroBodies(Text, Called).empty(); }) ||
           any_of(Unit.Uses,
                  [&](const ApiUse &Use) { return Use.Is == ApiUse::Macro && Use.Name == Called; });
  });
  return adviceAbout(Names);
}

namespace {

/// New text for a part of a file.
struct Replacing {
  uint32_t Begin, End;
  std::string Text;
  bool IsGone;          ///< what is replaced, and not only deprecated
  std::string From, To; ///< as reports show them
  std::set<std::string> Removes = {};
};

class Planner {
public:
  Planner(const UpgradeInput &Input, SourceFiles &Files) : Input(Input), Files(Files) {}

  std::vector<UpgradeEdit> run();

private:
  void planUnit(const UnitFacts &Unit, ArrayRef<ClangMessage> Errors);
  std::map<uint32_t, LiveFile> openFiles(const UnitFacts &Unit);
  bool isGone(const UnitFacts &Unit, StringRef Header) const;
  void planHeaders(const UnitFacts &Unit, const LiveFile &File);
  void planNames(const std::set<const ApiChange *> &Rules, const LiveFile &File);
  void planName(const ApiChange &Rule, const LiveFile &File, size_t Token, bool IsGone);
  void planVariable(const ApiChange &Rule, const LiveFile &File, size_t Token);
  void planUse(const ApiUse &Use, const LiveFile &File, ArrayRef<ClangMessage> Errors);
  void planType(const ApiChange &Rule, const ApiUse &Use, const LiveFile &File,
                ArrayRef<ClangMessage> Errors);
  void planMethod(const ApiChange &Rule, const LiveFile &File, size_t Token, bool IsGone);
  void planLostMethods(const LiveFile &File, ArrayRef<ClangMessage> Errors);
  void planChain(const ApiChange &Rule, const LiveFile &File, size_t Token);
  void add(const ApiChange &Rule, const LiveFile &File, Replacing New);

  const UpgradeInput &Input;
  SourceFiles &Files;
  std::vector<UpgradeEdit> Out;
  /// What is edited, also where several units have it.
  std::set<std::tuple<std::string, uint32_t>> Known;
  /// Headers that replace others, by file.
  std::set<std::pair<std::string, StringRef>> Included;
};

} // namespace

void Planner::add(const ApiChange &Rule, const LiveFile &File, Replacing New) {
  const VersionTuple Offered(Rule.Offered.getMajor(), Rule.Offered.getMinor().value_or(0));
  const bool IsLater = !Input.Keep.empty() && Offered > Input.Keep;
  // What is only deprecated serves all releases as it is.
  if (IsLater && !New.IsGone)
    return;
  if (!Known.insert({absolutePath(Files.name(File.Id)), New.Begin}).second)
    return;
  UpgradeEdit Edit{std::move(New.From), std::move(New.To), Files.placeAt(File.Id, New.Begin)};
  Edit.IsGone = New.IsGone;
  if (IsLater)
    Edit.Guard = (Rule.Is == ApiChange::Header ? Rule.To : Rule.Needs).str();
  Edit.Fixes.push_back({File.Id, New.Begin, New.End - New.Begin, std::move(New.Text)});
  Edit.Since = sinceOf(Rule, New.IsGone);
  Edit.Review = Rule.Review.str();
  Edit.Needs = Rule.Needs.str();
  Edit.Removes = std::move(New.Removes);
  Out.push_back(std::move(Edit));
}

std::map<uint32_t, LiveFile> Planner::openFiles(const UnitFacts &Unit) {
  std::map<uint32_t, LiveFile> Opened;
  for (uint32_t I = 0; I < Unit.Files.size(); ++I) {
    if (!Input.IsProjectFile(Unit.Files[I]))
      continue;
    Expected<SourceId> Id = Files.open(Unit.Files[I]);
    if (!Id) {
      consumeError(Id.takeError());
      continue;
    }
    LiveFile File{*Id, Files.text(*Id), tokensOf(Files.text(*Id)), {}};
    for (const ApiUse &Use : Unit.Uses)
      if (Use.Is == ApiUse::Unread && Use.Name.empty() && Use.At.File == I)
        File.Unread.push_back(Use.At);
    Opened.emplace(I, std::move(File));
  }
  return Opened;
}

namespace {

struct Inclusion {
  uint32_t Hash, Open, End; ///< the brackets, and behind them
  StringRef Name;
};

} // namespace

static std::vector<Inclusion> inclusionsOf(const LiveFile &File) {
  std::vector<Inclusion> Out;
  for (size_t I = 0; I + 2 < File.Tokens.size(); ++I) {
    if (File.Tokens[I].Text != "#" || File.Tokens[I + 1].Text != "include" ||
        !File.isLive(File.Tokens[I].Offset))
      continue;
    size_t Open = File.Text.find_first_not_of(" \t", File.Tokens[I + 1].end());
    if (Open == StringRef::npos || !StringRef("<\"").contains(File.Text[Open]))
      continue;
    size_t Close = File.Text.find_first_of(File.Text[Open] == '<' ? ">\n" : "\"\n", Open + 1);
    if (Close != StringRef::npos && File.Text[Close] != '\n')
      Out.push_back({File.Tokens[I].Offset, uint32_t(Open), uint32_t(Close + 1),
                     File.Text.slice(Open + 1, Close)});
  }
  return Out;
}

static bool isTorchHeader(StringRef Name) {
  return any_of(ArrayRef<StringRef>{"ATen/", "c10/", "torch/"},
                [&](StringRef Folder) { return Name.starts_with(Folder); });
}

/// Whether the new release has no header of that name. A copy apart from a PyTorch is the
/// project's own.
bool Planner::isGone(const UnitFacts &Unit, StringRef Header) const {
  if (is_contained(Unit.MissingHeaders, Header))
    return true;
  return !Input.Headers.empty() && isTorchHeader(Header) &&
         !sys::fs::exists(Input.Headers + "/" + Header) &&
         none_of(Unit.TorchFolders, [&](const std::string &Folder) {
           return sys::fs::exists(Folder + "/" + Header) &&
                  !sys::fs::exists(Folder + "/ATen/ATen.h");
         });
}

void Planner::planHeaders(const UnitFacts &Unit, const LiveFile &File) {
  std::string Path = absolutePath(Files.name(File.Id));
  // What no rule is about was read, or is nothing that an edit includes.
  auto GoneRule = [&](const Inclusion &I) -> const ApiChange * {
    const ApiChange *Rule = findApiChange(I.Name);
    return Rule && Rule->Is == ApiChange::Header && isGone(Unit, I.Name) ? Rule : nullptr;
  };
  std::vector<Inclusion> All = inclusionsOf(File);
  for (const Inclusion &I : All)
    if (!GoneRule(I) && !is_contained(Unit.MissingHeaders, I.Name))
      Included.insert({Path, I.Name});
  for (const Inclusion &I : All) {
    const ApiChange *Rule = GoneRule(I);
    if (!Rule)
      continue;
    uint32_t Begin = I.Hash, End = I.End;
    if (!Rule->To.empty() && Included.insert({Path, Rule->To}).second) {
      add(*Rule, File,
          {I.Open, End, ("<" + Rule->To + ">").str(), true, I.Name.str(), Rule->To.str()});
      continue;
    }
    size_t Line = File.Text.take_front(Begin).rfind('\n') + 1;
    size_t LineEnd = std::min(File.Text.find('\n', End), File.Text.size());
    // A comment behind it stays.
    if (File.Text.slice(End, LineEnd).trim().empty() &&
        File.Text.slice(Line, Begin).trim().empty()) {
      Begin = uint32_t(Line);
      End = uint32_t(std::min(LineEnd + 1, File.Text.size()));
    }
    add(*Rule, File, {Begin, End, "", true, I.Name.str(), Rule->To.str()});
  }
}

/// `extern THCState *state;` goes; of `THCState *state = at::globalContext().lazyInitCUDA();` the
/// call stays.
void Planner::planVariable(const ApiChange &Rule, const LiveFile &File, size_t Token) {
  if (File.after(Token) != "*" || Token + 4 >= File.Tokens.size())
    return;
  std::set<std::string> Removes = {File.after(Token, 2).str()};
  if (File.after(Token, 3) == "=") {
    uint32_t Value = File.Tokens[Token + 4].Offset;
    // Newer names of the last call begin in the same way.
    StringRef Start = Rule.To.take_front(Rule.To.find("CUDA"));
    if (!File.Text.drop_front(Value).starts_with(Start))
      return;
    // Outside of functions no call stands by itself.
    const bool IsGlobal = !File.isInBody(Token);
    size_t End = File.Text.find(';', Value);
    if (IsGlobal &&
        (End == StringRef::npos ||
         File.Text.slice(Value + Start.size(), End).find_first_of("+-*/=?\n{") != StringRef::npos))
      return;
    add(Rule, File,
        {File.Tokens[Token].Offset, IsGlobal ? uint32_t(End + 1) : Value, "", true, Rule.From.str(),
         "", std::move(Removes)});
    if (IsGlobal && !Out.empty() && Out.back().Fixes.front().Offset == File.Tokens[Token].Offset)
      Out.back().Review = "CUDA is no longer initialized when the library is loaded";
    return;
  }
  if (File.before(Token) != "extern" || File.after(Token, 3) != ";")
    return;
  uint32_t Begin = File.Tokens[Token - 1].Offset, End = File.Tokens[Token + 3].end();
  if (End < File.Text.size() && File.Text[End] == '\n' &&
      (Begin == 0 || File.Text[Begin - 1] == '\n'))
    ++End;
  add(Rule, File, {Begin, End, "", true, Rule.From.str(), "", std::move(Removes)});
}

/// Makes "f($2)" of a call's arguments; nothing where they are not as many as it needs.
static std::optional<std::string> callText(StringRef Pattern, const TokenCall &Call) {
  std::string Out;
  size_t Highest = 0;
  for (const PatternPiece &P : patternPieces(Pattern)) {
    if (P.Is == PatternPiece::Words) {
      Out += P.Text;
      continue;
    }
    if (P.Number > Call.Arguments.size())
      return std::nullopt;
    StringRef First = Call.Arguments[P.Number - 1];
    if (P.Is == PatternPiece::ArgumentsFrom) {
      Out.append(First.begin(), Call.Arguments.back().end());
      continue;
    }
    Highest = std::max<size_t>(Highest, P.Number);
    Out += First;
  }
  return Highest && Highest != Call.Arguments.size() ? std::nullopt : std::optional(Out);
}

/// Whether the scope before \p Token is the one that \p Rule has.
static bool isQualifiedAs(const ApiChange &Rule, const LiveFile &File, size_t Token) {
  StringRef Scope = Rule.scope();
  StringRef Before = File.before(Token);
  if (Scope.empty())
    return Before != "::";
  if (Before != "::")
    return false;
  StringRef Written = File.before(Token, 2);
  return Written == Scope || (isTorchScope(Scope) && isTorchScope(Written));
}

void Planner::planName(const ApiChange &Rule, const LiveFile &File, size_t Token, bool IsGone) {
  const SourceToken &Name = File.Tokens[Token];
  if (Rule.Is == ApiChange::Variable)
    return planVariable(Rule, File, Token);
  if (Rule.Is == ApiChange::Chain)
    return planChain(Rule, File, Token);
  uint32_t Begin = File.Tokens[File.qualifiedBegin(Token)].Offset;
  StringRef To = Rule.To;
  auto [Scope, Last] = To.split("::");
  // `torch::` stays if that has the new name, too.
  if (Begin != Name.Offset && isTorchScope(Rule.scope()) && isTorchScope(Scope)) {
    Begin = Name.Offset;
    To = Last;
  }
  if (Rule.Is == ApiChange::Name)
    return add(Rule, File, {Begin, Name.end(), To.str(), IsGone, Rule.From.str(), Rule.To.str()});
  std::optional<TokenCall> Call = callAt(File.Text, File.Tokens, Token);
  if (!Call)
    return;
  if (std::optional<std::string> Text = callText(To, *Call))
    add(Rule, File,
        {Begin, Call->End, *Text, IsGone, Rule.From.str(),
         Rule.To.take_until([](char C) { return C == '('; }).str()});
}

/// \p Token is the name of the last call of the chain.
void Planner::planChain(const ApiChange &Rule, const LiveFile &File, size_t Token) {
  std::vector<SourceToken> Pattern = tokensOf(Rule.From);
  // "()" stands behind the name.
  const size_t Before = Pattern.size() - 3;
  if (Token < Before || Token + 2 >= File.Tokens.size())
    return;
  for (size_t I = 0; I < Pattern.size(); ++I)
    if (File.Tokens[Token - Before + I].Text != Pattern[I].Text)
      return;
  size_t First = Token - Before;
  if (File.before(First) == "::")
    First = File.qualifiedBegin(First);
  add(Rule, File,
      {File.Tokens[First].Offset, File.Tokens[Token + 2].end(), Rule.To.str(), true,
       Rule.From.str(), Rule.To.str()});
}

void Planner::planMethod(const ApiChange &Rule, const LiveFile &File, size_t Token, bool IsGone) {
  const SourceToken &Name = File.Tokens[Token];
  std::string From = (Rule.lastName() + "()").str();
  std::optional<TokenCall> Call = callAt(File.Text, File.Tokens, Token);
  if (Rule.To.empty()) {
    if (Call && File.before(Token) == ".")
      add(Rule, File, {File.Tokens[Token - 1].Offset, Call->End, "", IsGone, From, ""});
    return;
  }
  if (!Rule.To.contains('('))
    return add(Rule, File,
               {Name.Offset, Name.end(), Rule.To.str(), IsGone, From, (Rule.To + "()").str()});
  if (Call && Call->Arguments.empty())
    add(Rule, File, {Name.Offset, Call->End, Rule.To.str(), IsGone, From, Rule.To.str()});
}

/// Clang points at the names of methods that classes of PyTorch do not have any more.
void Planner::planLostMethods(const LiveFile &File, ArrayRef<ClangMessage> Errors) {
  std::string Path = absolutePath(Files.name(File.Id));
  for (const ClangMessage &Error : Errors) {
    if (absolutePath(Error.Path) != Path)
      continue;
    std::optional<size_t> Token = File.wordAt(Error.Spelled.Offset);
    if (!Token)
      continue;
    std::set<std::string> Names = undeclaredNames(Error.Text);
    for (const ApiChange &Rule : apiChanges())
      if (Rule.Is == ApiChange::Method && !Rule.Gone.empty() && isAbout(Rule, Names) &&
          File.Tokens[*Token].Text == Rule.lastName())
        planMethod(Rule, File, *Token, /*IsGone=*/true);
  }
}

/// Variables and parameters of a type that is gone: `THCState *state`.
static std::set<StringRef> variablesOf(const std::set<const ApiChange *> &Rules,
                                       const LiveFile &File) {
  std::set<StringRef> Out;
  for (size_t I = 0; I + 2 < File.Tokens.size(); ++I)
    if (File.Tokens[I + 1].Text == "*" && any_of(Rules, [&](const ApiChange *R) {
          return R->Is == ApiChange::Variable && R->From == File.Tokens[I].Text;
        }))
      Out.insert(File.Tokens[I + 2].Text);
  return Out;
}

/// A call with an argument that Clang does not know says nothing of its own name.
static const ApiChange *hiddenCall(const LiveFile &File, size_t Token,
                                   const std::set<StringRef> &Variables) {
  const ApiChange *Rule = Variables.empty() ? nullptr : findApiChange(File.Tokens[Token].Text);
  if (!Rule || Rule->Is != ApiChange::Call)
    return nullptr;
  std::optional<TokenCall> Call = callAt(File.Text, File.Tokens, Token);
  bool IsHidden = Call && !Call->Arguments.empty() && Variables.count(Call->Arguments.front());
  return IsHidden ? Rule : nullptr;
}

/// What Clang does not know has no other meaning in the unit, so that each of its words goes.
void Planner::planNames(const std::set<const ApiChange *> &Rules, const LiveFile &File) {
  std::set<StringRef> Variables = variablesOf(Rules, File);
  for (size_t I = 0; I < File.Tokens.size(); ++I) {
    const SourceToken &Name = File.Tokens[I];
    if (Name.Is != SourceToken::Word || !File.isLive(Name.Offset))
      continue;
    auto Known = find_if(Rules, [&](const ApiChange *R) { return R->lastName() == Name.Text; });
    const ApiChange *Rule = Known != Rules.end() ? *Known : hiddenCall(File, I, Variables);
    StringRef Before = File.before(I);
    const bool IsMember = Before == "." || Before == "->";
    if (!Rule || (IsMember && Rule->Is != ApiChange::Chain) ||
        (!IsMember && !isQualifiedAs(*Rule, File, I)) ||
        is_contained({"ifdef", "ifndef", "undef", "defined"}, Before) ||
        (Before == "(" && File.before(I, 2) == "defined"))
      continue;
    planName(*Rule, File, I, /*IsGone=*/true);
  }
}

/// `x.type()` of a tensor.
void Planner::planType(const ApiChange &Rule, const ApiUse &Use, const LiveFile &File,
                       ArrayRef<ClangMessage> Errors) {
  uint32_t Line = Files.placeAt(File.Id, Use.At.Offset).Line;
  std::string Path = absolutePath(Files.name(File.Id));
  bool IsScalarType = any_of(Errors, [&](const ClangMessage &E) {
    return StringRef(E.Text).contains("DeprecatedTypeProperties") &&
           StringRef(E.Text).contains("ScalarType") && absolutePath(E.Path) == Path &&
           Files.placeAt(File.Id, E.Spelled.Offset).Line == Line;
  });
  // Without what stands before the object, which may be a macro's parameter.
  std::optional<TypeChange> Change =
      changeOfType(File, Use.NameAt.Offset, Use.At.end(), IsScalarType);
  if (!Change)
    return;
  ApiChange Own = Rule;
  Own.Review = Change->Review;
  add(Own, File,
      {Use.NameAt.Offset, Change->End, Change->To, false, Change->From.str(),
       StringRef(Change->To).rtrim("(").str()});
}

/// How many template arguments a list with brackets has.
static size_t countTemplateArgs(StringRef List) {
  size_t Count = 1, Depth = 0;
  for (char C : List.drop_front(List.empty() ? 0 : 1)) {
    Depth += StringRef("<([{").contains(C);
    Depth -= Depth && StringRef(">)]}").contains(C);
    Count += C == ',' && Depth == 0;
  }
  return Count;
}

void Planner::planUse(const ApiUse &Use, const LiveFile &File, ArrayRef<ClangMessage> Errors) {
  if (Use.Is != ApiUse::Method && Use.Is != ApiUse::Macro && Use.Is != ApiUse::Type)
    return;
  const ApiChange *Rule = findApiChange(Use.Name);
  if (!Rule || Rule->Deprecated.empty() || !Use.NameAt.isValid())
    return;
  // The qualifier of a type comes before its name.
  std::optional<size_t> Name = File.wordAt(Use.NameAt.Offset);
  while (Name && Use.Is == ApiUse::Type && File.Tokens[*Name].end() < Use.NameAt.end())
    Name = *Name + 1 < File.Tokens.size() ? std::optional(*Name + 1) : std::nullopt;
  if (!Name || File.Tokens[*Name].Text != Rule->lastName())
    return;
  if (Use.Is != ApiUse::Method && Rule->Is != ApiChange::Method)
    return planName(*Rule, File, *Name, /*IsGone=*/false);
  if (Rule->Is != ApiChange::Method || !Use.isCall())
    return;
  if (Rule->lastName() == "type")
    return Use.Args.empty() ? planType(*Rule, Use, File, Errors) : void();
  if (Rule->lastName() == "data") {
    // `x.data()` is another method than `x.data<T>()`.
    if (Use.TemplateArgs.isValid())
      add(*Rule, File,
          {File.Tokens[*Name].Offset, File.Tokens[*Name].end(), Rule->To.str(), false, "data<T>()",
           Rule->To.str() + "<T>()"});
    return;
  }
  // An index type of its own is that of the kernel, too.
  if (Rule->lastName() == "packed_accessor" && countTemplateArgs(Use.TemplateText) > 3)
    return;
  planMethod(*Rule, File, *Name, /*IsGone=*/false);
}

void Planner::planUnit(const UnitFacts &Unit, ArrayRef<ClangMessage> Errors) {
  std::set<const ApiChange *> Rules;
  for (const ClangMessage &Error : Errors) {
    std::set<std::string> Names = undeclaredNames(Error.Text);
    for (const ApiChange &Rule : apiChanges())
      if (Rule.Is != ApiChange::Method && Rule.Is != ApiChange::Advice &&
          (Rule.Is == ApiChange::Chain ? Names.count(Rule.lastName().str()) : isAbout(Rule, Names)))
        Rules.insert(&Rule);
  }
  std::map<uint32_t, LiveFile> Opened = openFiles(Unit);
  // What the project defines itself, in whichever branch, is its own.
  for (auto &[Number, File] : Opened)
    for (size_t I = 0; I < File.Tokens.size(); ++I)
      if (File.before(I) == "define")
        erase_if(Rules,
                 [&, &File = File](const ApiChange *R) { return R->From == File.Tokens[I].Text; });
  for (auto &[Number, File] : Opened) {
    planHeaders(Unit, File);
    planNames(Rules, File);
    planLostMethods(File, Errors);
    for (const ApiUse &Use : Unit.Uses)
      if (Use.At.File == Number)
        planUse(Use, File, Errors);
  }
}

std::vector<UpgradeEdit> Planner::run() {
  for (size_t I = 0; I < Input.Units.size(); ++I)
    if (Input.Units[I].Parsed)
      planUnit(Input.Units[I], Input.Errors[I]);
  guardEdits(Out, Files);
  return std::move(Out);
}

std::vector<UpgradeEdit> opsig::planUpgrade(const UpgradeInput &Input, SourceFiles &Files) {
  return Planner(Input, Files).run();
}

std::optional<Fix> opsig::includeFix(StringRef Text, SourceId File, StringRef Header,
                                     bool IsGuarded) {
  std::vector<SourceToken> Tokens = tokensOf(Text);
  std::optional<size_t> First, FirstOfTorch;
  for (size_t I = 0; I + 1 < Tokens.size(); ++I) {
    if (Tokens[I].Text != "#" || Tokens[I + 1].Text != "include")
      continue;
    size_t End = std::min(Text.find('\n', Tokens[I].Offset), Text.size());
    StringRef Line = Text.slice(Tokens[I].Offset, End);
    if (Line.contains(("<" + Header + ">").str()) || Line.contains(("\"" + Header + "\"").str()))
      return std::nullopt;
    size_t Next = std::min(End + 1, Text.size());
    if (!First)
      First = Next;
    if (!FirstOfTorch && any_of(ArrayRef<StringRef>{"<torch/", "<ATen/", "<c10/"},
                                [&](StringRef Start) { return Line.contains(Start); }))
      FirstOfTorch = Next;
  }
  size_t At = FirstOfTorch.value_or(First.value_or(0));
  StringRef LineEnd = Text.contains("\r\n") ? "\r\n" : "\n";
  std::string New = ("#include <" + Header + ">" + LineEnd).str();
  if (IsGuarded)
    New = ("#if __has_include(<" + Header + ">)" + LineEnd + New + "#endif" + LineEnd).str();
  return Fix{File, uint32_t(At), 0, std::move(New)};
}
