//===- SourceFuzzer.cpp - Kernels in files that are just being edited -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first bytes choose a source of the tests and what happens to it; see Edit. The outcome is
// parsed and goes through every check, alone and as a whole project. Whatever the text is: each
// finding points into its file, and so do the edits that mend it.
//
// And nothing is said of a file that was saved too early: what is found in the beginning of a file
// (beside what a project lacks, which may stand in the rest) is found in the whole file, too; the
// same holds for a file whose headers are gone and for one in which a new declaration is half
// typed.
//
// Nor does a prefix change what is read, however the text lies around what is in it.
//
//===----------------------------------------------------------------------===//

#include "SharedPchJudge.h"
#include "SourceWorlds.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Edit/Apply.h"
#include "opsig/Report/SiftFindings.h"
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace opsig;
using namespace opsig::fuzz;

namespace {

enum class Edit : uint8_t {
  CutEnd,    ///< only the beginning is there
  NoHeaders, ///< some #include and using lines are gone
  HalfTyped, ///< the beginning of a declaration stands before another one
  Any,       ///< stretches are cut out, doubled, put elsewhere, bytes changed
  Last = Any,
};

/// Hands out the bytes of an input; zeros when there are no more.
class Input {
public:
  Input(const uint8_t *Data, size_t Size) : Data(Data), Left(Size) {}
  bool empty() const { return Left == 0; }
  uint8_t byte() { return Left ? --Left, *Data++ : 0; }
  /// At most \p Max.
  size_t upTo(size_t Max) {
    size_t Value = byte();
    return (Value << 8 | byte()) % (Max + 1);
  }

private:
  const uint8_t *Data;
  size_t Left;
};

std::vector<llvm::StringRef> linesOf(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Lines;
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Lines.push_back(Text.take_front(End));
    Text = Text.drop_front(End);
  }
  return Lines;
}

std::string withoutHeaders(llvm::StringRef Text, Input &In) {
  std::string Out;
  for (llvm::StringRef Line : linesOf(Text))
    if (!(Line.starts_with("#include") || Line.starts_with("using ")) || In.byte() % 2)
      Out += Line;
  return Out;
}

/// Where a declaration or statement can begin.
std::vector<size_t> beginnings(llvm::StringRef Text) {
  std::vector<size_t> Out;
  llvm::StringRef Before = ";";
  for (llvm::StringRef Line : linesOf(Text)) {
    if (!Line.starts_with("#") && (Before.starts_with("#") || Before.rtrim().ends_with(";") ||
                                   Before.rtrim().ends_with("}") || Before.rtrim().ends_with("{")))
      Out.push_back(Line.data() - Text.data());
    if (!Line.trim().empty())
      Before = Line;
  }
  return Out;
}

std::string halfTyped(llvm::StringRef Text, Input &In) {
  std::vector<size_t> Places = beginnings(Text);
  if (Places.empty())
    return Text.str();
  llvm::StringRef Typed = Text.drop_front(Places[In.upTo(Places.size() - 1)]);
  Typed = Typed.take_front(Typed.find_first_of(";{}"));
  Typed = Typed.take_front(In.upTo(Typed.size()));
  // Takes in what follows, which then is what it says, or gives a name another meaning.
  if (Typed.contains("R\"") || Typed.contains("struct "))
    return Text.str();
  std::string Out = Text.str();
  return Out.insert(Places[In.upTo(Places.size() - 1)], (Typed + "\n").str());
}

std::string changed(std::string Text, Input &In) {
  constexpr auto Bytes = llvm::StringLiteral::withInnerNUL("(){}<>,;:&*\"'#/\\ \n\0\xff\r0");
  while (!In.empty()) {
    uint8_t Kind = In.byte() % 4;
    size_t At = In.upTo(Text.size()), Length = In.upTo(Text.size() - At);
    if (Kind == 0)
      Text.erase(At, Length);
    else if (Kind == 1 && Text.size() < 20000)
      Text.insert(In.upTo(Text.size()), Text.substr(At, Length));
    else if (Kind == 2)
      Text.insert(At, 1, Bytes[In.upTo(Bytes.size() - 1)]);
    else if (At != Text.size())
      Text[At] = Bytes[In.upTo(Bytes.size() - 1)];
  }
  return Text;
}

std::string edited(const Source &S, Edit Kind, Input &In) {
  switch (Kind) {
  case Edit::CutEnd:
    return S.Text.substr(0, In.upTo(S.Text.size()));
  case Edit::NoHeaders:
    return withoutHeaders(S.Text, In);
  case Edit::HalfTyped:
    return halfTyped(S.Text, In);
  case Edit::Any:
    return changed(S.Text, In);
  }
  abort();
}

/// What the fuzzer is about, for the report of a failure.
struct Case {
  const Source &Of;
  llvm::StringRef Text;

  [[noreturn]] void fail(const llvm::Twine &Why) const {
    llvm::errs() << "SourceFuzzer: " << Why << "\nin " << Of.Name << ", now:\n" << Text << '\n';
    abort();
  }
  void require(bool Holds, llvm::StringRef Why) const {
    if (!Holds)
      fail(Why);
  }
};

void requirePlace(const Case &C, const Place &At, const SourceFiles &Files) {
  C.require(At.isValid(), "a place is nowhere");
  llvm::StringRef Line = Files.line(At.File, At.Line);
  C.require(Files.offsetOf(At) <= Files.text(At.File).size(), "a place is outside of its file");
  C.require(At.Column - 1 + At.Length <= Line.size(), "a place is outside of its line");
}

