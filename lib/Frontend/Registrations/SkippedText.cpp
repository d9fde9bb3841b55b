//===- SkippedText.cpp - registrations where a condition is off ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "Registrations/SkippedConditions.h"
#include "Registrations/SkippedText.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

using Tokens = ArrayRef<RawToken>;

Span spanOf(Tokens Words) {
  return {0, Words.front().Offset, Words.back().end() - Words.front().Offset};
}

bool opens(const RawToken &T) {
  return T.Is == tok::l_paren || T.Is == tok::l_brace || T.Is == tok::l_square;
}
bool closes(const RawToken &T) {
  return T.Is == tok::r_paren || T.Is == tok::r_brace || T.Is == tok::r_square;
}

/// Where what opens at \p Open ends; the number of tokens where it does not.
size_t closeOf(Tokens Code, size_t Open) {
  unsigned Depth = 0;
  for (size_t I = Open; I < Code.size(); ++I) {
    Depth += opens(Code[I]);
    if (closes(Code[I]) && --Depth == 0)
      return I;
  }
  return Code.size();
}

/// What stands between the commas of \p Inner.
std::vector<Tokens> splitAtCommas(Tokens Inner) {
  std::vector<Tokens> Out;
  size_t Begin = 0;
  unsigned Depth = 0;
  for (size_t I = 0; I < Inner.size(); ++I) {
    Depth += opens(Inner[I]);
    Depth -= closes(Inner[I]) && Depth != 0;
    if (Depth == 0 && Inner[I].Is == tok::comma) {
      Out.push_back(Inner.slice(Begin, I - Begin));
      Begin = I + 1;
    }
  }
  if (!Inner.empty())
    Out.push_back(Inner.drop_front(Begin));
  return Out;
}

/// The piece of a literal that stands letter for letter in the file. Nothing for other spellings.
std::optional<LiteralText::Piece> pieceOf(const RawToken &T) {
  StringRef Body = T.Text;
  bool IsRaw = Body.consume_front("R\"");
  if (!IsRaw && !Body.consume_front("\""))
    return std::nullopt;
  if (!Body.consume_back("\""))
    return std::nullopt;
  if (IsRaw) {
    size_t Open = Body.find('(');
    if (Open == StringRef::npos || Body.size() < 2 * Open + 2)
      return std::nullopt;
    Body = Body.drop_front(Open + 1).drop_back(Open + 1);
  } else if (Body.contains('\\')) {
    return std::nullopt;
  }
  auto Offset = uint32_t(T.Offset + (Body.data() - T.Text.data()));
  return LiteralText::Piece{0, uint32_t(Body.size()), {0, Offset, uint32_t(Body.size())}};
}

/// Adjacent literals, also as the first argument of what wraps them: TORCH_SELECTIVE_SCHEMA("...").
std::optional<LiteralText> literalOf(Tokens Words, StringRef Buffer) {
  while (!Words.empty() &&
         (Words.front().Is == tok::raw_identifier || Words.front().Is == tok::coloncolon))
    Words = Words.drop_front();
  if (Words.size() > 2 && Words.front().Is == tok::l_paren && closeOf(Words, 0) + 1 == Words.size())
    Words = splitAtCommas(Words.drop_front().drop_back()).front();
  if (Words.empty())
    return std::nullopt;
  LiteralText Out;
  for (const RawToken &T : Words) {
    std::optional<LiteralText::Piece> P = pieceOf(T);
    if (!P)
      return std::nullopt;
    P->Offset = Out.Value.size();
    Out.Value += Buffer.substr(P->Source.Offset, P->Source.Length);
    if (P->Length != 0)
      Out.Pieces.push_back(*P);
  }
  Out.Whole = spanOf(Words);
  return Out;
}

/// "CUDA" of `c10::DispatchKey::CUDA` and of `torch::kCUDA`; "" where there is no key.
StringRef keyIn(Tokens Words) {
  for (size_t I = 0; I < Words.size(); ++I) {
    if (Words[I].is("DispatchKey") && I + 2 < Words.size() && Words[I + 1].Is == tok::coloncolon)
      return Words[I + 2].Text;
    StringRef Name = Words[I].Text;
    if (I != 0 && Words[I - 1].Is == tok::coloncolon && Name.consume_front("k") &&
        (Name == "CPU" || Name == "CUDA" || Name == "HIP" || Name == "MPS" || Name == "XPU" ||
         Name == "Meta"))
      return Name;
  }
  return "";
}

/// Tags stand where a kernel may stand.
bool isKernelText(Tokens Words) {
  return !Words.empty() && Words.front().Is != tok::l_brace &&
         llvm::none_of(Words, [](const RawToken &T) { return T.is("Tag"); });
}

std::optional<RegistrationEntry::Kind> kindOfEntry(StringRef Method) {
  if (Method == "def")
    return RegistrationEntry::Def;
  if (Method == "impl")
    return RegistrationEntry::Impl;
  if (Method == "fallback")
    return RegistrationEntry::Fallback;
  return std::nullopt;
}

/// `m.impl("name", ...)`, whose method is number \p At of \p Code.
std::optional<RegistrationEntry> entryAt(Tokens Code, size_t At, StringRef Buffer) {
  std::optional<RegistrationEntry::Kind> Kind = kindOfEntry(Code[At].Text);
  size_t Close = Kind ? closeOf(Code, At + 1) : Code.size();
  if (Close == Code.size())
    return std::nullopt;
  std::vector<Tokens> Args = splitAtCommas(Code.slice(At + 2, Close - At - 2));
  RegistrationEntry Entry;
  Entry.Is = *Kind;
  Entry.TextOnly = true;
  Entry.At = spanOf(Code.slice(At - 2, Close - At + 3));
  if (Entry.Is != RegistrationEntry::Fallback) {
    if (Args.empty())
      return std::nullopt;
    if (std::optional<LiteralText> Text = literalOf(Args.front(), Buffer)) {
      Entry.Text = std::move(*Text);
      Entry.TextKnown = true;
    }
    Args.erase(Args.begin());
  }
  for (Tokens Argument : Args) {
    if (!isKernelText(Argument))
      continue;
    Entry.Kernel.Is = RegisteredKernel::Unread;
    Entry.Kernel.Use = spanOf(Argument);
    Entry.Key = keyIn(Argument).str();
    Entry.KeyUnknown = Entry.Key.empty() &&
                       llvm::any_of(Argument, [](const RawToken &T) { return T.is("dispatch"); });
    if (!Entry.Key.empty() || Entry.KeyUnknown)
      break;
  }
  return Entry;
}

/// The branches of a file, without what keeps a header from being read twice.
std::vector<ConditionalBranch> branchesOf(const RawFile &File) {
  std::vector<ConditionalBranch> Tree = conditionalBranches(File.Conditionals);
  if (Tree.empty() || File.Defines.empty() || File.IsMain)
    return Tree;
  ArrayRef<RawToken> Words = Tree.front().Directive->Words;
  bool IsGuard = Words.size() == 2 && Words[0].is("ifndef") &&
                 Words[1].Text == File.Defines.front().front().Text &&
                 Tree.front().Begin < File.Code.front().Offset;
  if (IsGuard)
    Tree.front().Needs.clear();
  return Tree;
}

/// Spans of what it reads point into file 0, as if there were no other one.
class TextReader {
public:
  TextReader(const SkippedFile &File, const UnitFacts &Unit, MacroWishes &Wishes)
      : Code(File.Text.Code), Lines(File.Lines), IsMain(File.Text.IsMain), Unit(Unit),
        UnitFile(llvm::find(Unit.Files, File.Path) - Unit.Files.begin()), Wishes(Wishes),
        Tree(branchesOf(File.Text)) {}