void requireFixes(const Case &C, const Finding &D, SourceId Main, const SourceFiles &Files) {
  for (const Fix &F : D.Fixes) {
    bool Ours = F.File == Main || Files.name(F.File).starts_with("/mem/");
    C.require(Ours, "a fix edits another project's file");
    size_t Size = Files.text(F.File).size();
    C.require(F.Offset <= Size && F.Length <= Size - F.Offset, "a fix is outside of its file");
  }
  C.require(D.Fixes.empty() || !applyFixes({D}, Files).Applied.empty(), "a fix cannot be applied");
}

/// What a whole body does for certain, one with an error only may do.
FindingId withoutDoubt(FindingId Id) {
  if (Id == finding::MutationPossible)
    return finding::MutationUnmarked;
  return Id == finding::AliasPossible ? finding::AliasUnmarked : Id;
}

ParseOptions optionsWith(const Source &S, const std::string &Text) {
  ParseOptions Options = S.In->Checker->parseOptions();
  Options.Buffers = S.In->Headers;
  Options.Buffers.push_back({S.Name, Text});
  return Options;
}

/// Checks \p Text as if it was the file \p S.
Outcome findingsIn(const Source &S, const std::string &Text, Scope Of) {
  Case C{S, Text};
  UnitFacts Unit =
      parseKernels(CompileCommands::fixed(S.In->Flags).job(S.Name), optionsWith(S, Text));
  C.require(Unit.Parsed, "it was not parsed");

  SourceFiles Files(&S.In->Files);
  SourceId Main = Files.add(S.Name, Text);
  for (const VirtualFile &Header : S.In->Headers)
    Files.add(Header.Name, Header.Text);
  Findings Diags;
  S.In->Checker->check(Unit, Of, Files, Diags);
  Messages Found;
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  for (const Finding &D : Diags.all()) {
    requirePlace(C, D.At, Files);
    for (const Note &N : D.Notes)
      requirePlace(C, N.At, Files);
    requireFixes(C, D, Main, Files);
    C.require(!D.Message.empty(), "a finding says nothing");
    printText(OS, D, Files);
    printJson(OS, D, Files);
    // What is wrong with a function may be told otherwise where less of it is known.
    llvm::StringRef Message = D.Message;
    Found.insert((findingName(withoutDoubt(D.Id)) + ": " +
                  (D.Op.empty() ? Message.take_front(Message.find("; did you")) : D.Op))
                     .str());
  }
  FindingFilter Filter;
  sift(std::move(Diags), Filter, Files);
  return {std::move(Found), !Unit.complete()};
}

/// Whether the prefix that \p S has as it is serves \p Text, too.
void requireSameWithPrefix(const Source &S, const std::string &Text) {
  static SharedPchJudge Judge;
  ParseJob Job = CompileCommands::fixed(S.In->Flags).job(S.Name);
  const SharedPch *P = Judge.sharedPchFor(Job, optionsWith(S, S.Text));
  if (!P)
    return;
  if (std::optional<std::string> How = Judge.difference(*P, Job, optionsWith(S, Text)))
    Case{S, Text}.fail("a prefix changes what is read: " + *How);
}

/// What a project lacks; or has twice, or where it does not belong, as long as something is typed a
/// second time.
bool mayBeNew(llvm::StringRef Hit, Edit Kind) {
  // What an operator looks like is only said where its kernel's body does not say more.
  // A kernel for a backend alone is said to lack one for its autograd key, which may not be typed
  // yet.
  static const FindingId Absent[] = {finding::MissingKernel,     finding::ImplWithoutDef,
                                     finding::DefWithoutKernel,  finding::MissingMeta,
                                     finding::OperatorLooksPure, finding::CompositeBackendKernel};
  static const FindingId Twice[] = {finding::DuplicateDef, finding::DuplicateImpl,
                                    finding::DuplicateLibrary, finding::RegisteredNameTwice,
                                    finding::RegistrationMisplaced};
  auto isOne = [&](llvm::ArrayRef<FindingId> Ids) {
    return llvm::any_of(Ids, [&](FindingId Id) { return Hit.split(':').first == findingName(Id); });
  };
  return isOne(Absent) || (Kind == Edit::HalfTyped && isOne(Twice));
}

Corpus &corpus() {
  static Corpus All = [] {
    const char *Root = std::getenv("OPSIG_SOURCE_ROOT"); // lit sets it
    return loadCorpus(Root ? Root : llvm::StringRef(__FILE__).split("/test/Fuzz/").first);
  }();
  return All;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  if (corpus().Sources.empty()) {
    llvm::errs() << "SourceFuzzer: no sources were found\n";
    exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size < 3)
    return -1;
  Input In(Data, Size);
  Source &S = corpus().Sources[In.byte() % corpus().Sources.size()];
  uint8_t Mode = In.byte();
  Edit Kind = Edit(Mode % (unsigned(Edit::Last) + 1));
  Scope Of = Mode & 0x80 ? Scope::Project : Scope::Unit;
  std::string Text = edited(S, Kind, In);
  if (Mode & 0x40)
    requireSameWithPrefix(S, Text);
  auto [Found, Broken] = findingsIn(S, Text, Of);
  if (Kind == Edit::Any || (Kind == Edit::HalfTyped && !Broken)) // "const" is whole before a type
    return 0;
  auto [Whole, New] = S.Whole.try_emplace(Of);
  if (New)
    Whole->second = findingsIn(S, S.Text, Of);
  if (Whole->second.Broken) // some of the tests' sources are; more errors may show what those hide
    return 0;
  for (const std::string &Hit : Found)
    if (!Whole->second.Found.count(Hit) && !mayBeNew(Hit, Kind))
      Case{S, Text}.fail("nothing is wrong so far, but it reports " + Hit);
  return 0;
}