  SkippedRegistrations run();

private:
  bool isSkipped(uint32_t Offset) const {
    return llvm::any_of(Lines, [&](const SkippedLines &S) { return S.hold(Offset); });
  }
  int innermost(uint32_t Offset) const;
  bool note(uint32_t Offset);
  void readBlock(size_t At);
  void readMember(size_t At);
  RegistrationBlock *blockAround(uint32_t Offset, StringRef Variable);
  StringRef buffer() const {
    return {Code.front().Text.data() - Code.front().Offset, Code.back().end()};
  }

  Tokens Code;
  ArrayRef<SkippedLines> Lines;
  bool IsMain;
  const UnitFacts &Unit;
  uint32_t UnitFile; ///< which one of the unit's files it is
  MacroWishes &Wishes;
  std::vector<ConditionalBranch> Tree;
  std::map<int, bool> Noted;
  SkippedRegistrations Out;
};

int TextReader::innermost(uint32_t Offset) const {
  int Found = -1;
  for (size_t I = 0; I < Tree.size() && Tree[I].Begin <= Offset; ++I)
    if (Offset < Tree[I].End)
      Found = I;
  return Found;
}

/// Something is registered at \p Offset. False where no build ever does that.
bool TextReader::note(uint32_t Offset) {
  int Index = innermost(Offset);
  if (Index < 0)
    return false;
  auto [It, New] = Noted.try_emplace(Index, true);
  if (!New)
    return It->second;
  MacroWishes::Answer Answer = Wishes.wish(Tree, Index);
  It->second = Answer != MacroWishes::Dead;
  if (!It->second)
    return false;
  const ConditionalBranch &B = Tree[Index];
  Out.Branches.push_back({{0, B.Begin, B.End - B.Begin},
                          {0, B.Begin, B.Directive->end() - B.Begin},
                          Answer == MacroWishes::Other});
  return true;
}

/// TORCH_LIBRARY(ns, m) { ... }, and its kin.
void TextReader::readBlock(size_t At) {
  StringRef Macro = Code[At].Text;
  RegistrationBlock Block;
  Block.Stable = Macro.consume_front("STABLE_");
  std::optional<RegistrationBlock::Kind> Kind = kindOfMacro(Macro);
  size_t Close = closeOf(Code, At + 1);
  if (!Kind || Close + 1 >= Code.size() || Code[Close + 1].Is != tok::l_brace)
    return;
  std::vector<Tokens> Args = splitAtCommas(Code.slice(At + 2, Close - At - 2));
  size_t Expected = *Kind == RegistrationBlock::Impl ? 3 : 2;
  size_t End = closeOf(Code, Close + 1);
  if (Args.size() != Expected || End == Code.size() ||
      llvm::any_of(Args, [](Tokens Words) { return Words.size() != 1; }))
    return;
  Block.Is = *Kind;
  Block.Namespace = Args.front().front().Text.str();
  if (Expected == 3)
    Block.Key = Args[1].front().Text.str();
  Block.Variable = Args.back().front().Text.str();
  Block.At = spanOf(Code.slice(At, 1));
  Block.Body = {0, Code[Close + 1].end(), Code[End].Offset - Code[Close + 1].end()};
  if (note(Code[At].Offset))
    Out.Blocks.push_back(std::move(Block));
}

RegistrationBlock *TextReader::blockAround(uint32_t Offset, StringRef Variable) {
  auto IsAround = [&](const RegistrationBlock &Block, uint32_t File) {
    return Block.Body.isValid() && Block.Body.File == File && Block.Body.Offset <= Offset &&
           Offset < Block.Body.end() && Block.Variable == Variable;
  };
  auto Own =
      llvm::find_if(Out.Blocks, [&](const RegistrationBlock &Block) { return IsAround(Block, 0); });
  if (Own != Out.Blocks.end())
    return &*Own;
  auto Read = llvm::find_if(Unit.Registrations, [&](const RegistrationBlock &Block) {
    return Block.At.File == UnitFile && IsAround(Block, UnitFile);
  });
  if (Read == Unit.Registrations.end())
    return nullptr;
  RegistrationBlock &Copy = Out.Blocks.emplace_back(*Read);
  Copy.At.File = Copy.Body.File = 0;
  Copy.Entries.clear();
  Copy.HandedTo.clear();
  Copy.HandedInBranch = false;
  Copy.Filler.clear();
  Copy.Complete = true;
  return &Copy;
}

/// `m.def(`, whose method is number \p At.
void TextReader::readMember(size_t At) {
  if (At < 2 || Code[At - 1].Is != tok::period || Code[At - 2].Is != tok::raw_identifier)
    return;
  RegistrationBlock *Block = blockAround(Code[At].Offset, Code[At - 2].Text);
  if (!Block)
    return;
  std::optional<RegistrationEntry> Entry = entryAt(Code, At, buffer());
  if (Entry && note(Code[At].Offset))
    Block->Entries.push_back(std::move(*Entry));
}

SkippedRegistrations TextReader::run() {
  for (size_t I = 0; I + 1 < Code.size(); ++I) {
    if (Code[I].Is != tok::raw_identifier || !isSkipped(Code[I].Offset))
      continue;
    // A function that fills a block, which is for the compiler to read.
    if (IsMain && Code[I].is("Library") && Code[I + 1].Is == tok::amp)
      note(Code[I].Offset);
    if (Code[I + 1].Is != tok::l_paren)
      continue;
    if (soundsLikeLibrary(Code[I].Text)) {
      if (IsMain)
        note(Code[I].Offset); // of a project's own macro only the compiler knows
      readBlock(I);
    } else if (kindOfEntry(Code[I].Text)) {
      readMember(I);
    }
  }
  llvm::erase_if(Out.Blocks, [&](const RegistrationBlock &Block) {
    return Block.Entries.empty() && !isSkipped(Block.At.Offset);
  });
  return std::move(Out);
}

/// Calls \p Visit for each span.
template <typename F> void forEachSpan(SkippedRegistrations &Read, F Visit) {
  for (SkippedBranch &B : Read.Branches) {
    Visit(B.Lines);
    Visit(B.Directive);
  }
  for (RegistrationBlock &Block : Read.Blocks) {
    Visit(Block.At);
    Visit(Block.Body);
    for (RegistrationEntry &Entry : Block.Entries) {
      Visit(Entry.At);
      Visit(Entry.Text.Whole);
      for (LiteralText::Piece &P : Entry.Text.Pieces)
        Visit(P.Source);
      Visit(Entry.Kernel.Use);
    }
  }
}

} // namespace

void opsig::moveSpans(SkippedRegistrations &Read, std::vector<std::string> &Files) {
  std::vector<uint32_t> Now;
  for (const std::string &Path : Read.Files) {
    auto Known = llvm::find(Files, Path);
    Now.push_back(Known - Files.begin());
    if (Known == Files.end())
      Files.push_back(Path);
  }
  forEachSpan(Read, [&](Span &S) {
    if (S.isValid())
      S.File = Now[S.File];
  });
  Read.Files = Files;
}

SkippedRegistrations opsig::skippedRegistrations(ArrayRef<SkippedFile> Files,
                                                 const UnitFacts &Unit) {
  SkippedRegistrations Out;
  MacroWishes Wishes;
  for (const SkippedFile &File : Files) {
    if (File.Text.Code.empty())
      continue;
    SkippedRegistrations Own = TextReader(File, Unit, Wishes).run();
    Own.Files = {File.Path};
    moveSpans(Own, Out.Files);
    llvm::append_range(Out.Blocks, Own.Blocks);
    llvm::append_range(Out.Branches, Own.Branches);
  }
  Out.Flags = Wishes.flags();
  return Out;
}
